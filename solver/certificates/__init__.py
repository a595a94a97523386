"""Certificates, which prove values: `checker` verifies them by the interpreter alone, `writer` makes them."""
