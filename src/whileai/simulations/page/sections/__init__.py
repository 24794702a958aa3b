"""The sections of a page, a module each: what it shows of the rows, None where they do not support it."""
