"""The public HTTP interface: validates requests and builds the answers.

In: bytes of a connection. Out: the interface's JSON envelope, always with HTTP status 200.
Decides whether a request is well formed, in time, within size and rate limits, and made with a valid key;
`jobs` and `accounts` do the work it asks for. `app` assembles the routes, `api` implements the three calls,
`protocol` guards the connection, and `body`, `form` and `picture` turn a body into a validated image.
"""
