"""Games as those of other libraries: each adapter is a module, and an extra that brings what it needs."""
