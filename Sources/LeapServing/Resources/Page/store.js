// The settings: those of the page, and those of the open conversation.

const name = "open-leap-settings";

/// What each conversation has of its own, and what the first one begins with.
const ofConversation = {
  model: null, system: "", sampling: {}, schemaOn: false, schema: "", toolsOn: false, tools: [], builtins: ["clock", "calculator"], serverTools: [], thinking: false,
};
const ofPage = { theme: "system", handsFree: false };

const pick = (values, keys) => Object.fromEntries(Object.entries(values).filter(([key]) => key in keys));

/// The values of a kind that are known; a value of another kind than expected is left out, whoever wrote it.
function valid(found, known) {
  if (typeof found !== "object" || found === null) return {};
  return Object.fromEntries(Object.entries(found).filter(([key, value]) => key in known
    && (known[key] === null ? value === null || typeof value === "string"
      : value !== null && typeof value === typeof known[key] && Array.isArray(value) === Array.isArray(known[key]))));
}

function load() {
  const all = { ...ofPage, ...ofConversation };
  let found = {};
  try { found = JSON.parse(localStorage.getItem(name) ?? "{}"); } catch {
    // Not ours, or forbidden.
  }
  return { ...structuredClone(all), ...valid(found, all) };
}

/// The page's own, and what new conversations begin with.
const usual = load();

/// What holds now; changed with `change` only.
export const settings = structuredClone(usual);

const listeners = new Set();

/// Calls back after each change.
export function onSettings(body) { listeners.add(body); }

function tell() { for (const body of listeners) body(); }

/// Changes what holds for the open conversation, and for the page where it is the page's. The next conversation begins with the model.
export function change(fields) {
  Object.assign(settings, fields);
  const kept = pick(fields, { ...ofPage, model: null });
  if (Object.keys(kept).length) keep(kept);
  tell();
}

/// Keeps values in this browser; what another tab has set meanwhile stays.
export function keep(fields) {
  Object.assign(usual, load(), structuredClone(fields));
  try { localStorage.setItem(name, JSON.stringify(usual)); } catch {
    // Full or forbidden: they last as long as the page.
  }
}

// MARK: Conversations

/// What the open conversation has of its own.
export const setup = () => structuredClone(pick(settings, ofConversation));

/// Lets hold what a conversation has of its own; for the rest, what new ones begin with.
export function useSetup(found) {
  Object.assign(settings, structuredClone(pick(usual, ofConversation)), structuredClone(valid(found, ofConversation)));
  tell();
}

const withoutModel = ({ model, ...others }) => JSON.stringify(Object.entries(others).sort());

/// Whether new conversations begin with what this one has.
export const isUsual = () => withoutModel(setup()) === withoutModel(pick(usual, ofConversation));

/// Lets new conversations begin with what this one has.
export function makeUsual() {
  keep(setup());
  tell();
}

// Another tab has changed what is the page's.
addEventListener("storage", (event) => {
  if (event.key !== name) return;
  Object.assign(usual, load());
  Object.assign(settings, pick(usual, ofPage));
  tell();
});
