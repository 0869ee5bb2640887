// The code of cells that the page does not show: it stands in the page's notebook.

interface NotebookFile {
  cells: { id: string; source: string | string[] }[];
}

/** By the names of the cells; empty if the page shows them all. */
export const unseenCode = async (): Promise<Map<string, string>> => {
  const notebook = document.querySelector<HTMLElement>("[data-notebook]")?.dataset.notebook;
  if (!notebook) return new Map();
  const root = document.documentElement.dataset.content_root ?? "";
  const response = await fetch(new URL(root + notebook, location.href));
  if (!response.ok) throw new Error(`no notebook at ${response.url}`);
  const { cells } = (await response.json()) as NotebookFile;
  return new Map(cells.map(({ id, source }) => [id, [source].flat().join("")]));
};
