"""Define steps, mistakes and hints that several exercises share."""
