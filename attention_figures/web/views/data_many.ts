// Marks grids with too many columns for horizontal headings: the style sheet then turns headings
// upright, and lets columns scroll once they are as narrow as their numbers.
const FEW = 8;

/** Returns the value of the grid's `data-many` attribute. */
export const dataMany = (columns: number) => (columns > FEW ? "" : undefined);
