// Prints the rules of style sheets that the pages of a site can use, minified: `node purge.mjs SITE SHEET …`
//
// The sheets are those of the theme and the extensions, in cascade order, relative to SITE. PurgeCSS keeps a
// selector if each of its tags, classes, ids and attributes is on some page or made by some script, and a
// variable if anything uses it.
import { PurgeCSS } from "purgecss";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";

// What scripts add that inScript() does not find: classes in variables of the theme's scripts, and classes and
// elements in the output of code that a reader runs.
const ADDED = `
  <div class="bs-tooltip-auto dropdown-menu-dark fade noprint show tooltip tooltip-arrow tooltip-inner">
  <div class="stderr traceback">
  <abbr><address><blockquote><del><dl><figure><h1><h2><h3><h4><h5><h6><hr><ins><mark><small><sub><sup>
`;
// Classes of components that the theme's scripts know and no page has.
const ABSENT = /^(drop(end|start|up)|modal|offcanvas|popover|thebe)/;
// Attributes that scripts set.
const DYNAMIC = [
  "aria-expanded",
  "data-mode",
  "data-popper-placement",
  "data-theme",
  "disabled",
  "hidden",
];

const all = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);
const words = (values) => values.flatMap((value) => value.split(/\s+/));

/** Returns the names in a page, also in <noscript> and in scripts that write markup. */
const inMarkup = (text) => ({
  tags: all(text, /<([a-z]\w*)/g),
  classes: words(all(text, / class="([^"]*)"/g)),
  ids: all(text, / id="([^"]*)"/g),
  attributes: { names: all(text, / ([a-z][\w-]*)(?=[= />])/g), values: all(text, /="([^"]*)"/g) },
});

/** Returns the names that a bundled script uses: `e("b", { class: "c" })`, `classList.add("c")`, and so on. */
const inScript = (text) => ({
  tags: all(text, /(?:\(["'`]|<)([a-z]\w*)/g),
  classes: words(all(text, /class(?:Name|List\.\w+)?[(:=]+\\?["'`]([^"'`\\]*)/g)),
  attributes: {
    names: all(text, /([a-z][\w-]*)"?[:=]/g),
    values: all(text, /[:=]["'`]([^"'`]*)/g),
  },
});

const [site, ...sheets] = process.argv.slice(2);
const read = (name) => readFile(join(site, name), "utf8");
const files = (await readdir(site, { recursive: true })).filter((name) => !sheets.includes(name));
const texts = (pattern) => Promise.all(files.filter((name) => pattern.test(name)).map(read));
const pages = await texts(/\.html$/);
const scripts = await texts(/^_static\W.*\.js$/); // the others are written later
const styles = await texts(/\.css$/);
const uses = [...pages, ...scripts, ...styles].flatMap(
  (text) => text.match(/--[a-z][\w-]*/g) ?? [],
);

const [{ css }] = await new PurgeCSS().purge({
  blocklist: [ABSENT],
  content: [
    ...[...pages, ADDED].map((raw) => ({ raw, extension: "html" })),
    ...scripts.map((raw) => ({ raw, extension: "js" })),
  ],
  css: [{ raw: (await Promise.all(sheets.map(read))).join("\n") }],
  dynamicAttributes: DYNAMIC,
  extractors: [
    { extensions: ["html"], extractor: inMarkup },
    { extensions: ["js"], extractor: inScript },
  ],
  fontFace: true,
  keyframes: true,
  // A pseudo-class alone, such as :focus-visible, is kept (FullHuman/purgecss#1282).
  safelist: { standard: [/^:/], variables: [...new Set(uses)] },
  variables: true,
});
const { code } = await transform(css, { legalComments: "none", loader: "css", minify: true });
process.stdout.write(code);
