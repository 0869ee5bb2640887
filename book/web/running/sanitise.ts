// Sanitises the HTML of outputs.

/**
 * Sanitises HTML: no scripts, handlers or forms, nothing from elsewhere, and no classes, since the
 * rules of the site (`overlay`, `search-button__overlay`) could let them cover the page.
 */
export const sanitised = async (html: string) => {
  const { default: sanitize } = await import("sanitize-html");
  const { defaults } = sanitize;
  return sanitize(html, {
    allowedTags: [...defaults.allowedTags, "img", "details", "summary", "del", "ins"],
    allowedAttributes: {
      "*": ["lang", "dir", "title", "style", "role", "aria-label", "scope"],
      a: ["href"],
      img: ["src", "alt", "width", "height"],
      td: ["colspan", "rowspan"],
      th: ["colspan", "rowspan"],
      details: ["open"],
      ol: ["start"],
    },
    exclusiveFilter: ({ tag, attribs }) => tag === "img" && !/^data:/.test(attribs.src ?? ""),
    allowedSchemesByTag: { img: ["data"] },
    allowedStyles: {
      "*": { "text-align": [/^\w+$/], color: [SAFE_COLOUR], "background-color": [SAFE_COLOUR] },
    },
    allowProtocolRelative: false,
  });
};

const SAFE_COLOUR = /^[\w#(),.% ]+$/;
