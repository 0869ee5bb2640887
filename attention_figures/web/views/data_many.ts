// Tells the style sheet of words that are too many to stand side by side: it turns those above
// columns upright, and lets the columns scroll once they are as narrow as their numbers.
const FEW = 8;

/** For `data-many` of the grid whose columns they are. */
export const dataMany = (columns: number) => (columns > FEW ? "" : undefined);
