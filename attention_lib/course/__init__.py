"""What the chapters' figures say and ask, in both languages: one file a chapter."""
