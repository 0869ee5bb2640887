// Shows what a cell has besides text: pictures, HTML without what could act, Markdown, formulas, widgets.
import type { IMimeBundle } from "@jupyterlab/nbformat";
import { words } from "../words/index.ts";
import { harmless } from "./harmless.ts";

export const WIDGET = "application/vnd.jupyter.widget-view+json";
const PICTURES = ["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp"];
const WRITTEN = ["text/markdown", "text/latex"];
const KINDS = [WIDGET, "text/html", ...WRITTEN, ...PICTURES];

export type ShowWidget = (id: string, place: HTMLElement) => Promise<void>;

const text = (value: unknown) => (Array.isArray(value) ? value.join("") : String(value ?? ""));

/** The kind of a bundle that is shown. */
export const shownKind = (data: IMimeBundle) => KINDS.find((kind) => kind in data) ?? "text/plain";

export const textOf = (data: IMimeBundle, kind: string) => text(data[kind]);

/** Puts a bundle that is no text into a place; what takes its time comes later. */
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
      place.textContent = words.noWidget;
    });
  } else if (kind === "text/html") {
    place.classList.add("text_html");
    void harmless(textOf(data, kind)).then((html) => {
      place.innerHTML = html;
    });
  } else if (WRITTEN.includes(kind)) {
    place.classList.add(kind.replace("/", "_"));
    void import("./written.ts")
      .then(({ written }) => written(kind, textOf(data, kind)))
      .then((content) => place.replaceChildren(content));
  } else place.append(picture(kind, data, metadata));
};

const picture = (kind: string, data: IMimeBundle, metadata: Record<string, unknown>) => {
  const image = document.createElement("img");
  const content = textOf(data, kind);
  // As a picture, an SVG runs no scripts.
  image.src =
    kind === "image/svg+xml"
      ? `data:${kind};charset=utf-8,${encodeURIComponent(content)}`
      : `data:${kind};base64,${content.replace(/\s/g, "")}`;
  image.alt = words.picture;
  const size = (metadata[kind] ?? {}) as { width?: number; height?: number };
  if (size.width) image.width = size.width;
  if (size.height) image.height = size.height;
  return image;
};
