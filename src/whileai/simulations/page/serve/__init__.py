"""A page on a local server: it says when its files have grown, and keeps each label as it is given.

`site.Site` is what is served, `server.PageServer` serves it; `guard` decides who is answered.
"""
