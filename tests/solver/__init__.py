"""Solving, searching, trees and players."""
