// @ts-check
// The button and the key of lecture mode, which is not loaded before somebody wants it.
"use strict";

{
  const button = document.querySelector(".lecture-button");
  const files = /** @type {HTMLTemplateElement | null} */ (
    document.querySelector("#lecture-files")
  );

  /** @param {Element} file a script or a style sheet, which says itself that it failed: start.js */
  const load = (file) =>
    new Promise((resolve, reject) => {
      file.addEventListener("load", resolve);
      file.addEventListener("error", reject);
      if (file instanceof HTMLScriptElement) file.async = false; // but one after the other
      document.head.append(file);
    });

  /** @type {Promise<unknown> | undefined} */
  let loaded;
  const turn = () => {
    if (!files) return;
    loaded ??= Promise.all([...document.importNode(files.content, true).children].map(load));
    const fail = () => scrollTo(0, 0); // where the sentence stands
    loaded.then(() => lectureMode(), fail);
  };

  button?.addEventListener("click", turn);
  document.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, metaKey, code } = event;
    if (!button || !altKey || ctrlKey || metaKey || code !== "KeyL") return;
    event.preventDefault();
    turn();
  });
}
