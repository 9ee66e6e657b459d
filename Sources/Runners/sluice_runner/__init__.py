"""What runners of plans have in common, whatever the engine: see Documentation/cluster.md."""
