// Loads lecture mode on first use, by its button or shortcut.

const button = document.querySelector(".lecture-button");
const files = document.querySelector<HTMLTemplateElement>("#lecture-files");

/** Adds a script or a style sheet; start.ts reports its failure. */
const load = (file: Element) =>
  new Promise((resolve, reject) => {
    file.addEventListener("load", resolve);
    file.addEventListener("error", reject);
    document.head.append(file);
  });

let loaded: Promise<unknown> | undefined;
const toggle = () => {
  if (!files) return;
  loaded ??= Promise.all([...document.importNode(files.content, true).children].map(load));
  loaded.then(
    () => document.dispatchEvent(new Event("attention:lecture")), // handled by lecture_mode.ts
    () => scrollTo(0, 0), // to the error message
  );
};

button?.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, code } = event;
  if (!button || !altKey || ctrlKey || metaKey || code !== "KeyL") return;
  event.preventDefault();
  toggle();
});
