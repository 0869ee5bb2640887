// @ts-check
// MathJax is told where the formulas are, so that they stand without delimiters where it is missing.
"use strict";

{
  /** @param {any} list what MathJax is about to typeset */
  const find = (list) => {
    for (const part of list.options.elements ?? [document.body]) {
      for (const box of [part, ...part.querySelectorAll(".math")]) {
        // An equation's number stands beside its source.
        const source = [...box.childNodes].find(
          (node) => node instanceof Text && /\S/.test(node.data),
        );
        if (!box.matches(".math") || !source) continue;
        const formula = new list.options.MathItem(
          source.data,
          list.inputJax[0],
          box.localName === "div",
        );
        formula.start = { node: source, n: 0, delim: "" };
        formula.end = { node: source, n: source.data.length, delim: "" };
        list.math.push(formula);
      }
    }
  };

  // With another font in their place for a moment, formulas would be wider and lines break twice.
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const fonts = Object.entries({ MJXTEX: "Main-Regular", "MJXTEX-I": "Math-Italic" }).map(
    async ([family, file]) => {
      const address = new URL(`output/chtml/fonts/woff-v2/MathJax_${file}.woff`, src);
      document.fonts.add(await new FontFace(family, `url("${address}")`).load());
    },
  );
  const late = new Promise((resolve) => setTimeout(resolve, 2000));
  const pageReady = async () => {
    // A link into the page must have led there, or what comes above its place moves it.
    const arrived = new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(resolve)),
    );
    await Promise.race([Promise.allSettled([...fonts, arrived]), late]);
    // @ts-ignore: MathJax, by then
    return MathJax.startup.defaultPageReady();
  };

  const options = { renderActions: { find: [10, find, ""] } };
  Object.assign(window, { MathJax: { options, startup: { pageReady } } });
}
