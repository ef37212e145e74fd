// The functions that models may call: two that the page answers itself, those that a person defines and answers, and tools of MCP servers.

import { calculate } from "/page/calculator.js";
import { chosenTools } from "/page/mcp.js";
import { settings } from "/page/store.js";

export const builtins = {
  clock: {
    title: "Clock",
    definition: {
      name: "get_time", description: "Get the local time of a city",
      parameters: { type: "object", properties: { city: { type: "string", description: "The city name, or a time zone such as Europe/Lisbon" } } },
    },
    answer: ({ city }) => {
      const timeZone = city ? zoneOf(city) : Intl.DateTimeFormat().resolvedOptions().timeZone;
      const [date, time] = new Date().toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).split(" ");
      return { date, time };
    },
  },
  calculator: {
    title: "Calculator",
    definition: {
      name: "calculate", description: "Works out an arithmetic expression",
      parameters: { type: "object", properties: { expression: { type: "string", description: "Such as 2 * (3 + 4)" } }, required: ["expression"] },
    },
    answer: ({ expression }) => ({ result: calculate(expression) }),
  },
};

/// The time zone of a name: its own, or a city's that has one named after it.
function zoneOf(name) {
  try { return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone; } catch {
    const plain = String(name).split(",")[0].trim().toLowerCase().replaceAll(" ", "_");
    const found = Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase().endsWith(`/${plain}`));
    if (!found) throw new Error(`no time zone is named after “${name}”: give one such as Europe/Lisbon`);
    return found;
  }
}

/// The definitions of the functions that the page or a person answers.
function ownTools() {
  const own = settings.builtins.filter((name) => Object.hasOwn(builtins, name)).map((name) => builtins[name].definition);
  return [...own, ...settings.tools];
}

/// The names of these functions.
export const ownNames = () => new Set(ownTools().map((definition) => definition.name));

/// The definitions that requests carry.
export function activeTools() {
  if (!settings.toolsOn) return [];
  const served = chosenTools(ownNames()).map(({ name, description, parameters }) => ({ name, description, parameters }));
  return [...ownTools(), ...served].map((definition) => ({ type: "function", function: definition }));
}

/// The MCP server of each tool that requests carry.
export function activeServers() {
  return new Map(settings.toolsOn ? chosenTools(ownNames()).map((tool) => [tool.name, tool.server]) : []);
}

/// The answer of the page's own functions, as text; undefined where a person has to answer.
export function ownAnswer(call) {
  const name = Object.keys(builtins).find((key) => builtins[key].definition.name === call.function.name);
  if (!name || !settings.builtins.includes(name)) return undefined;
  try {
    return JSON.stringify(builtins[name].answer(JSON.parse(call.function.arguments || "{}")));
  } catch (error) {
    return JSON.stringify({ error: String(error.message ?? error) });
  }
}

/// A definition from what a person wrote; throws what is wrong with it.
export function readDefinition(text) {
  let value;
  try { value = JSON.parse(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}`); }
  const found = value?.type === "function" && value.function ? value.function : value;
  if (typeof found?.name !== "string" || !/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(found.name)) {
    throw new Error("“name” is missing, or is no name of letters, digits and “_”.");
  }
  if (found.parameters !== undefined && (typeof found.parameters !== "object" || found.parameters === null || Array.isArray(found.parameters))) {
    throw new Error("“parameters” has to be a JSON Schema of an object.");
  }
  return { name: found.name, description: String(found.description ?? ""), parameters: found.parameters ?? { type: "object", properties: {} } };
}
