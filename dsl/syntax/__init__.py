"""Between text and rule objects: chunks, grammars, parser, formatter, and messages about lines that do not parse."""
