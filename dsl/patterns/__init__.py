"""The language of pattern files: parses, resolves and writes both of its forms."""
