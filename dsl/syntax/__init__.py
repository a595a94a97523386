"""From text to rule objects and back: declarations cut apart, grammars, parser, formatter, and messages about lines."""
