// The text of a PDF file: what its pages write, in their order, by the names that its fonts give to their letters.
//
// Objects are found by what the file says in its text, not by its table of places, which broken files have wrong. Pictures of text have none.

const maxObjects = 200_000;
/// Bytes that streams may come to when they are inflated.
const maxInflated = 100_000_000;

/// Whether a file is a PDF file, by its first bytes.
export async function isPDF(file) {
  return new TextDecoder("latin1").decode(await file.slice(0, 1024).arrayBuffer()).includes("%PDF-");
}

/// The text of a file's pages, up to a number of characters, and how many pages there are. Throws what is wrong with it, as the end of a sentence.
export async function pdfText(bytes, maxText) {
  const file = new PDFFile(bytes);
  await file.read();
  const pages = file.pages();
  if (pages.length === 0) throw new Error("cannot be read: it has no pages, or is damaged.");
  let text = "";
  for (const page of pages) {
    const found = await file.textOf(page);
    text += `${text && found ? "\n\n" : ""}${found}`;
    if (text.length > maxText) throw new Error(`is too long: ${maxText / 1000} kB of text are taken.`);
  }
  return { text, pages: pages.length };
}

// MARK: Values

class Name { constructor(text) { this.text = text; } }
class Reference { constructor(number) { this.number = number; } }
class Operator { constructor(text) { this.text = text; } }

const isSpace = (code) => code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0;
const isDelimiter = (letter) => "()<>[]{}/%".includes(letter);

/// Reads values of a text in which each character is a byte.
class Reader {
  constructor(text, at = 0) {
    this.text = text;
    this.at = at;
  }

  skip() {
    for (; this.at < this.text.length; this.at += 1) {
      if (this.text[this.at] === "%") {
        while (this.at < this.text.length && !"\r\n".includes(this.text[this.at])) this.at += 1;
      } else if (!isSpace(this.text.charCodeAt(this.at))) return;
    }
  }

  /// The next value; undefined at the end, or where a list or dictionary ends.
  value(depth = 0) {
    this.skip();
    const letter = this.text[this.at];
    if (letter === undefined || depth > 60) return undefined;
    if (letter === "(") return this.string();
    if (letter === "/") {
      this.at += 1;
      return new Name(this.word().replace(/#([0-9a-fA-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16))));
    }
    if (this.text.startsWith("<<", this.at)) return this.dictionary(depth);
    if (letter === "<") return this.hex();
    if (letter === "[") {
      this.at += 1;
      const list = [];
      for (let item = this.value(depth + 1); item !== undefined; item = this.value(depth + 1)) list.push(item);
      this.skip();
      if (this.text[this.at] === "]") this.at += 1;
      return list;
    }
    if (letter === "]" || letter === ">" || letter === ")" || letter === "{" || letter === "}") {
      if (depth === 0) { this.at += 1; return this.value(); }
      return undefined;
    }
    return this.plain();
  }

  word() {
    const start = this.at;
    while (this.at < this.text.length && !isSpace(this.text.charCodeAt(this.at)) && !isDelimiter(this.text[this.at])) this.at += 1;
    return this.text.slice(start, this.at);
  }

  plain() {
    const word = this.word();
    if (!/^[-+]?\d*\.?\d*$/.test(word) || !/\d/.test(word)) return word === "true" ? true : word === "false" ? false : word === "null" ? null : new Operator(word);
    const reference = /^\s+\d+\s+R(?![A-Za-z])/.exec(this.text.slice(this.at, this.at + 24));
    if (!reference || !/^\d+$/.test(word)) return Number(word);
    this.at += reference[0].length;
    return new Reference(Number(word));
  }

  string() {
    const escapes = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
    let result = "";
    let level = 1;
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const letter = this.text[this.at];
      if (letter === "\\") {
        this.at += 1;
        const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at, this.at + 3))?.[0];
        if (octal) {
          result += String.fromCharCode(parseInt(octal, 8) & 255);
          this.at += octal.length - 1;
        } else if (this.text[this.at] === "\r" && this.text[this.at + 1] === "\n") this.at += 1;
        else if (!"\r\n".includes(this.text[this.at] ?? "")) result += escapes[this.text[this.at]] ?? this.text[this.at];
        continue;
      }
      if (letter === "(") level += 1;
      if (letter === ")") level -= 1;
      if (level === 0) { this.at += 1; break; }
      result += letter;
    }
    return result;
  }

  hex() {
    const end = this.text.indexOf(">", this.at);
    const digits = this.text.slice(this.at + 1, end < 0 ? undefined : end).replace(/[^0-9a-fA-F]/g, "");
    this.at = end < 0 ? this.text.length : end + 1;
    return (digits.length % 2 ? `${digits}0` : digits).replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)));
  }

  dictionary(depth) {
    this.at += 2;
    const found = new Map();
    for (;;) {
      const key = this.value(depth + 1);
      if (!(key instanceof Name)) break;
      const value = this.value(depth + 1);
      if (value === undefined) break;
      found.set(key.text, value);
    }
    this.skip();
    if (this.text.startsWith(">>", this.at)) this.at += 2;
    return found;
  }
}

// MARK: The file

class PDFFile {
  constructor(bytes) {
    this.bytes = bytes;
    this.text = latin(bytes);
    this.objects = new Map();
    this.fonts = new Map();
    this.inflated = 0;
  }

  async read() {
    const begins = /(?<![0-9])(\d{1,10})\s+\d{1,5}\s+obj\b/g;
    for (let found = begins.exec(this.text); found; found = begins.exec(this.text)) {
      if (this.objects.size > maxObjects) throw new Error("cannot be read: it has too many parts.");
      const reader = new Reader(this.text, begins.lastIndex);
      const value = reader.value();
      const object = { value };
      if (value instanceof Map) {
        reader.skip();
        const start = /^stream(?:\r\n|\n|\r)/.exec(this.text.slice(reader.at, reader.at + 8));
        if (start) {
          object.start = reader.at + start[0].length;
          begins.lastIndex = this.endOf(object);
        }
      }
      // Of several versions of an object the last one counts.
      this.objects.set(Number(found[1]), object);
    }
    if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(this.text)) throw new Error("is locked with a password: save it without one first.");
    for (const object of [...this.objects.values()]) if (this.name(object, "Type") === "ObjStm") await this.unpack(object);
  }

  endOf(object) {
    const length = object.value.get("Length");
    if (typeof length === "number" && /^\s*endstream/.test(this.text.slice(object.start + length, object.start + length + 20))) object.end = object.start + length;
    else {
      const found = this.text.indexOf("endstream", object.start);
      object.end = found < 0 ? this.text.length : found;
    }
    return object.end;
  }

  get(value) {
    let found = value;
    for (let step = 0; found instanceof Reference && step < 10; step += 1) found = this.objects.get(found.number)?.value;
    return found;
  }

  name(object, key) {
    const value = object.value instanceof Map ? this.get(object.value.get(key)) : undefined;
    return value instanceof Name ? value.text : undefined;
  }

  /// Objects that lie in a stream of objects.
  async unpack(object) {
    const text = latin(await this.data(object));
    const count = Math.min(maxObjects, this.get(object.value.get("N")) ?? 0);
    const first = this.get(object.value.get("First")) ?? 0;
    const places = new Reader(text);
    for (let index = 0; index < count; index += 1) {
      const [number, offset] = [places.value(), places.value()];
      if (typeof number !== "number" || typeof offset !== "number") return;
      if (!this.objects.has(number)) this.objects.set(number, { value: new Reader(text, first + offset).value() });
    }
  }

  /// The bytes of a stream.
  async data(object) {
    if (object?.start === undefined) return new Uint8Array();
    const filters = [this.get(object.value.get("Filter"))].flat().map((filter) => this.get(filter)).filter((filter) => filter instanceof Name).map((filter) => filter.text);
    const parameters = [this.get(object.value.get("DecodeParms"))].flat().map((value) => this.get(value));
    let data = this.bytes.subarray(object.start, object.end);
    for (const [index, filter] of filters.entries()) {
      if (filter === "FlateDecode" || filter === "Fl") data = predicted(await this.inflate(data), parameters[index], (value) => this.get(value));
      else if (filter === "ASCIIHexDecode") data = bytesOf(new Reader(`<${latin(data)}>`).hex());
      else if (filter === "ASCII85Decode") data = ascii85(latin(data));
      else return new Uint8Array();
    }
    return data;
  }

  async inflate(data) {
    const parts = [];
    const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.inflated += value.length;
        if (this.inflated > maxInflated) throw new RangeError("too large");
        parts.push(value);
      }
    } catch (error) {
      reader.cancel().catch(() => {});
      if (error instanceof RangeError) throw new Error("is too large when it is unpacked.");
      // What came before the damage counts.
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /// The pages in their order; those that no tree names, where there is none.
  pages() {
    const found = [];
    const seen = new Set();
    const visit = (value, inherited) => {
      const node = this.get(value);
      if (!(node instanceof Map) || seen.has(node) || found.length > 20_000) return;
      seen.add(node);
      const resources = node.get("Resources") ?? inherited;
      const kids = this.get(node.get("Kids"));
      if (Array.isArray(kids)) for (const kid of kids) visit(kid, resources);
      else found.push({ node, resources });
    };
    for (const object of this.objects.values()) if (this.name(object, "Type") === "Catalog") visit(object.value.get("Pages"));
    if (found.length === 0) for (const object of this.objects.values()) if (this.name(object, "Type") === "Page") visit(object.value);
    return found;
  }

  async textOf({ node, resources }) {
    const contents = [node.get("Contents")].flat().flatMap((value) => (Array.isArray(this.get(value)) ? this.get(value) : [value]));
    let source = "";
    for (const value of contents) if (value instanceof Reference) source += `${latin(await this.data(this.objects.get(value.number)))}\n`;
    const writer = new Writer();
    await this.run(source, this.get(resources), writer, 0);
    return writer.finish();
  }

  /// Carries out what a page or a form in it writes.
  async run(source, resources, writer, depth) {
    const reader = new Reader(source);
    let operands = [];
    let font = null;
    for (let value = reader.value(); value !== undefined; value = reader.value()) {
      if (!(value instanceof Operator)) {
        operands.push(value);
        if (operands.length > 1000) operands = [];
        continue;
      }
      const last = operands.at(-1);
      switch (value.text) {
      case "Tf": font = await this.font(resources, operands[0]); writer.size = Number(last) || 1; break;
      case "Td": case "TD": writer.move(Number(operands[0]) || 0, Number(operands[1]) || 0); break;
      case "Tm": writer.place(operands.map(Number)); break;
      case "BT": writer.place([1, 0, 0, 1, 0, 0]); break;
      case "T*": writer.line(); break;
      case "Tj": if (typeof last === "string") writer.write(decode(last, font)); break;
      case "'": case "\"": writer.line(); if (typeof last === "string") writer.write(decode(last, font)); break;
      case "TJ":
        for (const item of Array.isArray(last) ? last : []) {
          if (typeof item === "string") writer.write(decode(item, font));
          // A gap that is as wide as a space is one.
          else if (typeof item === "number" && item < -180) writer.space();
        }
        break;
      case "Do": if (depth < 5) await this.form(resources, last, writer, depth); break;
      case "BI": {
        const end = /\sEI(?=\s)/g;
        end.lastIndex = reader.at;
        reader.at = end.exec(source) ? end.lastIndex : source.length;
        break;
      }
      default: break;
      }
      operands = [];
    }
  }

  async form(resources, name, writer, depth) {
    const forms = resources instanceof Map ? this.get(resources.get("XObject")) : undefined;
    const reference = forms instanceof Map && name instanceof Name ? forms.get(name.text) : undefined;
    const object = reference instanceof Reference ? this.objects.get(reference.number) : undefined;
    if (!object || this.name(object, "Subtype") !== "Form") return;
    await this.run(latin(await this.data(object)), this.get(object.value.get("Resources")) ?? resources, writer, depth + 1);
  }

  /// What the codes of a font stand for: `{wide, map}`.
  async font(resources, name) {
    const fonts = resources instanceof Map ? this.get(resources.get("Font")) : undefined;
    const font = fonts instanceof Map && name instanceof Name ? this.get(fonts.get(name.text)) : undefined;
    if (!(font instanceof Map)) return null;
    if (this.fonts.has(font)) return this.fonts.get(font);
    const subtype = this.get(font.get("Subtype"));
    const isWide = subtype instanceof Name && subtype.text === "Type0";
    const reference = font.get("ToUnicode");
    const map = reference instanceof Reference ? unicodeMap(latin(await this.data(this.objects.get(reference.number)))) : null;
    const encoding = this.get(font.get("Encoding"));
    const found = { isWide, map, names: encoding instanceof Map ? differences(this.get(encoding.get("Differences"))) : new Map() };
    this.fonts.set(font, found);
    return found;
  }
}

// MARK: Bytes

function latin(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

const bytesOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/// Takes back what PNG's filters did to rows.
function predicted(data, parameters, get) {
  if (!(parameters instanceof Map) || (get(parameters.get("Predictor")) ?? 1) < 10) return data;
  const [colors, bits, columns] = ["Colors", "BitsPerComponent", "Columns"].map((key, index) => Math.max(1, get(parameters.get(key)) ?? [1, 8, 1][index]));
  const step = Math.max(1, Math.ceil((colors * bits) / 8));
  const width = Math.ceil((colors * bits * columns) / 8);
  const rows = Math.floor(data.length / (width + 1));
  const result = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row += 1) {
    const kind = data[row * (width + 1)];
    for (let at = 0; at < width; at += 1) {
      const place = row * width + at;
      const left = at >= step ? result[place - step] : 0;
      const up = row ? result[place - width] : 0;
      const corner = row && at >= step ? result[place - width - step] : 0;
      const guess = left + up - corner;
      const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
      const added = [0, left, up, (left + up) >> 1, a <= b && a <= c ? left : b <= c ? up : corner][kind] ?? 0;
      result[place] = data[row * (width + 1) + 1 + at] + added;
    }
  }
  return result;
}

function ascii85(text) {
  const result = [];
  let group = [];
  for (const letter of text) {
    if (letter === "~") break;
    if (letter === "z" && group.length === 0) { result.push(0, 0, 0, 0); continue; }
    if (letter < "!" || letter > "u") continue;
    group.push(letter.charCodeAt(0) - 33);
    if (group.length === 5) { push(group, 4); group = []; }
  }
  if (group.length > 1) push([...group, 84, 84, 84, 84].slice(0, 5), group.length - 1);
  return Uint8Array.from(result);

  function push(digits, count) {
    const number = digits.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let index = 0; index < count; index += 1) result.push(Math.floor(number / 256 ** (3 - index)) & 255);
  }
}

// MARK: Letters

/// What a font's table says of its codes, by the code.
function unicodeMap(source) {
  const map = new Map();
  const text = (bytes) => new TextDecoder("utf-16be").decode(bytesOf(bytes));
  const number = (bytes) => [...bytes].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);
  const reader = new Reader(source);
  let operands = [];
  for (let value = reader.value(); value !== undefined && map.size < 70_000; value = reader.value()) {
    if (!(value instanceof Operator)) { operands.push(value); continue; }
    if (value.text === "endbfchar") {
      for (let at = 0; at + 1 < operands.length; at += 2) if (typeof operands[at] === "string" && typeof operands[at + 1] === "string") map.set(number(operands[at]), text(operands[at + 1]));
    } else if (value.text === "endbfrange") {
      for (let at = 0; at + 2 < operands.length; at += 3) {
        const [from, to, target] = operands.slice(at, at + 3);
        if (typeof from !== "string" || typeof to !== "string") continue;
        for (let code = number(from); code <= Math.min(number(to), number(from) + 65_535); code += 1) {
          const index = code - number(from);
          if (Array.isArray(target)) { if (typeof target[index] === "string") map.set(code, text(target[index])); }
          else if (typeof target === "string" && target.length > 1) map.set(code, text(advanced(target, index)));
        }
      }
    }
    operands = [];
  }
  return map;
}

/// A text of UTF-16 whose last number is so much greater.
function advanced(bytes, by) {
  const last = (bytes.charCodeAt(bytes.length - 2) << 8) + bytes.charCodeAt(bytes.length - 1) + by;
  return bytes.slice(0, -2) + String.fromCharCode((last >> 8) & 255, last & 255);
}

const named = {
  space: " ", quoteright: "’", quoteleft: "‘", quotedblleft: "“", quotedblright: "”", endash: "–", emdash: "—", bullet: "•", ellipsis: "…", hyphen: "-", minus: "−",
  fi: "fi", fl: "fl", ff: "ff", ffi: "ffi", ffl: "ffl", period: ".", comma: ",", colon: ":", semicolon: ";", parenleft: "(", parenright: ")", slash: "/",
  germandbls: "ß", adieresis: "ä", odieresis: "ö", udieresis: "ü", Adieresis: "Ä", Odieresis: "Ö", Udieresis: "Ü", eacute: "é", egrave: "è", agrave: "à", ccedilla: "ç",
  zero: "0", one: "1", two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", Euro: "€", quotesingle: "'", quotedbl: "\"", at: "@", percent: "%",
  ampersand: "&", plus: "+", equal: "=", less: "<", greater: ">", question: "?", exclam: "!", underscore: "_", bracketleft: "[", bracketright: "]", asterisk: "*", numbersign: "#",
};

/// The letters that a font has in other places than usual.
function differences(list) {
  const found = new Map();
  let code = 0;
  for (const item of Array.isArray(list) ? list : []) {
    if (typeof item === "number") code = item;
    else if (item instanceof Name) {
      const unicode = /^(?:uni|u)([0-9A-F]{4,6})$/.exec(item.text)?.[1];
      const letter = named[item.text] ?? (item.text.length === 1 ? item.text : unicode && Number(`0x${unicode}`) <= 0x10ffff ? String.fromCodePoint(Number(`0x${unicode}`)) : undefined);
      if (letter !== undefined) found.set(code, letter);
      code += 1;
    }
  }
  return found;
}

const western = new TextDecoder("windows-1252");

function decode(bytes, font) {
  let result = "";
  const width = font?.isWide ? 2 : 1;
  for (let at = 0; at + width <= bytes.length; at += width) {
    const code = width === 2 ? bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1) : bytes.charCodeAt(at);
    // The codes of a wide font without a table are numbers of drawings.
    result += font?.map?.get(code) ?? font?.names.get(code) ?? (width === 2 ? "" : western.decode(Uint8Array.of(code)));
  }
  return result;
}

/// Makes lines of what is written in places.
class Writer {
  text = "";
  size = 1;
  #x = 0;
  #y = 0;
  #scale = 1;
  #last = null;

  place([a, , , d, x, y]) {
    this.#scale = Math.abs(d || a) || 1;
    this.#x = x || 0;
    this.#y = y || 0;
  }

  move(x, y) {
    this.#x += x * this.#scale;
    this.#y += y * this.#scale;
  }

  line() { this.#y -= this.size * this.#scale; }

  space() { if (this.text && !/\s$/.test(this.text)) this.text += " "; }

  write(piece) {
    if (!piece) return;
    const height = Math.max(1, this.size * this.#scale);
    if (this.#last) {
      const down = this.#last.y - this.#y;
      if (Math.abs(down) > height * 0.5) this.text = `${this.text.trimEnd()}${down > height * 1.8 || down < -height * 2 ? "\n\n" : "\n"}`;
      else if (this.#x > this.#last.x + height * 0.25) this.space();
    }
    this.text += piece;
    // How wide it is is not known; half of its height a letter comes near.
    this.#last = { y: this.#y, x: this.#x + piece.length * height * 0.5 };
  }

  finish() { return this.text.replace(/[^\S\n]+\n/g, "\n").replace(/\u0000/g, "").trim(); }
}
