"""The language of pattern files: both forms read, resolved, and written."""
