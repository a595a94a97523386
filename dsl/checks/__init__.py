"""What can be said of rules without a board: rules that cannot hold, what cells can hold, what terms read, how much work."""
