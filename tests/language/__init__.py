"""The language: the contents of files, their mistakes, and how the interpreter runs them."""
