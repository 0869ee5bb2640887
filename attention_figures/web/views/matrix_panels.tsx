// Renders editable matrices that belong to no example, such as a score's parameters.
import type { Figure } from "../core/figure.ts";
import type { Matrix } from "../maths/tensor.ts";
import { NumberGrid } from "./number_grid.tsx";
import { Panel } from "./panel.tsx";
import { plainScale } from "./scale.tsx";

export const MatrixPanels = ({ figure, traits }: { figure: Figure; traits: readonly string[] }) => (
  <div class="tensors">
    {traits.map((trait) => {
      const matrix: Matrix = figure.at[trait];
      return (
        <Panel key={trait} name={trait}>
          <NumberGrid
            figure={figure}
            label={trait}
            matrix={matrix}
            scale={plainScale}
            name={(row, col) => `${trait}[${row}][${col}]`}
            change={(row, col, x) =>
              figure.set({ [trait]: matrix.with(row, matrix[row].with(col, x)) })
            }
          />
        </Panel>
      );
    })}
  </div>
);
