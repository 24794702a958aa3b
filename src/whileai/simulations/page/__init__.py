"""The content of a page that people look at: rows in, the document of `web` out.

`held.Held` takes the rows, `document.report_document` and `document.compare_document` make the document of them.
"""
