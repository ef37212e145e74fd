// The files of a message that was sent.

import { el } from "/page/dom.js";
import { icon } from "/page/icons.js";

/// A file of each kind, with a button that takes it out of the message.
export function attachedNodes(node, takeOut) {
  const files = (node.files ?? []).map((file) => el("div", { class: "attached-file", "data-kind": file.kind }, shown(file), el("button", {
    type: "button", class: "icon-button small", "aria-label": `Take out ${file.name}`, title: "Remove it from the conversation: the model no longer sees it",
    on: { click: () => takeOut(file) },
  }, icon("close"))));
  const gone = (node.takenOut ?? []).map((name) => el("p", { class: "note taken-out" }, `“${name}” was taken out.`));
  return [...files, ...gone];
}

function shown(file) {
  if (file.kind === "picture" && file.data) return el("img", { src: file.data, alt: file.name, class: "attached" });
  if (file.kind !== "text") return el("p", { class: "attached" }, icon(file.kind === "picture" ? "picture" : "wave"), file.name);
  return el("details", { class: "fold attached" },
    el("summary", {}, icon("file"), el("span", {}, file.name, file.note ? el("span", { class: "note" }, ` ${file.note}`) : null), icon("down")),
    el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": file.name }, file.text));
}
