"""What editors ask about a text: completion, hover, definitions, symbols, highlighting, hints, quick fixes.

Knows no protocol and no editor: `dslgame.lsp` asks it for people's editors, `dslgame.editing.pygments_lexer` for
documentation and notebooks. Every word comes from the grammar and the records of the language (`vocabulary`); what
names mean comes from the resolver (`dsl.resolve.notes`). A new word of the language needs nothing here.
"""
