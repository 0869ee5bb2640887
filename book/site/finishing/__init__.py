"""What finished pages need: scripts and style sheets, icons, a sentence for failures, search."""
