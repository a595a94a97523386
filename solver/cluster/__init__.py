"""Strong solving over many processes and machines: tiers in parts, kept as sorted columns on any file system."""
