// Reads Markdown: text to a tree of plain values. Knows nothing of the document.
//
// HTML stays text, pictures become links, and addresses that are not http, https or mailto are left out.

const maxDepth = 12;

// MARK: Blocks

// No pattern may read a stretch of text twice: a line can be long, and it is read anew with each piece that arrives.
const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const heading = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*)|)$/;
const mathStart = /^ {0,3}(?:\$\$|\\\[)/;
const isDelimiterRow = (line) => line.length < 2000 && line.includes("-") && cells(line).every((cell) => /^:?-+:?$/.test(cell));

/// The blocks of a text. Each top-level block has its source as `raw`, so that what did not change can be kept.
export function parseMarkdown(text) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

function blocks(lines, depth) {
  const result = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].trim() === "") { at += 1; continue; }
    const start = at;
    const block = next();
    block.raw = lines.slice(start, at).join("\n");
    result.push(block);
  }
  return result;

  function next() {
    const line = lines[at];
    const fenced = fence.exec(line);
    if (fenced) return code(fenced);
    const head = heading.exec(line);
    if (head) { at += 1; return { type: "heading", level: head[1].length, content: inline(headingText(head[2] ?? "")) }; }
    if (rule.test(line)) { at += 1; return { type: "rule" }; }
    if (depth < maxDepth && /^ {0,3}>/.test(line)) return quote();
    if (depth < maxDepth && startsList(at)) return list();
    if (isTable(at)) return table();
    return (mathStart.test(line) && math()) || paragraph();
  }

  /// Whether a list begins: a mark with nothing behind it does only where there is more of one. “42.” is an answer.
  function startsList(place) {
    const found = item.exec(lines[place]);
    if (!found) return false;
    if (found[4]) return true;
    const follows = item.exec(lines[place + 1] ?? "");
    return (follows !== null && follows[2].at(-1) === found[2].at(-1)) || /^(?: {2,}|\t)\S/.test(lines[place + 1] ?? "");
  }

  function isTable(place) {
    return lines[place].includes("|") && place + 1 < lines.length && isDelimiterRow(lines[place + 1])
      && cells(lines[place]).length === cells(lines[place + 1]).length;
  }

  /// A formula on lines of its own; undefined where it does not end.
  function math() {
    const mark = lines[at].trimStart().slice(0, 2);
    const close = mark === "$$" ? "$$" : "\\]";
    const first = lines[at].indexOf(mark) + 2;
    const body = [];
    for (let place = at; place < Math.min(lines.length, at + 100); place += 1) {
      const from = place === at ? first : 0;
      const end = lines[place].indexOf(close, from);
      if (end < 0) { body.push(lines[place].slice(from)); continue; }
      // What stands behind it makes it a part of a sentence.
      if (!/^[\s.,;:]*$/.test(lines[place].slice(end + 2))) return undefined;
      body.push(lines[place].slice(from, end));
      const text = body.join("\n");
      if (!text.trim() || (mark !== "$$" && !looksLikeMath(text))) return undefined;
      const source = lines.slice(at, place + 1).join("\n");
      at = place + 1;
      return { type: "math", text, source, isBlock: true };
    }
    return undefined;
  }

  function code(opening) {
    const [, mark, info] = opening;
    const indent = /^ */.exec(lines[at])[0].length;
    const body = [];
    let isClosed = false;
    for (at += 1; at < lines.length; at += 1) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lines[at]);
      if (closing && closing[1][0] === mark[0] && closing[1].length >= mark.length) {
        isClosed = true;
        at += 1;
        break;
      }
      body.push(lines[at].replace(new RegExp(`^ {0,${indent}}`), ""));
    }
    return { type: "code", language: info.trim().split(/\s+/)[0].toLowerCase(), text: body.join("\n"), isClosed };
  }

  function quote() {
    const inner = [];
    while (at < lines.length && lines[at].trim() !== "") {
      if (!/^ {0,3}>/.test(lines[at]) && startsBlock(lines[at])) break;
      inner.push(lines[at].replace(/^ {0,3}> ?/, ""));
      at += 1;
    }
    return { type: "quote", blocks: blocks(inner, depth + 1) };
  }

  function list() {
    const [, , firstMark] = item.exec(lines[at]);
    const isOrdered = /\d/.test(firstMark);
    const kind = firstMark.at(-1);
    const items = [];
    let isLoose = false;
    let isSpaced = false;
    while (at < lines.length) {
      const found = item.exec(lines[at]);
      if (!found || rule.test(lines[at]) || found[2].at(-1) !== kind || /\d/.test(found[2]) !== isOrdered) break;
      const gap = found[3] ?? " ";
      const indent = found[1].length + found[2].length + (gap.length > 4 ? 1 : gap.length);
      const inner = [gap.length > 4 ? gap.slice(1) + found[4] : found[4] ?? ""];
      let isBlank = inner[0] === "";
      for (at += 1; at < lines.length; at += 1) {
        const line = lines[at];
        if (line.trim() === "") { inner.push(""); isBlank = true; continue; }
        const own = /^ */.exec(line.replace(/\t/g, "    "))[0].length;
        if (own >= indent) inner.push(line.replace(/\t/g, "    ").slice(indent));
        else if (!isBlank && !startsBlock(line) && !item.test(line)) inner.push(line.trimStart());
        // Models indent by two where the mark asks for three.
        else if (own >= 2 && item.test(line.trimStart())) inner.push(line.trimStart());
        else break;
        isBlank = false;
      }
      isLoose ||= isSpaced;
      isSpaced = inner.at(-1) === "" && inner.length > 1;
      while (inner.length > 1 && inner.at(-1) === "") inner.pop();
      const task = /^\[([ xX])\](?:[ \t]+|$)/.exec(inner[0]);
      if (task) inner[0] = inner[0].slice(task[0].length);
      items.push({ task: task ? task[1] !== " " : undefined, blocks: blocks(inner, depth + 1) });
    }
    return { type: "list", start: isOrdered ? parseInt(firstMark, 10) : undefined, items, isLoose };
  }

  function table() {
    const head = cells(lines[at]).map(inline);
    const aligns = cells(lines[at + 1]).map((cell) =>
      cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : cell.startsWith(":") ? "left" : undefined);
    const rows = [];
    for (at += 2; at < lines.length && lines[at].trim() !== "" && lines[at].includes("|"); at += 1) {
      const row = cells(lines[at]).slice(0, head.length).map(inline);
      while (row.length < head.length) row.push([]);
      rows.push(row);
    }
    return { type: "table", head, aligns, rows };
  }

  function paragraph() {
    const inner = [lines[at].trimStart()];
    for (at += 1; at < lines.length && lines[at].trim() !== "" && !startsBlock(lines[at]) && !isTable(at); at += 1) inner.push(lines[at].trimStart());
    return { type: "paragraph", content: inline(inner.join("\n").trimEnd()) };
  }
}

/// Whether a line ends a paragraph before it; a list that interrupts one begins with 1.
function startsBlock(line) {
  if (fence.test(line) || heading.test(line) || rule.test(line) || mathStart.test(line) || /^ {0,3}>/.test(line)) return true;
  const found = item.exec(line);
  return found !== null && found[4] !== undefined && found[4] !== "" && (!/\d/.test(found[2]) || parseInt(found[2], 10) === 1);
}

/// A heading's text without the marks that may end it.
function headingText(text) {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end -= 1;
  return end === 0 || isSpace(trimmed[end - 1]) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

function cells(line) {
  const result = [];
  let cell = "";
  const text = line.trim().replace(/^\|/, "");
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\" && text[at + 1] === "|") { cell += "|"; at += 1; }
    else if (text[at] === "|") { result.push(cell.trim()); cell = ""; }
    else cell += text[at];
  }
  if (cell.trim() !== "") result.push(cell.trim());
  return result;
}

// MARK: Inside of blocks

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const isSpace = (character) => character === undefined || /\s/.test(character);
const isWord = (character) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/// Pieces of a line: texts, and objects of a kind.
export function inline(text, depth = 0) {
  const result = [];
  let plain = "";
  // Marks that have no end behind a place have none behind a later one.
  const endless = new Set();
  let at = 0;
  const flush = () => { if (plain) { result.push(plain); plain = ""; } };
  const push = (piece, end) => { flush(); result.push(piece); at = end; };

  while (at < text.length) {
    const character = text[at];
    const formula = character === "$" || (character === "\\" && (text[at + 1] === "(" || text[at + 1] === "[")) ? mathAt(text, at, endless) : undefined;
    if (formula) {
      push({ type: "math", text: formula.text, source: text.slice(at, formula.end), isBlock: false }, formula.end);
    } else if (character === "\\" && at + 1 < text.length) {
      if (text[at + 1] === "\n") push({ type: "break" }, at + 2);
      else if (/[!-/:-@[-`{-~]/.test(text[at + 1])) { plain += text[at + 1]; at += 2; } else { plain += character; at += 1; }
    } else if (character === "\n") {
      plain = plain.trimEnd();
      push({ type: "break" }, at + 1);
    } else if (character === "`") {
      const mark = /^`+/.exec(text.slice(at, at + 64))[0];
      const end = endless.has(mark) ? -1 : closingTicks(text, at + mark.length, mark.length);
      if (end < 0) { endless.add(mark); plain += mark; at += mark.length; continue; }
      let code = text.slice(at + mark.length, end).replace(/\n/g, " ");
      if (/^ .*[^ ].* $/.test(code)) code = code.slice(1, -1);
      push({ type: "code", text: code }, end + mark.length);
    } else if ((character === "*" || character === "_" || character === "~") && depth < maxDepth) {
      const found = emphasis(text, at, endless);
      if (found) push({ type: found.type, content: inline(found.inner, depth + 1) }, found.end);
      else {
        const run = new RegExp(`^\\${character}+`).exec(text.slice(at, at + 64))[0];
        plain += run;
        at += run.length;
      }
    } else if (character === "[" || (character === "!" && text[at + 1] === "[")) {
      const found = depth < maxDepth ? link(text, character === "!" ? at + 1 : at) : undefined;
      if (!found) { plain += character; at += 1; continue; }
      const href = safeAddress(found.address);
      const content = inline(found.label || (character === "!" ? "picture" : found.address), depth + 1);
      if (href) push({ type: "link", href, content }, found.end);
      else { flush(); result.push(...content); at = found.end; }
    } else if (character === "<") {
      const found = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/i.exec(text.slice(at, at + 2048));
      const href = found && safeAddress(found[1]);
      if (href) push({ type: "link", href, content: [found[1]] }, at + found[0].length);
      else { plain += character; at += 1; }
    } else if (character === "h" && !isWord(text[at - 1]) && /^https?:\/\/[^\s<>]/.test(text.slice(at, at + 9))) {
      let address = /^[^\s<>"”’`]+/.exec(text.slice(at, at + 2048))[0].replace(/[.,:;!?*_~'|]+$/, "");
      while (address.endsWith(")") && count(address, ")") > count(address, "(")) address = address.slice(0, -1);
      const href = safeAddress(address);
      if (href) push({ type: "link", href, content: [address] }, at + address.length);
      else { plain += character; at += 1; }
    } else if (character === "&") {
      const found = /^&([a-z]{2,4}|#\d{1,7});/.exec(text.slice(at, at + 10));
      const decoded = found && (found[1][0] === "#" ? codePoint(Number(found[1].slice(1))) : entities[found[1]]);
      plain += decoded ?? character;
      at += decoded ? found[0].length : 1;
    } else {
      plain += character;
      at += 1;
    }
  }
  flush();
  return result;
}

function codePoint(number) {
  return number > 31 && number <= 0x10ffff && !(number >= 0xd800 && number < 0xe000) ? String.fromCodePoint(number) : undefined;
}

const count = (text, character) => text.split(character).length - 1;

function closingTicks(text, from, length) {
  for (let at = text.indexOf("`", from); at >= 0;) {
    let end = at;
    while (text[end] === "`") end += 1;
    if (end - at === length) return at;
    at = text.indexOf("`", end);
  }
  return -1;
}

/// Whether a text that could be one in brackets is a formula.
const looksLikeMath = (text) => /[\\^_=+<>{}]|\d\s*[-*/]\s*\d|^\s+\S.*\s$/.test(text);

/// Characters of a formula within a line.
const maxMath = 1000;

/// A formula that begins at a place: `\(a\)`, `\[a\]`, `$$a$$`, `$a$`.
function mathAt(text, at, endless) {
  const open = text[at] === "$" && text[at + 1] !== "$" ? "$" : text.slice(at, at + 2);
  const close = { "\\(": "\\)", "\\[": "\\]", $$: "$$", $: "$" }[open];
  if (endless.has(`math ${close}`)) return undefined;
  const from = at + open.length;
  // An amount of money is none: a space behind the first mark, or a digit behind the last.
  if (open === "$" && (isSpace(text[from]) || text[at - 1] === "$" || text[at - 1] === "\\" || isWord(text[at - 1]))) return undefined;
  const end = text.indexOf(close, from);
  if (end < 0) { endless.add(`math ${close}`); return undefined; }
  const inner = text.slice(from, end);
  if (inner.length > maxMath || !inner.trim() || inner.includes("\n\n")) return undefined;
  if (open === "$" && (isSpace(text[end - 1]) || /[\d$]/.test(text[end + 1] ?? "") || inner.includes("`") || !(looksLikeMath(inner) || /^[A-Za-z](?:[A-Za-z0-9]|\([^()]*\))?$/.test(inner) || /^-?\d+(?:\.\d+)?$/.test(inner)))) return undefined;
  if (open === "\\[" && (!looksLikeMath(inner) || text[end + 2] === "(")) return undefined;
  return { text: inner, end: end + close.length };
}

/// Emphasis that begins at a place: `*a*`, `_a_`, `**a**`, `__a__`, `***a***`, `~~a~~`.
function emphasis(text, at, endless) {
  const character = text[at];
  let run = 1;
  while (text[at + run] === character) run += 1;
  if (isSpace(text[at + run]) || (character === "_" && isWord(text[at - 1]))) return undefined;
  if (character === "~" && run !== 2) return undefined;
  if (run > 3) return undefined;
  const mark = character.repeat(run);
  if (endless.has(mark)) return undefined;
  for (let end = text.indexOf(mark, at + run + 1); end >= 0; end = text.indexOf(mark, end)) {
    let length = 0;
    while (text[end + length] === character) length += 1;
    const closes = !isSpace(text[end - 1]) && text[end - 1] !== "\\" && (character !== "_" || !isWord(text[end + length]));
    // A longer run ends what is inside first: **a *b***
    if (closes && (length === run || length === 3 || (run === 1 && length > 3))) {
      const stop = end + length - run;
      const inner = text.slice(at + run, stop);
      if (run === 3) return { type: "strong", inner: character + inner + character, end: stop + run };
      return { type: character === "~" ? "deleted" : run === 2 ? "strong" : "emphasis", inner, end: stop + run };
    }
    end += length;
  }
  endless.add(mark);
  return undefined;
}

/// `[label](address "title")` that begins at a bracket.
function link(text, at) {
  const limit = Math.min(text.length, at + 2000);
  let level = 0;
  let close = -1;
  for (let place = at; place < limit; place += 1) {
    if (text[place] === "\\") place += 1;
    else if (text[place] === "[") level += 1;
    else if (text[place] === "]") {
      level -= 1;
      if (level === 0) { close = place; break; }
    }
  }
  if (close < 0 || text[close + 1] !== "(") return undefined;
  const rest = text.slice(close + 2, close + 4096);
  const found = /^[ \n]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:[ \n]+(?:"[^"]*"|'[^']*'))?[ \n]*\)/.exec(rest);
  if (!found) return undefined;
  return { label: text.slice(at + 1, close), address: found[1] ?? found[2], end: close + 2 + found[0].length };
}

/// The address as it is put into a link, or undefined for one that may do more than open a page.
function safeAddress(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/// A text in a fence that it cannot end.
export function fenced(text, language) {
  const longest = (text.match(/`+/g) ?? []).reduce((most, found) => Math.max(most, found.length), 0);
  const mark = "`".repeat(Math.max(3, longest + 1));
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`;
}
