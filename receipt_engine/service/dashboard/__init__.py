"""Web pages for managing one account: keys, credits, uploads and their extraction results.

In: a browser's request with a session cookie. Out: HTML rendered on the server; no scripts, no build step.
Decides whether a form came from our own page in this session, and how a result is displayed. Uploads made
here pass the same checks and cost the same as those of the API.
"""
