"""The `wai` command: parse, call the library, print; no arithmetic here."""
