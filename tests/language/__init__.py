"""The language: what files say, what is wrong with them, and what the interpreter makes of them."""
