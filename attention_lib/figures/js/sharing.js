// @ts-check
// What a reader can take along from a figure: its program, its picture and its numbers.
import { copyButton } from "./copying.js";
import { element } from "./dom.js";
import { numbersOf, numbersText } from "./numbers.js";
import { picture } from "./picture.js";

/** @typedef {import("./figure.js").Shared} Shared */

const SHARPER = 2; // than on a plain screen

/** The entries of the menu below a figure. @param {Shared} shared @param {import("./figure.js").View} view */
export function sharing({ root, model, words, state }, view) {
  const name = model.get("name");
  /** @type {(kind: string, label: string, content: () => BlobPart | Promise<BlobPart>) => Node} */
  const download = (kind, label, content) =>
    element(
      "button",
      {
        type: "button",
        "data-control": `download-${kind === "tsv" ? "numbers" : kind}`,
        click: async () => save(`${name}.${kind}`, await content()),
      },
      words(label),
    );
  const text = () => view.program(); // of the view of the moment
  return [
    copyButton({ name: "copy-program", label: words("copyProgram"), text, words }),
    download("svg", "downloadSvg", () => picture(root).text),
    download("png", "downloadPng", () => pixels(picture(root))),
    download("tsv", "downloadNumbers", () => numbersText(numbersOf(state.read(), view.stages()))),
  ];
}

/** @param {string} name of the file @param {BlobPart} content */
function save(name, content) {
  const address = URL.createObjectURL(new Blob([content]));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // by then it is read
}

/** A picture in pixels. @param {import("./picture.js").Picture} drawing @returns {Promise<Blob>} */
async function pixels({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = element("canvas", { width: SHARPER * width, height: SHARPER * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
  );
}
