"""Generate reference pages when the book is built, each from one source for all languages."""
