// Works out sums. An own parser: the page evaluates no code.

const functions = {
  sqrt: Math.sqrt, abs: Math.abs, round: Math.round, floor: Math.floor, ceil: Math.ceil,
  sin: Math.sin, cos: Math.cos, tan: Math.tan, ln: Math.log, log: Math.log10, exp: Math.exp,
};
const constants = { pi: Math.PI, e: Math.E };
const maxLength = 500;

/// The value of an expression such as `2 * (3 + 4) ^ 2`.
export function calculate(text) {
  if (typeof text !== "string" || text.length > maxLength) throw new Error(`expected a text of at most ${maxLength} characters`);
  const tokens = text.match(/\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+|[a-zA-Z]+|\*\*|[-+*/%^(),×÷]|\S/g) ?? [];
  let at = 0;
  const take = (...options) => (options.includes(tokens[at]) ? tokens[at++] : undefined);
  const need = (token) => { if (!take(token)) throw new Error(`expected “${token}” instead of “${tokens[at] ?? "the end"}”`); };

  function sum() {
    let value = product();
    for (let sign; (sign = take("+", "-"));) value = sign === "+" ? value + product() : value - product();
    return value;
  }
  function product() {
    let value = signed();
    for (let sign; (sign = take("*", "/", "%", "×", "÷"));) {
      const other = signed();
      value = sign === "%" ? value % other : sign === "/" || sign === "÷" ? value / other : value * other;
    }
    return value;
  }
  function signed() {
    if (take("-")) return -signed();
    if (take("+")) return signed();
    const base = atom();
    return take("^", "**") ? base ** signed() : base;
  }
  function atom() {
    const token = tokens[at++];
    if (token === "(") {
      const value = sum();
      need(")");
      return value;
    }
    if (token !== undefined && /^[\d.]/.test(token) && Number.isFinite(Number(token))) return Number(token);
    if (Object.hasOwn(constants, token)) return constants[token];
    if (Object.hasOwn(functions, token)) {
      need("(");
      const value = sum();
      need(")");
      return functions[token](value);
    }
    throw new Error(`“${token ?? "the end"}” is not a number or an operation`);
  }

  const value = sum();
  if (at < tokens.length) throw new Error(`“${tokens[at]}” is too much`);
  if (!Number.isFinite(value)) throw new Error("the result is not a finite number");
  return Number(value.toPrecision(15));
}
