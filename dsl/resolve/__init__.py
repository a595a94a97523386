"""From rule objects to resolved rules (`dsl.hir`): names looked up, sorts checked, definitions put in."""
