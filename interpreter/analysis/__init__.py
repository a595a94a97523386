"""What is known of a game by its rules and board: bounds, symmetries, play that ends; and checks that play it."""
