"""Self-contained pages that show how pictures were read: no script, no request to anywhere.

In: explanations (`Engine.explain`, `Engine.explain_all`) or the error of a picture that could not be read.
Out: HTML of one picture with all its receipts (`to_html`), of a failure (`failure_html`), and of a folder of
pages (`index_html`). Decides nothing: `words` says in plain words what was decided elsewhere.
"""
