// Renders the Share menu: a link, the program, a picture and the numbers. Entries that would reveal a
// hidden answer are disabled until the figure is open.
import type { Figure } from "../core/figure.ts";
import { CopyButton } from "./copy_button.tsx";
import { numbersOf, numbersText } from "./numbers.ts";
import { picture, type Picture } from "./picture.ts";

const SHARPER = 2; // pixels of a PNG per CSS pixel

export function ShareMenu(props: { figure: Figure; root: HTMLElement; link?: () => string }) {
  const { figure, root, link } = props;
  const { kind, t, at, name } = figure;
  const waits = figure.questionState.pending.value;
  const common = { name, label: t };
  return (
    <>
      {link && <CopyButton name="copy-link" label={t("copyLink")} text={link} t={t} />}
      <CopyButton
        name="copy-program"
        label={t("copyProgram")}
        text={() => kind.program(at, t)}
        t={t}
        disabled={waits}
      />
      <Download
        {...common}
        kind="svg"
        word="downloadSvg"
        content={async () => (await picture(root)).text}
      />
      <Download
        {...common}
        kind="png"
        word="downloadPng"
        content={async () => pixels(await picture(root))}
      />
      <Download
        {...common}
        kind="tsv"
        word="downloadNumbers"
        content={() => numbersText(allNumbers(figure))}
        disabled={waits}
      />
      {document.getElementById("report") && <a href="#report">{t("reportMistake")}</a>}
    </>
  );
}

/** Returns state and stages by their names in Python. */
function allNumbers({ kind, at, read }: Figure) {
  const stages = Object.fromEntries(Object.keys(kind.stages).map((name) => [name, at[name]]));
  return numbersOf(read(), { ...stages, ...kind.numbers?.(at) });
}

function Download(props: {
  name: string;
  label: (word: string) => string;
  kind: string;
  word: string;
  content: () => BlobPart | Promise<BlobPart>;
  disabled?: boolean;
}) {
  const { name, label, kind, word, content, disabled } = props;
  return (
    <button
      type="button"
      data-control={`download-${kind === "tsv" ? "numbers" : kind}`}
      disabled={disabled}
      onClick={async () => save(`${name}.${kind}`, await content())}
    >
      {label(word)}
    </button>
  );
}

function save(file: string, content: BlobPart) {
  const href = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // after the download has read it
}

/** Renders a picture as PNG. */
async function pixels({ text, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SHARPER * width, height: SHARPER * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))),
  );
}
