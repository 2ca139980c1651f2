"""Self-contained pages that show how images were read: no scripts, no external requests.

In: explanations (`Engine.explain`, `Engine.explain_all`) or the error of an image that could not be read.
Out: HTML of one image with all its receipts (`to_html`), of a failure (`failure_html`), and of a folder of
pages (`index_html`). Decides nothing: `words` puts decisions made elsewhere into plain words.
"""
