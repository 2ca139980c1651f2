"""Notifies an account's own server that a result is available, so that it need not poll. Off by default.

In: the end of a job, for an account that registered a URL. Out: a signed POST with the token and the code,
never with extracted data. Decides which URLs may be called, when a call is retried and when it is given up.
Signed as https://www.standardwebhooks.com describes.
"""
