// Reads JSON that has not ended yet.

const maxDepth = 64;

/// What a beginning of a document says so far.
///
/// `open` is the path of the text or number that is still being written, as an array; null where none is. Values whose beginning does not
/// say what they are (`tr`) are undefined.
export function parsePartial(text) {
  let at = 0;
  let open = null;
  let isWhole = true;

  const cut = () => { isWhole = false; };
  const space = () => { while (at < text.length && " \t\n\r".includes(text[at])) at += 1; };

  function string(path) {
    at += 1;
    let result = "";
    while (at < text.length) {
      const next = text[at];
      if (next === '"') { at += 1; return result; }
      if (next !== "\\") { result += next; at += 1; continue; }
      const size = text[at + 1] === "u" ? 6 : 2;
      if (at + size > text.length) { at = text.length; break; }
      try {
        result += JSON.parse(`"${text.slice(at, at + size)}"`);
      } catch {
        throw new SyntaxError(`an escape that JSON has not, at ${at}`);
      }
      at += size;
    }
    cut();
    open = path;
    return result;
  }

  function plain(path) {
    const start = at;
    while (at < text.length && /[-+.\w]/.test(text[at])) at += 1;
    const word = text.slice(start, at);
    if (at === text.length) cut();
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    const number = Number(word);
    if (word !== "" && Number.isFinite(number)) {
      if (at === text.length) open = path;
      return number;
    }
    if (at < text.length) throw new SyntaxError(`no JSON at ${start}`);
    return undefined;
  }

  function list(path, depth) {
    at += 1;
    const result = [];
    for (;;) {
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] === "]") { at += 1; return result; }
      if (text[at] === ",") { at += 1; continue; }
      const item = value([...path, result.length], depth + 1);
      if (item === undefined) return result;
      result.push(item);
    }
  }

  function object(path, depth) {
    at += 1;
    // Without a prototype, so that no key means anything.
    const result = Object.create(null);
    for (;;) {
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] === "}") { at += 1; return result; }
      if (text[at] === ",") { at += 1; continue; }
      if (text[at] !== '"') throw new SyntaxError(`a key is missing at ${at}`);
      const outer = open;
      const key = string(path);
      if (!isWhole) { open = outer; return result; }
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] !== ":") throw new SyntaxError(`a colon is missing at ${at}`);
      at += 1;
      const item = value([...path, key], depth + 1);
      if (item === undefined) return result;
      result[key] = item;
    }
  }

  function value(path, depth) {
    if (depth > maxDepth) throw new SyntaxError("nested too deep");
    space();
    if (at >= text.length) { cut(); return undefined; }
    if (text[at] === "{") return object(path, depth);
    if (text[at] === "[") return list(path, depth);
    return text[at] === '"' ? string(path) : plain(path);
  }

  const found = value([], 0);
  return { value: found, open, isWhole };
}
