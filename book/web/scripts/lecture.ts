// The button and the key of lecture mode, which is not loaded before somebody wants it.

const button = document.querySelector(".lecture-button");
const files = document.querySelector<HTMLTemplateElement>("#lecture-files");

/** Adds a script or a style sheet, which says itself that it failed: start.ts. */
const load = (file: Element) =>
  new Promise((resolve, reject) => {
    file.addEventListener("load", resolve);
    file.addEventListener("error", reject);
    document.head.append(file);
  });

let loaded: Promise<unknown> | undefined;
const turn = () => {
  if (!files) return;
  loaded ??= Promise.all([...document.importNode(files.content, true).children].map(load));
  loaded.then(
    () => document.dispatchEvent(new Event("attention:lecture")), // to lecture_mode.ts
    () => scrollTo(0, 0), // where the sentence stands
  );
};

button?.addEventListener("click", turn);
document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, code } = event;
  if (!button || !altKey || ctrlKey || metaKey || code !== "KeyL") return;
  event.preventDefault();
  turn();
});
