// Reads formulas as LaTeX writes them: text to a tree for MathML, `[tag, attributes, ...children]`. Knows nothing of the document.
//
// It is the part of LaTeX that answers are written in. What has more in it is null, and stays as it was written.

const maxLength = 4000;
const maxDepth = 40;

const words = (source) => Object.fromEntries(source.split(" ").map((pair) => pair.split("=")));

/// Letters, which stand slanted, and those that stand upright.
const letters = words("alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω ell=ℓ hbar=ℏ imath=ı jmath=ȷ partial=∂");
const upright = words("Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω infty=∞ nabla=∇ emptyset=∅ varnothing=∅ aleph=ℵ Re=ℜ Im=ℑ top=⊤ bot=⊥ angle=∠ degree=° dots=… ldots=… cdots=⋯ vdots=⋮ ddots=⋱ prime=′ square=□ triangle=△ checkmark=✓ dagger=†");
const operators = words("cdot=⋅ times=× div=÷ pm=± mp=∓ ast=∗ star=⋆ circ=∘ bullet=∙ oplus=⊕ ominus=⊖ otimes=⊗ odot=⊙ wedge=∧ land=∧ vee=∨ lor=∨ cap=∩ cup=∪ setminus=∖ leq=≤ le=≤ geq=≥ ge=≥ leqslant=⩽ geqslant=⩾ ll=≪ gg=≫ neq=≠ ne=≠ equiv=≡ approx=≈ sim=∼ simeq=≃ cong=≅ propto=∝ in=∈ notin=∉ ni=∋ subset=⊂ supset=⊃ subseteq=⊆ supseteq=⊇ subsetneq=⊊ perp=⊥ parallel=∥ mid=∣ nmid=∤ vdash=⊢ models=⊨ forall=∀ exists=∃ nexists=∄ neg=¬ lnot=¬ to=→ rightarrow=→ leftarrow=← gets=← leftrightarrow=↔ Rightarrow=⇒ implies=⟹ Leftarrow=⇐ Leftrightarrow=⇔ iff=⟺ longrightarrow=⟶ longleftarrow=⟵ Longrightarrow=⟹ mapsto=↦ uparrow=↑ downarrow=↓ therefore=∴ because=∵ colon=: prec=≺ succ=≻ triangleq=≜ coloneqq=≔ backslash=∖ lbrace={ rbrace=} lbrack=[ rbrack=] langle=⟨ rangle=⟩ lfloor=⌊ rfloor=⌋ lceil=⌈ rceil=⌉ vert=| lvert=| rvert=| Vert=‖ lVert=‖ rVert=‖ hookrightarrow=↪ rightleftharpoons=⇌");
/// What stands above and below where there is room, and beside where there is none.
const large = words("sum=∑ prod=∏ coprod=∐ bigcup=⋃ bigcap=⋂ bigvee=⋁ bigwedge=⋀ bigoplus=⨁ bigotimes=⨂");
const integrals = words("int=∫ iint=∬ iiint=∭ oint=∮");
const limits = new Set(["lim", "max", "min", "sup", "inf", "limsup", "liminf", "argmax", "argmin", "det", "gcd", "Pr"]);
const functions = new Set(["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos", "arctan", "log", "ln", "lg", "exp", "arg", "deg", "dim", "ker", "hom", "mod", "bmod"]);
const accents = words("hat=^ widehat=^ bar=‾ overline=‾ vec=→ overrightarrow=→ dot=˙ ddot=¨ tilde=~ widetilde=~ check=ˇ breve=˘ acute=´ grave=`");
const below = words("underline=_");
const spaces = { ",": "0.17em", ":": "0.22em", ">": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.25em", quad: "1em", qquad: "2em", enspace: "0.5em", thinspace: "0.17em" };
/// Where letters of other forms begin, and those that stand elsewhere.
const variants = {
  mathbb: { upper: 0x1d538, lower: 0x1d552, digit: 0x1d7d8, others: { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" } },
  mathcal: { upper: 0x1d49c, lower: 0x1d4b6, others: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" } },
  mathfrak: { upper: 0x1d504, lower: 0x1d51e, others: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" } },
  mathbf: { upper: 0x1d400, lower: 0x1d41a, digit: 0x1d7ce, others: {} },
};
variants.mathscr = variants.mathcal;
variants.boldsymbol = { upper: 0x1d468, lower: 0x1d482, digit: 0x1d7ce, others: {} };
variants.bm = variants.boldsymbol;
const texts = new Set(["text", "textrm", "textit", "textbf", "texttt", "mbox", "mathrm", "mathit", "mathsf", "mathtt", "operatorname"]);
/// Sizes and styles, which the browser knows better.
const ignored = new Set(["displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "nonumber", "notag", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "bigm", "Bigm"]);
const matrices = {
  matrix: ["", ""], pmatrix: ["(", ")"], bmatrix: ["[", "]"], Bmatrix: ["{", "}"], vmatrix: ["|", "|"], Vmatrix: ["‖", "‖"], smallmatrix: ["", ""], array: ["", ""], cases: ["{", ""],
};
const alignments = new Set(["align", "align*", "aligned", "split", "gather", "gather*", "gathered", "equation", "equation*", "eqnarray", "eqnarray*", "alignat", "alignat*"]);
const marks = { "-": "−", "*": "∗", "'": "′", "/": "/" };

class Unknown extends Error {}

/// A formula as a tree; null for one that has more in it than is read here.
export function parseMath(source) {
  if (source.length > maxLength) return null;
  const reader = new Reader(source);
  try {
    const row = reader.row();
    return reader.at < source.length ? null : row;
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

const mrow = (children) => (children.length === 1 ? children[0] : ["mrow", {}, ...children]);
const fence = (text) => ["mo", { fence: "true", stretchy: "true" }, text];

class Reader {
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.depth = 0;
  }

  skip() { while (/\s/.test(this.source[this.at] ?? "")) this.at += 1; }

  /// The command that begins here, without reading it; empty where none does.
  command() { return /^\\([A-Za-z]+\*?|[^A-Za-z])/.exec(this.source.slice(this.at, this.at + 32))?.[1] ?? ""; }

  /// What stands until the row ends: at a brace, a cell, a line, or what was opened on the left.
  row() {
    this.depth += 1;
    if (this.depth > maxDepth) throw new Unknown();
    const children = [];
    for (;;) {
      this.skip();
      const letter = this.source[this.at];
      if (letter === undefined || letter === "}" || letter === "&") break;
      if (letter === "]" && this.inOption) break;
      if (letter === "\\" && ["\\", "right", "end", "cr"].includes(this.command())) break;
      const piece = this.scripts();
      if (piece) children.push(piece);
    }
    this.depth -= 1;
    return mrow(children);
  }

  /// What is in braces, or the one thing that stands here.
  argument() {
    this.skip();
    if (this.source[this.at] === "{") return this.group();
    if (this.source[this.at] === undefined || this.source[this.at] === "}") throw new Unknown();
    // Of “x^23” only the 2.
    if (/\d/.test(this.source[this.at])) { this.at += 1; return ["mn", {}, this.source[this.at - 1]]; }
    return this.atom() ?? mrow([]);
  }

  group() {
    const wasInOption = this.inOption;
    this.inOption = false;
    this.at += 1;
    const row = this.row();
    this.inOption = wasInOption;
    if (this.source[this.at] !== "}") throw new Unknown();
    this.at += 1;
    return row;
  }

  /// The text in braces, as it is.
  raw() {
    this.skip();
    if (this.source[this.at] !== "{") throw new Unknown();
    let level = 0;
    for (let end = this.at; end < this.source.length; end += 1) {
      if (this.source[end] === "{") level += 1;
      else if (this.source[end] === "}") level -= 1;
      if (level === 0) {
        const found = this.source.slice(this.at + 1, end);
        this.at = end + 1;
        return found;
      }
    }
    throw new Unknown();
  }

  scripts() {
    const base = this.source[this.at] === "^" || this.source[this.at] === "_" ? mrow([]) : this.atom();
    let [sub, sup] = [null, null];
    for (;;) {
      this.skip();
      const letter = this.source[this.at];
      if (letter === "'") {
        const primes = /^'+/.exec(this.source.slice(this.at, this.at + 8))[0];
        this.at += primes.length;
        const prime = ["mo", {}, "′".repeat(primes.length)];
        sup = sup ? mrow([prime, sup]) : prime;
      } else if (letter === "^") {
        this.at += 1;
        const found = this.argument();
        sup = sup ? mrow([sup, found]) : found;
      } else if (letter === "_") {
        if (sub) throw new Unknown();
        this.at += 1;
        sub = this.argument();
      } else if (letter === "\\" && ["limits", "nolimits"].includes(this.command())) {
        this.at += 1 + this.command().length;
      } else {
        break;
      }
    }
    if (!base) return null;
    if (!sub && !sup) return base;
    const isOver = base[0] === "mo" && base[1].movablelimits === "true" || base[0] === "munder" || base[0] === "mover";
    const tag = sub && sup ? (isOver ? "munderover" : "msubsup") : sub ? (isOver ? "munder" : "msub") : isOver ? "mover" : "msup";
    return [tag, {}, base, ...[sub, sup].filter(Boolean)];
  }

  atom() {
    this.skip();
    const letter = this.source[this.at];
    if (letter === "{") return this.group();
    if (letter === "\\") return this.macro();
    const number = /^\d+(?:[.,]\d+)*/.exec(this.source.slice(this.at, this.at + 64));
    if (number) { this.at += number[0].length; return ["mn", {}, number[0]]; }
    const whole = String.fromCodePoint(this.source.codePointAt(this.at));
    this.at += whole.length;
    if (/\p{L}/u.test(whole)) return ["mi", {}, whole];
    if (whole === "~") return ["mspace", { width: "0.25em" }];
    if ("#$%".includes(whole)) throw new Unknown();
    return "()[]|".includes(whole) ? ["mo", { stretchy: "false" }, whole] : ["mo", {}, marks[whole] ?? whole];
  }

  macro() {
    const name = this.command();
    if (!name) throw new Unknown();
    this.at += 1 + name.length;
    if (Object.hasOwn(letters, name)) return ["mi", {}, letters[name]];
    if (Object.hasOwn(upright, name)) return ["mi", { mathvariant: "normal" }, upright[name]];
    if (Object.hasOwn(operators, name)) return ["mo", {}, operators[name]];
    if (Object.hasOwn(large, name)) return ["mo", { movablelimits: "true", largeop: "true" }, large[name]];
    if (Object.hasOwn(integrals, name)) return ["mo", { largeop: "true" }, integrals[name]];
    if (limits.has(name)) return ["mo", { movablelimits: "true" }, name];
    if (functions.has(name)) return ["mi", {}, name];
    if (Object.hasOwn(spaces, name)) return ["mspace", { width: spaces[name] }];
    if (Object.hasOwn(accents, name)) return ["mover", { accent: "true" }, this.argument(), ["mo", { stretchy: String(name.startsWith("wide") || name.startsWith("over")) }, accents[name]]];
    if (Object.hasOwn(below, name)) return ["munder", {}, this.argument(), ["mo", { stretchy: "true" }, below[name]]];
    if (Object.hasOwn(variants, name)) return this.varied(variants[name]);
    if (texts.has(name)) return name.startsWith("math") || name === "operatorname" ? ["mi", { mathvariant: "normal" }, this.raw().replace(/\\[,; ]/g, " ").replace(/[\\{}]/g, "")] : ["mtext", {}, this.raw().replace(/\\([{}$%&#_])/g, "$1").replace(/ /g, "\u00a0")];
    if (ignored.has(name)) return null;
    switch (name) {
    case "frac": case "dfrac": case "tfrac": case "cfrac": return ["mfrac", {}, this.argument(), this.argument()];
    case "binom": case "dbinom": case "tbinom": return ["mrow", {}, fence("("), ["mfrac", { linethickness: "0" }, this.argument(), this.argument()], fence(")")];
    case "sqrt": return this.root();
    case "left": return this.delimited();
    case "begin": return this.environment();
    case "overset": case "stackrel": { const over = this.argument(); return ["mover", {}, this.argument(), over]; }
    case "underset": { const under = this.argument(); return ["munder", {}, this.argument(), under]; }
    case "overbrace": return ["mover", {}, this.argument(), ["mo", { stretchy: "true" }, "⏞"]];
    case "underbrace": return ["munder", {}, this.argument(), ["mo", { stretchy: "true" }, "⏟"]];
    case "xrightarrow": return ["mover", {}, ["mo", { stretchy: "true" }, "→"], this.argument()];
    case "boxed": return ["mrow", { class: "math-box" }, this.argument()];
    case "pmod": return ["mrow", {}, ["mspace", { width: "0.5em" }], ["mo", { stretchy: "false" }, "("], ["mi", {}, "mod"], ["mspace", { width: "0.25em" }], this.argument(), ["mo", { stretchy: "false" }, ")"]];
    case "tag": return ["mtext", {}, `\u2003(${this.raw()})`];
    case "label": this.raw(); return null;
    case "hspace": this.raw(); return ["mspace", { width: "0.5em" }];
    case "not": { const piece = this.atom(); if (!piece || typeof piece[2] !== "string") throw new Unknown(); return ["mo", {}, `${piece[2]}\u0338`.normalize("NFC")]; }
    case "middle": return fence(this.delimiter());
    case "{": case "}": case "%": case "$": case "&": case "#": case "_": return ["mo", { stretchy: "false" }, name];
    case "|": return ["mo", { stretchy: "false" }, "‖"];
    default: throw new Unknown();
    }
  }

  /// Letters of another form; what is more than letters and digits keeps its own.
  varied(form) {
    this.skip();
    const source = this.source[this.at] === "{" ? this.raw().trim() : this.source[this.at++];
    const command = /^\\([A-Za-z]+)$/.exec(source ?? "")?.[1];
    if (command && Object.hasOwn(letters, command)) return ["mi", {}, letters[command]];
    if (command && Object.hasOwn(upright, command)) return ["mi", { mathvariant: "normal" }, upright[command]];
    if (!/^[A-Za-z0-9 ]+$/.test(source ?? "")) throw new Unknown();
    const at = (base, letter, first) => (base ? String.fromCodePoint(base + letter.charCodeAt(0) - first.charCodeAt(0)) : letter);
    const text = [...source].map((letter) => form.others[letter] ?? (/[A-Z]/.test(letter) ? at(form.upper, letter, "A") : /[a-z]/.test(letter) ? at(form.lower, letter, "a")
      : /\d/.test(letter) ? at(form.digit, letter, "0") : letter)).join("");
    return ["mi", { mathvariant: "normal" }, text];
  }

  root() {
    this.skip();
    if (this.source[this.at] !== "[") return ["msqrt", {}, this.argument()];
    this.at += 1;
    this.inOption = true;
    const index = this.row();
    this.inOption = false;
    if (this.source[this.at] !== "]") throw new Unknown();
    this.at += 1;
    return ["mroot", {}, this.argument(), index];
  }

  delimiter() {
    this.skip();
    const letter = this.source[this.at];
    if (letter === undefined) throw new Unknown();
    if (letter !== "\\") { this.at += 1; return letter === "." ? "" : letter === "<" ? "⟨" : letter === ">" ? "⟩" : letter; }
    const name = this.command();
    this.at += 1 + name.length;
    if (name === "{" || name === "}") return name;
    if (name === "|") return "‖";
    if (!Object.hasOwn(operators, name)) throw new Unknown();
    return operators[name];
  }

  delimited() {
    const wasInOption = this.inOption;
    this.inOption = false;
    const open = this.delimiter();
    const row = this.row();
    this.inOption = wasInOption;
    if (this.command() !== "right") throw new Unknown();
    this.at += 6;
    const close = this.delimiter();
    return ["mrow", {}, ...open ? [fence(open)] : [], row, ...close ? [fence(close)] : []];
  }

  environment() {
    const name = this.raw();
    const isAligned = alignments.has(name);
    if (!isAligned && !Object.hasOwn(matrices, name)) throw new Unknown();
    // How columns stand, and how many there are.
    if (name === "array" || name.startsWith("alignat")) this.raw();
    const rows = [[]];
    for (;;) {
      rows.at(-1).push(this.row());
      if (this.source[this.at] === "&") { this.at += 1; continue; }
      const command = this.command();
      if (command === "end") break;
      if (command !== "\\" && command !== "cr") throw new Unknown();
      this.at += 1 + command.length;
      // How far lines stand apart.
      this.at += /^\s*\[[^\]\n]{0,12}\]/.exec(this.source.slice(this.at, this.at + 20))?.[0].length ?? 0;
      if (rows.length > 100) throw new Unknown();
      rows.push([]);
    }
    this.at += 4;
    if (this.raw() !== name) throw new Unknown();
    const isEmpty = (cell) => cell[0] === "mrow" && cell.length === 2;
    const kept = rows.filter((row) => !row.every(isEmpty));
    const side = (index) => (name === "cases" ? "math-left" : isAligned && !name.startsWith("gather") ? (index % 2 ? "math-left" : "math-right") : "math-center");
    const table = ["mtable", isAligned ? { displaystyle: "true" } : {}, ...kept.map((row) => ["mtr", {}, ...row.map((cell, index) => ["mtd", { class: side(index) }, cell])])];
    const [open, close] = matrices[name] ?? ["", ""];
    return open || close ? ["mrow", {}, ...open ? [fence(open)] : [], table, ...close ? [fence(close)] : []] : table;
  }
}
