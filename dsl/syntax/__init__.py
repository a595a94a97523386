"""From text to rule objects, and back: declarations cut apart, grammars, the parser, the formatter, and what is wrong with a line."""
