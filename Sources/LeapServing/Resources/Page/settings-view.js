// The settings: instructions, sampling, form, functions, looks.

import { byId, el, fill, uniqueId } from "/page/dom.js";
import { exampleTool, schemas, schemaText } from "/page/examples.js";
import { exportAll } from "/page/export.js";
import * as history from "/page/history.js";
import { icon } from "/page/icons.js";
import { loadServers } from "/page/mcp.js";
import { serverBoxes } from "/page/mcp-view.js";
import { notice } from "/page/notices.js";
import { describe, readSchema } from "/page/schema-form.js";
import { importConversations, on, session } from "/page/session.js";
import { change, isUsual, makeUsual, onSettings, settings } from "/page/store.js";
import { activeTools, builtins, readDefinition } from "/page/tools.js";

/// What a request calls a value, what the server calls the model's own, and the range of the slider.
const samplers = [
  { key: "temperature", own: "temperature", label: "Temperature", min: 0, max: 2, step: 0.05, hint: "0 always takes the likeliest token." },
  { key: "top_p", own: "top_p", label: "Top-p", min: 0.05, max: 1, step: 0.01 },
  { key: "top_k", own: "top_k", label: "Top-k", min: 0, max: 200, step: 1 },
  { key: "min_p", own: "min_p", label: "Min-p", min: 0, max: 1, step: 0.01 },
  { key: "repetition_penalty", own: "repeat_penalty", label: "Repetition penalty", min: 0.8, max: 2, step: 0.01 },
];

const redraws = [];

export function startSettings() {
  fill(byId("settings-body"), scope(), system(), sampling(), form(), functions(), conversations(), looks());
  byId("settings-button").addEventListener("click", () => toggle());
  byId("close-settings").addEventListener("click", () => toggle(false));
  byId("settings").addEventListener("close", () => {
    byId("settings-button").setAttribute("aria-expanded", "false");
    document.body.classList.remove("with-settings");
  });
  onSettings(redraw);
  on("model", redraw);
  redraw();
}

function redraw() {
  for (const body of redraws) body();
  if (settings.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

/// Opens or closes the settings, at a section where one is named.
export function toggle(isOpen = !byId("settings").open, section) {
  const dialog = byId("settings");
  if (!isOpen) {
    dialog.close();
    byId("settings-button").focus();
    return;
  }
  // Beside the conversation where there is room, over it where there is not.
  if (!dialog.open) {
    if (matchMedia("(min-width: 1100px)").matches) dialog.show();
    else dialog.showModal();
    loadServers();
  }
  document.body.classList.add("with-settings");
  byId("settings-button").setAttribute("aria-expanded", "true");
  const place = section ? byId(`section-${section}`) : null;
  place?.scrollIntoView();
  (place?.querySelector("textarea, input, select, button") ?? byId("close-settings")).focus();
}

function section(id, title, ...children) {
  return el("section", { id: `section-${id}`, "aria-labelledby": `title-${id}` }, el("h3", { id: `title-${id}` }, title), ...children);
}

// MARK: Sections

/// What the settings hold for.
function scope() {
  const button = el("button", { type: "button", class: "button", on: { click: () => { makeUsual(); notice("New conversations begin with these settings."); } } }, "Use for new conversations");
  redraws.push(() => { button.disabled = isUsual(); });
  return section("scope", "This conversation", el("p", { class: "note" }, "Model, instructions, sampling, form and functions belong to this conversation. Others keep their own."), el("div", { class: "row" }, button));
}

function system() {
  const field = el("textarea", { id: "system", rows: "3", placeholder: "You are a helpful assistant.", on: { input: () => change({ system: field.value }) } });
  redraws.push(() => { if (document.activeElement !== field) field.value = settings.system; });
  return section("system", "Instructions", el("label", { for: "system" }, "The model reads them before the conversation"), field);
}

function sampling() {
  const rows = samplers.map(samplerRow);
  const number = (key, label, hint) => {
    const id = uniqueId("sampling");
    const field = el("input", {
      id, type: "number", step: "1", inputmode: "numeric", placeholder: hint,
      on: { change: () => set(key, field.value.trim() === "" ? undefined : Math.trunc(Number(field.value))) },
    });
    redraws.push(() => { if (document.activeElement !== field) field.value = settings.sampling[key] ?? ""; });
    return el("div", { class: "setting inline" }, el("label", { for: id }, label), field);
  };
  const reset = el("button", { type: "button", class: "button", on: { click: () => { change({ sampling: {} }); } } }, "The model's own values");
  redraws.push(() => { reset.disabled = Object.keys(settings.sampling).length === 0; });
  return section("sampling", "Sampling", el("p", { class: "note" }, "If you set nothing, the model's own values apply: those shown in grey."), rows, number("max_tokens", "Tokens, at most", "no limit"), number("seed", "Seed", "new each time"), reset);
}

function set(key, value) {
  const sampling = { ...settings.sampling };
  if (value === undefined || !Number.isFinite(value)) delete sampling[key];
  else sampling[key] = value;
  change({ sampling });
}

function samplerRow({ key, own, label, min, max, step, hint }) {
  const id = uniqueId("sampling");
  const take = (text) => set(key, text.trim() === "" ? undefined : Math.min(max, Math.max(min, Number(text))));
  const field = el("input", { id, type: "number", min, max, step, inputmode: "decimal", on: { change: () => take(field.value) } });
  const slider = el("input", { type: "range", min, max, step, "aria-label": `${label}, slider`, on: { input: () => take(slider.value) } });
  const note = el("span", { class: "note" });
  redraws.push(() => {
    const usual = session.abilities?.sampling[own];
    const value = settings.sampling[key];
    field.placeholder = usual === undefined ? "" : String(usual);
    if (document.activeElement !== field) field.value = value ?? "";
    slider.value = value ?? usual ?? min;
    note.textContent = value === undefined || usual === undefined ? "" : `own: ${usual}`;
    field.closest(".setting").toggleAttribute("data-set", value !== undefined);
  });
  return el("div", { class: "setting" },
    el("div", { class: "setting-head" }, el("label", { for: id }, label), note, field), slider, hint ? el("p", { class: "note" }, hint) : null);
}

function form() {
  const error = el("p", { class: "note", role: "status" });
  const field = el("textarea", { id: "schema", rows: "9", spellcheck: "false", class: "mono", placeholder: '{"type": "object", "properties": …}', on: { input: () => { change({ schema: field.value }); } } });
  redraws.push(() => { if (document.activeElement !== field) field.value = settings.schema; });
  const examples = el("div", { class: "row wrap" }, Object.keys(schemas).map((name) => el("button", {
    type: "button", class: "button", on: { click: () => change({ schema: schemaText(name), schemaOn: true }) },
  }, name)));
  const active = toggleBox("Hold replies to this schema", () => settings.schemaOn, (isOn) => change({ schemaOn: isOn }));
  redraws.push(() => {
    const { text, isWrong } = judge(settings.schema);
    error.textContent = text;
    error.classList.toggle("error", isWrong);
    field.setAttribute("aria-invalid", String(isWrong));
  });
  return section("schema", "Form", active, el("label", { for: "schema" }, "JSON Schema"), field, error, el("p", { class: "note" }, "Examples"), examples);
}

function judge(text) {
  try {
    const schema = readSchema(text);
    if (!schema) {
      return settings.schemaOn ? { text: "The schema is missing: write one, or take an example below.", isWrong: true }
        : { text: "Replies become a form that fills while the model writes.", isWrong: false };
    }
    const fields = describe(schema);
    return { text: fields.length ? `Fields: ${fields.join(", ")}` : "The schema names no fields.", isWrong: false };
  } catch (error) {
    return { text: error.message, isWrong: true };
  }
}

function toggleBox(label, isOn, act) {
  const id = uniqueId("toggle");
  const box = el("input", { id, type: "checkbox", on: { change: () => act(box.checked) } });
  redraws.push(() => { box.checked = isOn(); });
  return el("div", { class: "setting check" }, box, el("label", { for: id }, label));
}

function functions() {
  const active = toggleBox("The model may call functions", () => settings.toolsOn, (isOn) => change({ toolsOn: isOn }));
  const own = Object.entries(builtins).map(([name, { title, definition }]) => toggleBox(`${title} (${definition.name})`,
    () => settings.builtins.includes(name),
    (isOn) => change({ builtins: isOn ? [...settings.builtins, name] : settings.builtins.filter((other) => other !== name) })));
  const list = el("ul", { class: "functions" });
  const error = el("p", { class: "error", role: "alert" });
  const field = el("textarea", { id: "function", rows: "8", spellcheck: "false", class: "mono" });
  field.value = JSON.stringify(exampleTool, null, 2);
  const add = (event) => {
    event.preventDefault();
    try {
      const definition = readDefinition(field.value);
      const others = settings.tools.filter((tool) => tool.name !== definition.name);
      error.textContent = "";
      change({ tools: [...others, definition], toolsOn: true });
    } catch (found) {
      error.textContent = found.message;
    }
  };
  redraws.push(() => fill(list, settings.tools.map((tool) => el("li", { class: "row" },
    el("code", {}, tool.name), el("span", { class: "note" }, tool.description),
    el("button", { type: "button", class: "icon-button small", "aria-label": `Remove ${tool.name}`, on: { click: () => { change({ tools: settings.tools.filter((other) => other !== tool) }); field.focus(); } } }, icon("trash"))))));
  const none = el("p", { class: "error note", role: "status" });
  redraws.push(() => {
    const isEmpty = settings.toolsOn && activeTools().length === 0;
    none.hidden = !isEmpty;
    none.textContent = isEmpty ? "No function is chosen: tick one, or add your own below." : "";
  });
  return section("tools", "Functions", active, none, own, serverBoxes(), list,
    el("form", { on: { submit: add } }, el("label", { for: "function" }, "A function of your own, as JSON"), field, error,
      el("div", { class: "row end" }, el("button", { type: "submit", class: "button" }, "Add the function"))),
    el("p", { class: "note" }, "You answer calls of your own functions by hand, in the conversation; tools of MCP servers run when you allow it. With Form on as well, the model calls functions and fills the form in the end."));
}

function conversations() {
  const all = async () => {
    const found = await history.all();
    if (found.length) exportAll(found);
    else notice("There are no conversations yet.");
  };
  const field = byId("import-input");
  field.addEventListener("change", async () => {
    const files = [...field.files];
    // So that the same file can be chosen again.
    field.value = "";
    for (const file of files) await importFile(file);
  });
  return section("conversations", "Conversations", el("p", { class: "note" }, "This browser alone stores them. To export a single conversation, use its menu in the list."),
    el("div", { class: "row wrap" }, el("button", { type: "button", class: "button", on: { click: all } }, icon("download"), "Export all as JSON"),
      el("button", { type: "button", class: "button", on: { click: () => field.click() } }, icon("upload"), "Import")),
    el("p", { class: "note" }, "Import reads this page's export, conversations.json of ChatGPT, and Open WebUI's export."));
}

/// Bytes of a file with conversations, at most.
const maxImport = 300_000_000;

async function importFile(file) {
  try {
    if (file.size > maxImport) throw new Error(`is too large: ${maxImport / 1e6} MB are taken.`);
    notice(await importConversations(await file.text()));
  } catch (error) {
    notice(`“${file.name}” ${error.message}`);
  }
}

function looks() {
  const id = uniqueId("theme");
  const names = { system: "As the system", light: "Light", dark: "Dark" };
  const field = el("select", { id, on: { change: () => change({ theme: field.value }) } }, Object.entries(names).map(([value, name]) => el("option", { value }, name)));
  redraws.push(() => { field.value = settings.theme; });
  return section("looks", "Appearance", el("div", { class: "setting inline" }, el("label", { for: id }, "Colours"), field));
}
