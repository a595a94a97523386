"""The protocols that programs speak: for each a contestant of our matches, and a way for our players to speak it."""
