// Runs the cells of a page in a kernel.

export const places = () => document.querySelectorAll("[data-run]");
