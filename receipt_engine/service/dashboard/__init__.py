"""The pages on which a person looks after one account: keys, credits, uploads and how they were read.

In: a browser's request with a session cookie. Out: HTML rendered here; no script, no build step.
Decides whether a form came from our own page in this session, and how a result is shown. Uploads made here
pass the same checks and cost the same as those of the API.
"""
