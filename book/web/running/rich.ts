// Renders outputs other than plain text: pictures, sanitised HTML, Markdown, LaTeX and widgets.
import type { IMimeBundle } from "@jupyterlab/nbformat";
import { strings } from "../strings/cells.ts";
import { sanitised } from "./sanitise.ts";

export const WIDGET = "application/vnd.jupyter.widget-view+json";
const PICTURES = ["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp"];
const MARKUP = ["text/markdown", "text/latex"];
const KINDS = [WIDGET, "text/html", ...MARKUP, ...PICTURES];

export type ShowWidget = (id: string, place: HTMLElement) => Promise<void>;

const joined = (value: unknown) => (Array.isArray(value) ? value.join("") : String(value ?? ""));

/** The MIME type of a bundle that is rendered. */
export const shownKind = (data: IMimeBundle) => KINDS.find((kind) => kind in data) ?? "text/plain";

export const textOf = (data: IMimeBundle, kind: string) => joined(data[kind]);

/** Renders a bundle into an element; all but pictures are rendered asynchronously. */
export const showRich = (
  place: HTMLElement,
  kind: string,
  data: IMimeBundle,
  metadata: Record<string, unknown>,
  showWidget: ShowWidget,
) => {
  if (kind === WIDGET) {
    const { model_id } = data[WIDGET] as { model_id: string };
    place.dataset.widget = "";
    showWidget(model_id, place).catch(() => {
      place.textContent = strings.noWidget;
    });
  } else if (kind === "text/html") {
    place.classList.add("text_html");
    void sanitised(textOf(data, kind)).then((html) => {
      place.innerHTML = html;
    });
  } else if (MARKUP.includes(kind)) {
    place.classList.add(kind.replace("/", "_"));
    void import("./markup.ts")
      .then(({ renderMarkup }) => renderMarkup(kind, textOf(data, kind)))
      .then((content) => place.replaceChildren(content));
  } else place.append(picture(kind, data, metadata));
};

const picture = (kind: string, data: IMimeBundle, metadata: Record<string, unknown>) => {
  const image = document.createElement("img");
  const content = textOf(data, kind);
  // Scripts in an SVG do not run inside an img element.
  image.src =
    kind === "image/svg+xml"
      ? `data:${kind};charset=utf-8,${encodeURIComponent(content)}`
      : `data:${kind};base64,${content.replace(/\s/g, "")}`;
  image.alt = strings.picture;
  const size = (metadata[kind] ?? {}) as { width?: number; height?: number };
  if (size.width) image.width = size.width;
  if (size.height) image.height = size.height;
  return image;
};
