"""The reference semantics of rules, which kernels, hooks and references must match."""
