"""How each vendor's client is asked: one module a protocol."""
