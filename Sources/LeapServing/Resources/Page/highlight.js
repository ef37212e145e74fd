// Tells the parts of source code apart, well enough to colour them.

const words = (text) => new Set(text.split(" "));
const cStyle = { line: "//", block: ["/*", "*/"], quotes: ['"', "'"] };
const languages = {
  swift: { ...cStyle, quotes: ['"""', '"'], words: words("actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is isolated let mutating nil nonisolated open operator override package private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while") },
  javascript: { ...cStyle, quotes: ["`", '"', "'"], words: words("async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of return set static super switch this throw true try type typeof undefined var void while yield") },
  python: { line: "#", quotes: ['"""', "'''", '"', "'"], words: words("False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield") },
  c: { ...cStyle, words: words("auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false final float for friend goto if inline int long namespace new nullptr operator override private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while include define ifdef ifndef endif pragma") },
  java: { ...cStyle, words: words("abstract boolean break byte case catch char class const continue data default do double else enum extends false final finally float for fun if implements import in instanceof int interface internal is long new null object open override package private protected public record return sealed short static super switch synchronized this throw throws true try val var void volatile when while") },
  rust: { ...cStyle, quotes: ['"'], words: words("as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while") },
  go: { ...cStyle, quotes: ["`", '"', "'"], words: words("break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var") },
  shell: { line: "#", quotes: ['"', "'"], words: words("case do done elif else esac exit export fi for function if in local return set then until while echo cd sudo") },
  sql: { line: "--", block: ["/*", "*/"], quotes: ["'", '"'], ignoresCase: true, words: words("add all alter and as asc between by case create delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references right select set table then union unique update values view when where with") },
  json: { quotes: ['"'], words: words("true false null") },
  yaml: { line: "#", quotes: ['"', "'"], words: words("true false null yes no") },
  ruby: { line: "#", quotes: ['"', "'"], words: words("alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield") },
  php: { ...cStyle, words: words("abstract array as break case catch class const continue default do echo else elseif extends false final fn for foreach function global if implements interface match namespace new null private protected public readonly return static switch throw trait true try use var while") },
  lua: { line: "--", block: ["--[[", "]]"], quotes: ['"', "'"], words: words("and break do else elseif end false for function goto if in local nil not or repeat return then true until while") },
  r: { line: "#", quotes: ['"', "'"], words: words("break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while library") },
  perl: { line: "#", quotes: ['"', "'"], words: words("and cmp do else elsif eq for foreach if last lc local my ne next not or our package print return sub undef unless until use while") },
  powershell: { line: "#", block: ["<#", "#>"], quotes: ['"', "'"], ignoresCase: true, words: words("begin break catch class continue do else elseif end exit filter finally for foreach function if in param process return switch throw try until using while") },
  haskell: { line: "--", block: ["{-", "-}"], quotes: ['"'], words: words("case class data deriving do else if import in infix instance let module newtype of then type where") },
  docker: { line: "#", quotes: ['"', "'"], words: words("ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR AS") },
  make: { line: "#", quotes: ['"', "'"], words: words("define else endef endif export ifdef ifeq ifndef ifneq include override") },
  css: { block: ["/*", "*/"], quotes: ['"', "'"], words: words("important media supports import from to") },
};
const aliases = {
  js: "javascript", jsx: "javascript", ts: "javascript", tsx: "javascript", typescript: "javascript", py: "python", cpp: "c", "c++": "c", h: "c",
  objc: "c", cs: "java", csharp: "java", kotlin: "java", kt: "java", rs: "rust", golang: "go", sh: "shell", bash: "shell", zsh: "shell", console: "shell",
  rb: "ruby", pl: "perl", ps1: "powershell", pwsh: "powershell", hs: "haskell", dockerfile: "docker", containerfile: "docker", makefile: "make", ini: "yaml", mjs: "javascript", groovy: "java", zig: "rust", cc: "c", hpp: "c", "objective-c": "c", plsql: "sql", mysql: "sql", postgresql: "sql",
  yml: "yaml", toml: "yaml", jsonc: "json", scss: "css", dart: "java", scala: "java",
};
/// Longer code stays plain.
const maxLength = 60_000;

/// Code as pieces `[kind, text]`; the kind is null for what is not coloured.
export function highlight(code, name) {
  if (code.length > maxLength) return [[null, code]];
  if (["html", "xml", "svg"].includes(name)) return markup(code);
  if (name === "diff") return code.split(/(?<=\n)/).map((line) => [line[0] === "+" ? "added" : line[0] === "-" ? "removed" : null, line]);
  const language = languages[aliases[name] ?? name];
  return language ? source(code, language) : [[null, code]];
}

function source(code, language) {
  const pieces = [];
  let plain = 0;
  let at = 0;
  const push = (kind, end) => {
    if (plain < at) pieces.push([null, code.slice(plain, at)]);
    pieces.push([kind, code.slice(at, end)]);
    at = end;
    plain = end;
  };
  const endOf = (text, from) => {
    const found = code.indexOf(text, from);
    return found < 0 ? code.length : found + text.length;
  };
  const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
  const number = /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)\w*/y;
  while (at < code.length) {
    const { line, block, quotes } = language;
    if (line && code.startsWith(line, at) && (line !== "#" || at === 0 || /\s/.test(code[at - 1]))) {
      const end = code.indexOf("\n", at);
      push("comment", end < 0 ? code.length : end);
      continue;
    }
    if (block && code.startsWith(block[0], at)) { push("comment", endOf(block[1], at + block[0].length)); continue; }
    const quote = quotes.find((mark) => code.startsWith(mark, at));
    if (quote) {
      const end = closing(code, at + quote.length, quote);
      const isKey = language === languages.json && /^\s*:/.test(code.slice(end, end + 8));
      push(isKey ? "name" : "string", end);
      continue;
    }
    number.lastIndex = at;
    if (/\d/.test(code[at]) && number.test(code)) { push("number", number.lastIndex); continue; }
    word.lastIndex = at;
    if (word.test(code)) {
      const end = word.lastIndex;
      const text = code.slice(at, end);
      if (language.words.has(language.ignoresCase ? text.toLowerCase() : text)) push("word", end);
      else if (code[end] === "(") push("name", end);
      else if (/^[A-Z]/.test(text) && language !== languages.sql) push("type", end);
      else at = end;
      continue;
    }
    at += 1;
  }
  if (plain < code.length) pieces.push([null, code.slice(plain)]);
  return pieces;
}

/// The end of a text in quotes; texts in single marks end with their line.
function closing(code, from, quote) {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith(quote, at)) return at + quote.length;
    else if (code[at] === "\n" && quote.length === 1 && quote !== "`") return at;
  }
  return code.length;
}

function markup(code) {
  const pieces = [];
  let last = 0;
  for (const found of code.matchAll(/<!--[^]*?(?:-->|$)|<\/?[a-zA-Z][\w:-]*|\s[\w:-]+(?==)|"[^"\n]*"|\/?>/g)) {
    if (found.index > last) pieces.push([null, code.slice(last, found.index)]);
    const text = found[0];
    pieces.push([text.startsWith("<!--") ? "comment" : text[0] === '"' ? "string" : /^\s/.test(text) ? "name" : "word", text]);
    last = found.index + text.length;
  }
  if (last < code.length) pieces.push([null, code.slice(last)]);
  return pieces;
}
