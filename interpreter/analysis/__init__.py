"""What is known of a game by its rules and its board: bounds, symmetries shown, play that ends; and checks that play."""
