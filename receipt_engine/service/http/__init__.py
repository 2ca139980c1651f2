"""The public interface over HTTP: what a client sends, checked, and what it gets back.

In: bytes of a connection. Out: the envelope of the interface, always with HTTP status 200.
Decides whether a request is well formed, in time, within size and rate limits, and made with a valid key;
what it asks for is done by `jobs` and `accounts`. `app` puts the routes together, `api` holds the three
calls, `protocol` guards the connection, `body`, `form` and `picture` turn a body into a checked picture.
"""
