"""What a position is made of, as text too, and maps of boards and positions."""
