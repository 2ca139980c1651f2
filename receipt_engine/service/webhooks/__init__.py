"""Telling an account's own server that a result is there, so that it need not poll. Off by default.

In: the end of a job, for an account that named an address. Out: a signed POST with the token and the code,
never with what was read. Decides which addresses may be called, how often a call is repeated and when it is
given up.
Signed as https://www.standardwebhooks.com describes.
"""
