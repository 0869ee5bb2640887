// Fills in the report of a mistake: the reader's section and a figure's state.

const report = document.querySelector<HTMLDetailsElement>(".report")!;
const text = report.querySelector("textarea")!;
const places = report.querySelector("select")!;
const link = report.querySelector("a");
const copy = report.querySelector("button")!;
const status = report.querySelector<HTMLElement>("[role=status]")!;
const article = document.querySelector("article, .bd-search-container")!;
const [first = ""] = text.value.split("\n");
const LONGEST = 4000; // characters of a state; hosts refuse URLs of more than 8000

/** Where the reader last interacted: at the footer, the scroll position says nothing. */
let place: Element | null = null;
for (const event of ["pointerdown", "keydown", "input"]) {
  article.addEventListener(event, ({ target }) => (place = target as Element), true);
}

const headingOf = (section: Element) => {
  const heading = section.querySelector("h1, h2, h3, h4")!.cloneNode(true) as Element;
  for (const part of heading.querySelectorAll(".headerlink, .katex-mathml")) part.remove();
  return heading.textContent!.trim();
};

/** The URL hash with a figure's state; the figure fills in the detail of the event. */
const stateOf = (figure: HTMLElement) => {
  const detail = { hash: `#${figure.id}` };
  figure.dispatchEvent(new CustomEvent("attention:address", { detail }));
  return detail.hash.length > LONGEST ? `#${figure.id}` : detail.hash;
};

/** Rewrites the lines above the reader's own text, which is kept. */
const write = () => {
  const { section, figureState } = report.dataset;
  const chosen = places.selectedOptions[0]!;
  const figure = place?.closest<HTMLElement>("[data-figure]");
  const end = text.value.indexOf("\n\n");
  const own = end < 0 ? `\n\n${text.value}` : text.value.slice(end);
  const lines = [
    first,
    places.value && section!.replace("{}", `${chosen.text} (#${places.value})`),
    figure && figureState!.replace("{}", stateOf(figure)),
  ];
  text.value = lines.filter(Boolean).join("\n") + own;
};

for (const section of article.querySelectorAll("section[id] section[id]")) {
  places.add(new Option(headingOf(section), section.id));
}
places.parentElement!.hidden = copy.hidden = false;
report.addEventListener("toggle", () => {
  places.value = place?.closest("section[id] section[id]")?.id ?? "";
  status.textContent = "";
  if (report.open) write();
});
places.addEventListener("change", write);
article.addEventListener("click", ({ target }) => {
  if ((target as Element).closest("a[href='#report']")) report.open = true; // a link below a figure
});

link?.addEventListener("click", () => {
  const url = new URL(link.href);
  url.searchParams.set(link.dataset.text!, text.value);
  link.href = url.href;
});
copy.addEventListener("click", async () => {
  text.select();
  const copied = await navigator.clipboard?.writeText(text.value).then(
    () => true,
    () => false, // permission denied
  );
  status.textContent = (copied ? status.dataset.copied : status.dataset.byHand) ?? "";
});
