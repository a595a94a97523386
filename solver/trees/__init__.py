"""Game trees and multiway graphs: built level by level, labelled with what they prove, pruned, saved and exported.

Start reading at `tree`, then `positions`.
"""
