// Shows Markdown: the tree of markdown.js as nodes.

import { el, fill } from "/page/dom.js";
import { highlight } from "/page/highlight.js";
import { icon } from "/page/icons.js";
import { parseMarkdown } from "/page/markdown.js";
import { mathNode } from "/page/math-view.js";
import { notice } from "/page/notices.js";

/// Shows a text that may grow: blocks that are as they were keep their nodes, so that selections and scroll positions survive.
export class MarkdownView {
  constructor() {
    this.node = el("div", { class: "prose" });
    this.shown = [];
  }

  /// Shows a text. Returns the text of the blocks that have ended since the last call, for who reads along.
  update(text, isEnded) {
    const blocks = parseMarkdown(text);
    const ended = [];
    blocks.forEach((block, index) => {
      const isLast = index === blocks.length - 1;
      const before = this.shown[index];
      if (!before || before.raw !== block.raw) {
        const node = blockNode(block);
        if (before) before.node.replaceWith(node);
        else this.node.append(node);
        this.shown[index] = { raw: block.raw, node, isSaid: before?.isSaid ?? false };
      }
      const entry = this.shown[index];
      if (!entry.isSaid && (!isLast || isEnded)) {
        entry.isSaid = true;
        ended.push(block.type === "code" ? "Code." : entry.node.textContent);
      }
    });
    for (const extra of this.shown.splice(blocks.length)) extra.node.remove();
    return ended;
  }
}

function blockNode(block) {
  switch (block.type) {
  // The first level is the conversation's title.
  case "heading": return el(`h${Math.min(6, block.level + 1)}`, {}, inlineNodes(block.content));
  case "rule": return el("hr");
  case "quote": return el("blockquote", {}, block.blocks.map(blockNode));
  case "code": return codeNode(block);
  case "list": return listNode(block);
  case "table": return tableNode(block);
  case "math": return mathNode(block);
  default: return el("p", {}, inlineNodes(block.content));
  }
}

function listNode(block) {
  const items = block.items.map((item) => {
    const nodes = item.blocks.flatMap((inner) =>
      inner.type === "paragraph" && !block.isLoose ? inlineNodes(inner.content) : [blockNode(inner)]);
    if (item.task === undefined) return el("li", {}, nodes);
    const box = el("input", { type: "checkbox", checked: item.task, disabled: true, "aria-label": item.task ? "done" : "to do" });
    return el("li", { class: "task" }, box, " ", nodes);
  });
  return block.start === undefined ? el("ul", {}, items) : el("ol", { start: block.start === 1 ? undefined : block.start }, items);
}

function tableNode(block) {
  const row = (cells, tag) => el("tr", {}, cells.map((cell, index) =>
    el(tag, { "data-align": block.aligns[index], scope: tag === "th" ? "col" : undefined }, inlineNodes(cell))));
  return el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Table" },
    el("table", {}, el("thead", {}, row(block.head, "th")), el("tbody", {}, block.rows.map((cells) => row(cells, "td")))));
}

function codeNode(block) {
  const name = /^[\w+#.-]{1,24}$/.test(block.language) ? block.language : "";
  const code = el("code", {}, highlight(block.text, name).map(([kind, text]) => (kind ? el("span", { class: `tok-${kind}` }, text) : text)));
  return el("div", { class: "code" },
    el("div", { class: "code-head" }, el("span", {}, name || "text"), copyButton("Copy the code", () => block.text)),
    el("pre", { tabindex: "0", role: "region", "aria-label": name ? `Code, ${name}` : "Code" }, code));
}

/// A button that copies a text and says so.
export function copyButton(label, text) {
  const button = el("button", { type: "button", class: "icon-button small", "aria-label": label, title: label }, icon("copy"));
  button.addEventListener("click", async () => {
    if (!navigator.clipboard) {
      notice("Browsers let pages copy only over https, or on the server's own machine.");
      return;
    }
    await navigator.clipboard.writeText(text());
    fill(button, icon("check"));
    button.setAttribute("aria-label", "Copied");
    setTimeout(() => {
      fill(button, icon("copy"));
      button.setAttribute("aria-label", label);
    }, 1500);
  });
  return button;
}

function inlineNodes(pieces) {
  return pieces.map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    switch (piece.type) {
    case "break": return el("br");
    case "code": return el("code", {}, piece.text);
    case "strong": return el("strong", {}, inlineNodes(piece.content));
    case "emphasis": return el("em", {}, inlineNodes(piece.content));
    case "math": return mathNode(piece);
    case "deleted": return el("del", {}, inlineNodes(piece.content));
    default:
      return el("a", { href: piece.href, target: "_blank", rel: "noopener noreferrer nofollow" }, inlineNodes(piece.content));
    }
  });
}
