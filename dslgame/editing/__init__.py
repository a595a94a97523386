"""Editor features for a text: completion, hover, definitions, symbols, highlighting, hints, quick fixes.

Independent of any protocol or editor: `dslgame.lsp` serves it to editors, `dslgame.editing.pygments_lexer` to
documentation and notebooks. Every word comes from the grammar and the records of the language (`vocabulary`); the
meanings of names come from the resolver (`dsl.resolve.notes`). A new word of the language needs no change here.
"""
