// Fetches the code of hidden cells from the page's notebook.

interface NotebookFile {
  cells: { id: string; source: string | string[] }[];
}

/** Code by cell name; empty if the page hides none. */
export const hiddenCode = async (): Promise<Map<string, string>> => {
  const notebook = document.querySelector<HTMLElement>("[data-notebook]")?.dataset.notebook;
  if (!notebook) return new Map();
  const root = document.documentElement.dataset.content_root ?? "";
  const response = await fetch(new URL(root + notebook, location.href));
  if (!response.ok) throw new Error(`no notebook at ${response.url}`);
  const { cells } = (await response.json()) as NotebookFile;
  return new Map(cells.map(({ id, source }) => [id, [source].flat().join("")]));
};
