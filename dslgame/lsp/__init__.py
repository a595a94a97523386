"""The language server of `dslgame lsp`: what `dslgame.editing` knows, for editors that speak the protocol.

`server` answers requests, `texts` keeps open documents with what is known about them, `lsp_types` puts our places and
values into the protocol's, and `background` plays games in processes of their own, which an edit ends.
"""
