"""Rows in and out of the library: reading, writing, and the rules that say what a row's task, grade and text are."""
