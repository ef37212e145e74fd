// The page's settings, kept in this browser.

const name = "open-leap-settings";

const usual = {
  model: null, system: "", sampling: {}, theme: "system",
  schemaOn: false, schema: "", toolsOn: false, tools: [], builtins: ["clock", "calculator"], serverTools: [], thinking: false, handsFree: false,
};

function load() {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "{}");
    // A value of another kind than expected is left out, whoever wrote it.
    const kept = Object.entries(found).filter(([key, value]) => key in usual
      && (usual[key] === null ? value === null || typeof value === "string"
        : typeof value === typeof usual[key] && Array.isArray(value) === Array.isArray(usual[key])));
    return { ...structuredClone(usual), ...Object.fromEntries(kept) };
  } catch {
    return structuredClone(usual);
  }
}

/// What is set; changed with `change` only.
export const settings = load();

const listeners = new Set();

/// Calls back after each change.
export function onSettings(body) { listeners.add(body); }

export function change(fields) {
  Object.assign(settings, fields);
  try { localStorage.setItem(name, JSON.stringify(settings)); } catch {
    // Full or forbidden: the settings last as long as the page.
  }
  for (const body of listeners) body();
}
