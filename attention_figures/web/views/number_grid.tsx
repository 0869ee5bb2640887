// Renders an editable heatmap: numbers can be typed, stepped with the arrow keys and dragged sideways.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { NumberField } from "../controls/number.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { SHADES, shadeReader } from "../core/palette.ts";
import { transpose, type Matrix, type Tensor } from "../maths/tensor.ts";
import { typeFor } from "./heatmap.tsx";
import { Panel } from "./panel.tsx";
import type { Scale } from "./scale.tsx";

interface GridProps {
  figure: Figure;
  label: string;
  matrix: Matrix;
  scale: Scale;
  heads?: readonly string[];
  sides?: readonly string[];
  /** The step of arrow keys and dragging. */
  step?: number;
  name: (row: number, col: number) => string;
  change: (row: number, col: number, value: number) => void;
}

export function NumberGrid({
  figure,
  label,
  matrix,
  scale,
  heads,
  sides,
  step,
  name,
  change,
}: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  const painted = useRef<string[]>([]); // the styles already set, to skip equal ones
  const read = useMemo(shadeReader, []);
  const theme = figure.theme.value;
  useLayoutEffect(() => {
    const shades = read(table.current!, scale.hue, theme);
    if (!shades) return;
    const cells = table.current!.querySelectorAll<HTMLElement>("tbody td");
    matrix.flat().forEach((x, i) => {
      const level = scale.level(x) + SHADES;
      const [behind, text] = [`rgb(${shades.shades[level]})`, `rgb(${shades.text[level]})`];
      if (painted.current[i] === behind + text) return;
      painted.current[i] = behind + text;
      Object.assign(cells[i].style, { backgroundColor: behind, color: text });
    });
  });
  return (
    <div class="map">
      <table aria-label={label} data-hue={scale.hue} ref={table}>
        <thead>
          <tr>
            <td />
            {matrix[0].map((_, col) => (
              <Head scope="col" text={heads?.[col] ?? String(col)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.map((line, row) => (
            <tr>
              <Head scope="row" text={sides?.[row] ?? String(row)} />
              {line.map((x, col) => (
                <td class="typed">
                  <NumberField
                    figure={figure}
                    name={name(row, col)}
                    value={x}
                    step={step}
                    type={typeFor(formatNumber(x))}
                    change={(value) => change(row, col, value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Head = ({ scope, text }: { scope: "row" | "col"; text: string }) =>
  text === "" ? <td /> : <th scope={scope}>{text}</th>;

/**
 * Renders an editable trait's matrix of one example, optionally transposed. It is labelled as `named`,
 * by default as its trait, and the trait keys_ as "keys".
 */
export function EditablePanel(props: {
  figure: Figure;
  trait: string;
  b: number;
  scale: Scale;
  transposed?: boolean;
  heads?: readonly string[];
  sides?: readonly string[];
  named?: string;
}) {
  const { figure, trait, b, scale, transposed, heads, sides } = props;
  const tensor: Tensor = figure.at[trait];
  const own = trait.replace(/_$/, "");
  const name = `${own}[${b}]`;
  const label = `${props.named ?? own}[${b}]${transposed ? ".T" : ""}`;
  const place = (row: number, col: number) => (transposed ? [col, row] : [row, col]);
  // Fields are memoised by their numbers: there may be thousands.
  const same = [tensor, b, scale.hue, scale.top, label, String(heads), String(sides)];
  return useMemo(
    () => (
      <Panel name={label}>
        <NumberGrid
          figure={figure}
          label={label}
          matrix={transposed ? transpose(tensor[b]) : tensor[b]}
          scale={scale}
          heads={heads}
          sides={sides}
          name={(row, col) => `${name}[${place(row, col).join("][")}]`}
          change={(row, col, x) => {
            const [i, j] = place(row, col);
            figure.set({ [trait]: withNumber(tensor, b, i, j, x) });
          }}
        />
      </Panel>
    ),
    same,
  );
}

/** Returns a copy with one number changed, sharing the other rows. */
export const withNumber = (tensor: Tensor, b: number, i: number, j: number, x: number): Tensor =>
  withRow(tensor, b, i, tensor[b][i].with(j, x));

/** Returns a copy with one row changed, sharing the others. */
export const withRow = (tensor: Tensor, b: number, i: number, row: number[]): Tensor =>
  tensor.with(b, tensor[b].with(i, row));
