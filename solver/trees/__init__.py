"""Game trees and multiway graphs: built level by level, labelled with what they prove, pruned, saved and exported.

`build` has what others call; a newcomer reads `tree`, then `positions`.
"""
