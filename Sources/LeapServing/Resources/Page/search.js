// Finds conversations by their words.

import { path } from "/page/tree.js";

/// Characters around what was found.
const before = 24;
const length = 90;

/// A text without case and accents, and where each of its characters stood.
function folded(text) {
  let plain = "";
  const places = [];
  let at = 0;
  for (const letter of text) {
    const found = letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    plain += found;
    for (let count = 0; count < found.length; count += 1) places.push(at);
    at += letter.length;
  }
  return { plain, places };
}

/// What conversations say does not change often; what was folded is kept with the text.
const known = new WeakMap();

function plainTexts(conversation) {
  const nodes = Object.values(conversation.nodes);
  const size = nodes.reduce((sum, node) => sum + node.content.length + (node.reasoning?.length ?? 0), nodes.length);
  const kept = known.get(conversation);
  if (kept?.size === size && kept.title === conversation.title) return kept;
  const shown = new Set(path(conversation));
  const texts = nodes.filter((node) => node.role !== "tool" && (node.content || node.files)).sort((a, b) => shown.has(b) - shown.has(a))
    .map((node) => ({ node, plain: folded([node.content, ...(node.files ?? []).map((file) => `${file.name}\n${file.text ?? ""}`)].join("\n")).plain }));
  const found = { size, title: conversation.title, plainTitle: folded(conversation.title).plain, texts };
  known.set(conversation, found);
  return found;
}

/// The words of what is looked for.
export const searchWords = (text) => folded(text).plain.split(/\s+/).filter(Boolean);

/// Where a conversation has all of some words; null where it has not.
///
/// `node` is the message in which the first one is that the title has not, `snippet` what stands around it; both null where the title has all.
export function find(conversation, words) {
  const { plainTitle, texts } = plainTexts(conversation);
  if (!words.every((word) => plainTitle.includes(word) || texts.some(({ plain }) => plain.includes(word)))) return null;
  const missing = words.filter((word) => !plainTitle.includes(word));
  if (missing.length === 0) return { node: null, snippet: null };
  // The message with the most of them, the shown ones first.
  const count = (plain) => missing.filter((word) => plain.includes(word)).length;
  const { node } = texts.reduce((best, text) => (count(text.plain) > count(best.plain) ? text : best));
  return { node, snippet: snippet(snippetText(node, missing), missing) };
}

/// Of the words of a message, and those of its files, those in which one is.
function snippetText(node, words) {
  const texts = [node.content, ...(node.files ?? []).flatMap((file) => [file.name, file.text ?? ""])].filter(Boolean);
  return texts.find((text) => words.some((word) => folded(text).plain.includes(word))) ?? texts[0] ?? "";
}

/// What stands around the first of some words: `[text, isFound]` each.
function snippet(text, words) {
  const { plain, places } = folded(text);
  const first = Math.max(0, Math.min(...words.map((word) => plain.indexOf(word)).filter((at) => at >= 0), plain.length));
  const start = Math.max(0, first - before);
  const end = Math.min(plain.length, start + length);
  const marks = [];
  for (let at = start; at < end;) {
    const word = words.filter((other) => plain.startsWith(other, at)).sort((a, b) => b.length - a.length)[0];
    const next = at + (word?.length ?? 1);
    const piece = text.slice(places[at], places[next] ?? text.length);
    if (marks.length && marks.at(-1)[1] === Boolean(word)) marks.at(-1)[0] += piece;
    else marks.push([piece, Boolean(word)]);
    at = next;
  }
  if (start > 0) marks.unshift(["…", false]);
  if (end < plain.length) marks.push(["…", false]);
  return marks.map(([piece, isFound]) => [piece.replace(/\s+/g, " "), isFound]);
}
