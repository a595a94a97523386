"""The model of positions: states, their text, and symmetries of boards and states."""
