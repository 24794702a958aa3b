"""Documents as HTML pages: generic rendering that knows nothing of rows."""
