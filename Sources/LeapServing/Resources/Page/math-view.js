// Shows formulas: the tree of math.js as MathML, which browsers draw and read out.

import { el } from "/page/dom.js";
import { parseMath } from "/page/math.js";

const space = "http://www.w3.org/1998/Math/MathML";

function node([tag, attributes, ...children]) {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) made.append(typeof child === "string" ? child : node(child));
  return made;
}

/// A formula within a line, or one that stands by itself. What cannot be read stays as it was written.
export function mathNode({ text, source, isBlock }) {
  const tree = parseMath(text);
  if (!tree) return isBlock ? el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": "Formula" }, source) : el("code", {}, source);
  const math = node(["math", { display: isBlock ? "block" : "inline", alttext: text.trim() }, tree]);
  return isBlock ? el("div", { class: "scrolls math-block", tabindex: "0", role: "region", "aria-label": "Formula" }, math) : math;
}
