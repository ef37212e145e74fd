// Typed questions about a state: what a person writes, as /v1/systemone has it.

/// The types of questions, with what a person writes below them.
export const types = [
  { id: "choice", label: "Choice", hint: "An option in each line, as “name” or “name: description”" },
  { id: "noul", label: "Yes or no", hint: "Nothing, or “yes: …” and “no: …” in a line each" },
  { id: "score", label: "Score", hint: "A level in each line, the lowest first" },
];

const lines = (text) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

function pair(line) {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, null];
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim() || null];
}

/// The questions as the server takes them; throws the first problem, in words for the person who wrote them.
export function readQuestions(written) {
  const questions = new Map();
  for (const { type, text, options } of written) {
    const instructions = text.trim();
    if (instructions === "") throw new Error("A question is empty.");
    if (questions.has(instructions)) throw new Error(`“${instructions}” is asked twice.`);
    const given = lines(options);
    if (type !== "noul" && given.length === 0) throw new Error(`“${instructions}” has no ${type === "score" ? "levels" : "options"}.`);
    questions.set(instructions, { type, instructions, ...criteria(type, given, instructions) });
  }
  if (questions.size === 0) throw new Error("There is no question.");
  return Object.fromEntries(questions);
}

function criteria(type, given, text) {
  if (type === "score") return { criteria: given };
  const pairs = given.map(pair);
  const names = pairs.map(([name]) => name);
  if (new Set(names).size < names.length) throw new Error(`“${text}” has an option twice.`);
  if (type === "choice") return { criteria: Object.fromEntries(pairs) };
  if (given.length === 0) return {};
  if (names.some((name) => !["yes", "no"].includes(name))) throw new Error(`“${text}” takes “yes: …” and “no: …” only.`);
  const described = new Map(pairs);
  return { criteria: { true: described.get("yes") ?? null, false: described.get("no") ?? null } };
}

/// The state: JSON where it is an object or an array, else text.
export function readState(text) {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Text that begins like JSON.
    }
  }
  return text;
}

/// The options of an answer with their probabilities, and what it comes to.
export function shares(answer) {
  if (answer.type === "noul") return { result: answer.noul >= 0.5 ? "yes" : "no", options: [["yes", answer.noul], ["no", 1 - answer.noul]] };
  if (answer.type === "score") {
    const options = Object.entries(answer.probabilities).map(([level, share]) => [answer.legend[level], share]);
    return { result: `${answer.score.toFixed(2)} of ${options.length - 1}`, options };
  }
  return { result: answer.choice, options: Object.entries(answer.probabilities) };
}
