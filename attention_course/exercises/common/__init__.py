"""Steps, mistakes and hints that several exercises share."""
