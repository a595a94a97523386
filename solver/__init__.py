"""Solving games: exact values by enumeration or by search, and counting."""
