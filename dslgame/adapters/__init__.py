"""Adapters of games to other libraries: each is a module, with an extra that installs its dependencies."""
