// Makes the code cells of a page ready to run. What runs them is loaded at the first click.

document.body.dataset.kernel = "none";
