"""From rule objects to resolved rules (`dsl.hir`): resolves names, checks sorts, and expands definitions."""
