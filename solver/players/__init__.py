"""Strong play without proof: alpha-beta by a game's value, Monte-Carlo tree search, levels of both, and matches."""
