"""The language server of `dslgame lsp`: `dslgame.editing` for editors that speak the Language Server Protocol.

`server` answers requests, `texts` keeps the open documents and their analyses, `answers` converts places and values
into the protocol's types (`lsprotocol`), and `background` plays games in separate processes, which an edit ends.
"""
