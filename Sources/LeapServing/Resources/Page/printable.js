// Text of others where a person decides by it.

/// The text with each character that cannot be seen, or changes how others are seen, as its number; lines and tabs stay.
export const printable = (text) => text.replaceAll("\r\n", "\n").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) => (
  found === "\n" || found === "\t" ? found : `\\u{${found.codePointAt(0).toString(16)}}`));
