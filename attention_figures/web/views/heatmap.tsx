// Renders a matrix as a heatmap: a table of coloured numbers up to 16 × 16, else a canvas with one row
// as text. An update repaints only the cells that differ, which keeps dragging a slider cheap.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { SHADES, shadeReader, type Shades } from "../core/palette.ts";
import { range, type Matrix } from "../maths/tensor.ts";
import type { Scale } from "./scale.tsx";

export interface MapProps {
  figure: Figure;
  /** The accessible name of the matrix. */
  label: string;
  matrix: Matrix;
  scale: Scale;
  /** The example whose weights these are, for the cells' data-at. */
  example?: number;
  /** The attribute instead of data-at, if these are not the figure's attention_weights. */
  place?: string;
  /** Whether the matrix would reveal the answer; by default only weights do. */
  reveals?: boolean;
  /** Headings of columns and rows, instead of their numbers; "" for none. */
  heads?: readonly string[];
  sides?: readonly string[];
  /** The number of the first row. */
  first?: number;
  /** Valid length of each row: cells from there on are hatched as padding. */
  lengths?: readonly number[];
  /** An alternative to lengths: 0 where a cell is hatched. */
  kept?: Matrix;
  format?: (x: number) => string;
  /** Cells with a frame. */
  marked?: (row: number, col: number) => boolean;
  /** The row that the caption describes. */
  chosen?: number;
  /** A canvas without a row as text. */
  picture?: boolean;
  /** Elements over the numbers, such as the mask edge. */
  children?: ComponentChildren;
}

const TEXT_LIMIT = 16;

/** Whether a matrix is shown as text, so that its numbers can be read and edited. */
export const isSmall = (rows: number, cols: number) => Math.max(rows, cols) <= TEXT_LIMIT;

export function Heatmap(props: MapProps) {
  const { matrix } = props;
  return isSmall(matrix.length, matrix[0]?.length ?? 0) ? (
    <TextMap {...props} />
  ) : (
    <CanvasMap {...props} />
  );
}

const isMasked = ({ lengths, kept }: MapProps, row: number, col: number) =>
  lengths ? col >= lengths[row] : kept ? kept[row][col] === 0 : false;

const revealsOf = ({ scale, reveals = scale.hue === "weights" }: MapProps) =>
  reveals ? "" : undefined;

/** Dependencies of a repaint: an unchanged row is not repainted. */
const lookOf = ({ matrix, scale, lengths, kept = [], format }: MapProps) => [
  ...matrix,
  ...kept,
  scale.hue,
  scale.top,
  String(lengths),
  format,
];

function TextMap(props: MapProps) {
  const { figure, label, matrix, scale, first = 0, chosen } = props;
  const { example: b, place = "data-at", format = formatNumber } = props;
  const table = useRef<HTMLTableElement>(null);
  const cells = useRef<Cell[][]>([]);
  const heads = useRef<Text[]>([]); // of columns, then of rows
  const [rows, cols] = [matrix.length, matrix[0]?.length ?? 0];
  const names = [
    ...range(cols).map((col) => props.heads?.[col] ?? String(col)),
    ...range(rows).map((row) => props.sides?.[first + row] ?? String(first + row)),
  ];
  const form = [rows, cols, first, b, ...names.map((name) => name === "")].join();
  useLayoutEffect(() => {
    cells.current = range(rows).map((row) => range(cols).map((col) => cellAt(row, col)));
    cells.current.forEach((line, row) =>
      line.forEach(({ node }, col) =>
        node.toggleAttribute("data-marked", !!props.marked?.(row, col)),
      ),
    );
    heads.current = names.map(() => document.createTextNode(""));
    const around = names.map((name, i) => headCell(i < cols ? "col" : "row", name));
    around.forEach((head, i) => head.append(heads.current[i]));
    table.current!.replaceChildren(...framed(cells.current, around));
  }, [form]);
  // Cells are kept when only the headings change: two sentences have hundreds of cells.
  useLayoutEffect(() => {
    heads.current.forEach((head, i) => {
      if (head.data !== names[i]) head.data = names[i];
    });
  }, [form, ...names]);
  const cellAt = (row: number, col: number) =>
    new Cell(b === undefined ? undefined : [place, `${b},${first + row},${col}`]);
  const read = useMemo(shadeReader, []);
  const theme = figure.theme.value;
  useLayoutEffect(() => {
    const shades = read(table.current!, scale.hue, theme);
    cells.current.forEach((line, row) =>
      line.forEach((cell, col) => {
        const x = matrix[row][col];
        const masked = isMasked(props, row, col);
        cell.text(format(x));
        cell.mask(masked);
        if (scale.hue !== "plain") cell.tint(masked ? 0 : scale.level(x), shades);
      }),
    );
  }, [...lookOf(props), theme, form]);
  useLayoutEffect(() => {
    const lines = table.current!.tBodies[0]?.rows ?? [];
    [...lines].forEach((line, row) => line.toggleAttribute("data-chosen", row === chosen));
  }, [chosen, form]);
  return (
    <div class="map" data-tells={revealsOf(props)}>
      <table aria-label={label} data-hue={scale.hue} ref={table} />
      {props.children}
    </div>
  );
}

/** Paints a cell. Inline colours cost a tenth of a custom property that style rules read. */
class Cell {
  readonly node = document.createElement("td");
  readonly #content = document.createTextNode("");
  #level = NaN;
  #shades: Shades | undefined;
  #masked = false;

  constructor(place?: [string, string]) {
    if (place) this.node.setAttribute(...place);
    this.node.append(this.#content);
  }

  text(text: string) {
    if (this.#content.data === text) return;
    this.#content.data = text;
    Object.assign(this.node.style, typeFor(text));
  }

  tint(level: number, shades: Shades | undefined) {
    if (!shades || (level === this.#level && shades === this.#shades)) return;
    [this.#level, this.#shades] = [level, shades];
    this.node.style.backgroundColor = `rgb(${shades.shades[level + SHADES]})`;
    this.node.style.color = `rgb(${shades.text[level + SHADES]})`;
  }

  mask(masked: boolean) {
    if (masked !== this.#masked) this.node.toggleAttribute("data-masked", (this.#masked = masked));
  }
}

// Font size in units of a cell's side times the number of characters, by number of characters.
const FILLS = [0, 0, 0, 0, 0, 1.96, 1.86, 1.7];

/** Returns the font style with which a text fits its cell; short texts keep the default. */
export function typeFor({ length }: string) {
  const fill = FILLS[Math.min(length, FILLS.length - 1)] / length;
  return {
    fontSize: fill ? `min(1em, calc(var(--attention-cell) * ${fill}))` : "",
    letterSpacing: length > 5 ? "-0.04em" : "",
  };
}

function framed(cells: Cell[][], heads: HTMLElement[]): Node[] {
  const cols = heads.length - cells.length;
  const head = document.createElement("thead");
  const top = head.insertRow();
  top.insertCell();
  top.append(...heads.slice(0, cols));
  const body = document.createElement("tbody");
  cells.forEach((line, row) => {
    body.insertRow().append(heads[cols + row], ...line.map(({ node }) => node));
  });
  return [head, body];
}

function headCell(scope: "row" | "col", name: string) {
  if (name === "") return document.createElement("td");
  return Object.assign(document.createElement("th"), { scope });
}

/** Renders a canvas and, except for a mask, the focused row as text below it. */
function CanvasMap(props: MapProps) {
  const { figure, label, matrix, scale } = props;
  const [rows, cols] = [matrix.length, matrix[0].length];
  const canvas = useRef<HTMLCanvasElement>(null);
  const row = useSignal(0);
  const read = useMemo(shadeReader, []);
  const theme = figure.theme.value;
  useLayoutEffect(() => {
    const shades = read(canvas.current!, scale.hue, theme);
    if (shades) paint(canvas.current!, shades, props);
  }, [...lookOf(props), theme]);
  const focus = (to: number) => (row.value = Math.max(0, Math.min(rows - 1, to)));
  const at = Math.min(row.value, rows - 1);
  const { lengths, kept } = props;
  const own = { lengths: lengths && [lengths[at]], kept: kept && [kept[at]] };
  return (
    <div data-hue={scale.hue}>
      <div class="map" data-tells={revealsOf(props)}>
        <canvas
          ref={canvas}
          width={cols}
          height={rows}
          style={{ width: side(cols), height: side(rows) }}
          role="img"
          aria-label={label}
          onPointerDown={({ currentTarget, clientY }) => {
            const box = currentTarget.getBoundingClientRect();
            focus(Math.floor(((clientY - box.top) / box.height) * rows));
          }}
        />
        {props.children}
      </div>
      {scale.hue !== "plain" && !props.picture && (
        <div>
          <input
            type="range"
            max={rows - 1}
            value={at}
            aria-label={`${label}[…]`}
            onInput={({ currentTarget }) => focus(Number(currentTarget.value))}
          />
          <div class="line" tabIndex={0} role="group">
            <TextMap {...props} {...own} matrix={[matrix[at]]} first={at} children={null} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The side length of a canvas with this many cells. */
const side = (cells: number) => `${Math.min(16, Math.max(3, cells / 4))}rem`;

/** Packs an opaque colour into 32 bits, little-endian, as canvases store it. */
const pixel = ([red, green, blue]: readonly number[]) =>
  ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

/** Paints one pixel per cell; padding is chequered. Plain loops: a drag paints thousands of cells. */
function paint(canvas: HTMLCanvasElement, colours: Shades, props: MapProps) {
  const { matrix, scale, lengths, kept } = props;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const shades = colours.shades.map(pixel);
  const padding = [shades[SHADES], pixel(colours.hatch)];
  let i = 0;
  for (let row = 0; row < matrix.length; row++) {
    const line = matrix[row];
    const length = lengths ? lengths[row] : line.length;
    const keeps = lengths ? undefined : kept?.[row];
    for (let col = 0; col < line.length; col++) {
      const masked = col >= length || keeps?.[col] === 0;
      pixels[i++] = masked ? padding[(row + col) % 2] : shades[scale.level(line[col]) + SHADES];
    }
  }
  context.putImageData(image, 0, 0);
}
