"""Tests of what editors are told: language intelligence, the server, highlighting, configurations."""
