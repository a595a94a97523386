"""The command, the page, the terminal, matches, protocols and adapters."""
