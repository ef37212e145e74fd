// swift-format-ignore-file
// Written by Scripts/embed-page from the folder Page.

extension PageFile {
    /// The folder's files.
    static let all: [PageFile] = [
        PageFile(
            name: "api.js",
            text: #"""
// Speaks the server's public API.

import { documents, events } from "/page/stream.js";

const storedKey = "open-leap-key";

/// A request that was refused, or got no answer.
class RequestFailure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
  /// Whether nobody answered.
  get isGone() { return this.status === 0; }
}

/// What the page does about a missing key and a server that is gone; set by the page.
export const hooks = { askForKey: async () => false, gone: () => {}, back: () => {} };

export function setKey(key) { sessionStorage.setItem(storedKey, key); }

async function send(path, { body, method = body === undefined ? "GET" : "POST", signal } = {}) {
  for (;;) {
    const headers = {};
    const key = sessionStorage.getItem(storedKey);
    if (key) headers.authorization = `Bearer ${key}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    let response;
    try {
      response = await fetch(path, {
        method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", credentials: "omit",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      hooks.gone();
      throw new RequestFailure("The server does not answer.", 0);
    }
    hooks.back();
    if (response.ok) return response;
    if (response.status === 401) {
      // A key that was given while this answer was on its way has not been tried yet.
      if (sessionStorage.getItem(storedKey) !== key) continue;
      if (await hooks.askForKey(key !== null)) continue;
    }
    let message = `The server answered with status ${response.status}.`;
    try {
      const document = await response.json();
      message = document.error?.message ?? document.error ?? message;
    } catch {
      // Not JSON; the status has to do.
    }
    throw new RequestFailure(String(message), response.status);
  }
}

const json = async (path, options) => (await send(path, options)).json();

export const models = async () => (await json("/v1/models")).data;

/// What a model can do; loads it.
export async function show(model) {
  const found = await json("/api/show", { body: { model } });
  const sampling = {};
  for (const line of (found.parameters ?? "").split("\n")) {
    const [name, value] = line.trim().split(/\s+/);
    if (name && value !== undefined && Number.isFinite(Number(value))) sampling[name] = Number(value);
  }
  return {
    capabilities: found.capabilities ?? [], sampling,
    context: found.model_info?.["general.context_length"] ?? 0,
  };
}

/// The pieces of a reply.
export async function* chat(request, signal) {
  const response = await send("/v1/chat/completions", {
    body: { ...request, stream: true, stream_options: { include_usage: true } }, signal,
  });
  for await (const event of arriving(events(response.body), signal)) {
    if (event.error) throw new RequestFailure(event.error.message ?? "The reply failed.", response.status);
    yield event;
  }
}

/// What arrives of a body, or why it ended early.
async function* arriving(pieces, signal) {
  try {
    yield* pieces;
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SyntaxError) throw new RequestFailure("The server sent something that is no reply.", 200);
    hooks.gone();
    throw new RequestFailure("The connection to the server broke.", 0);
  }
}

/// A realtime session with a model. A browser lets a page give the key as a subprotocol only.
export function realtime(model) {
  const address = new URL(`/v1/realtime?model=${encodeURIComponent(model)}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const key = sessionStorage.getItem(storedKey);
  return new WebSocket(address, key ? ["realtime", `openai-insecure-api-key.${key}`] : ["realtime"]);
}

/// How far the fetching of a model is, in the steps that the server tells.
export async function* pull(model, signal) {
  const response = await send("/api/pull", { body: { model }, signal });
  if (!response.headers.get("content-type")?.includes("ndjson")) {
    yield await response.json();
    return;
  }
  for await (const step of arriving(documents(response.body), signal)) {
    if (step.error) throw new RequestFailure(step.error, response.status);
    yield step;
  }
}

/// Whether the server answers.
export async function isThere() {
  try {
    const there = (await fetch("/health", { cache: "no-store" })).ok;
    if (there) hooks.back();
    return there;
  } catch {
    return false;
  }
}

"""#),
        PageFile(
            name: "app.js",
            text: #"""
// Puts the page together.

import * as api from "/page/api.js";
import { startAttach } from "/page/attach.js";
import { needs, startComposer } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { startDrop } from "/page/drop.js";
import { drawIcons } from "/page/icons.js";
import { startKeyboard } from "/page/keyboard.js";
import { startMessages } from "/page/messages.js";
import { startModels } from "/page/models-view.js";
import { announce, banner } from "/page/notices.js";
import { chooseModel, loadModels, session } from "/page/session.js";
import { startSettings, toggle } from "/page/settings-view.js";
import { startSidebar } from "/page/sidebar.js";
import { settings } from "/page/store.js";
import { startVoice } from "/page/voice-view.js";
import { startWelcome } from "/page/welcome.js";

// MARK: The server

let isGone = false;
let asking = null;

api.hooks.askForKey = (wasGiven) => {
  asking ??= new Promise((resolve) => {
    const dialog = byId("key-dialog");
    const error = byId("key-error");
    error.hidden = !wasGiven;
    error.textContent = wasGiven ? "The server does not know this key." : "";
    byId("key").value = "";
    byId("key-form").onsubmit = (event) => {
      event.preventDefault();
      api.setKey(byId("key").value.trim());
      dialog.close("given");
    };
    dialog.returnValue = "";
    dialog.showModal();
    dialog.addEventListener("close", () => { asking = null; resolve(dialog.returnValue === "given"); }, { once: true });
  });
  return asking;
};

api.hooks.gone = () => {
  if (isGone) return;
  isGone = true;
  banner(`The server at ${location.host} does not answer. Is “leap serve” still running?`, "Try again", look);
  look();
};

api.hooks.back = () => {
  if (!isGone) return;
  isGone = false;
  banner("");
  announce("The server answers again.");
};

async function look() {
  if (await api.isThere()) start();
  else if (isGone) setTimeout(look, 3000);
}

async function start() {
  try {
    await loadModels();
    if (!session.abilities && !session.modelError) await chooseModel(settings.model);
  } catch (error) {
    if (!error.isGone) banner(error.message, "Try again", () => { banner(""); start(); });
  }
}

// MARK: The parts

drawIcons();
startSettings();
startMessages();
startModels();
startComposer();
startAttach();
startDrop();
startVoice();
startKeyboard();
startWelcome();
needs.settings = (section) => toggle(true, section);
startSidebar();
start();
if (matchMedia("(hover: hover)").matches) byId("input").focus();

"""#),
        PageFile(
            name: "attach.js",
            text: #"""
// The button that attaches files: phones drop nothing, and keyboards neither.

import { byId } from "/page/dom.js";
import { kinds, take, takenKinds } from "/page/files.js";
import { on } from "/page/session.js";

/// Files of text, by what browsers and systems call them; a system need not know a type for each name.
const texts = ["text/*", "application/json", "application/xml", ".md", ".json", ".jsonl", ".csv", ".log", ".yaml", ".yml", ".toml", ".xml"];

/// Called with the files that are chosen next; null for what the button does.
let then = null;

export function startAttach() {
  const field = byId("file-input");
  byId("attach").addEventListener("click", () => pick());
  field.addEventListener("change", async () => {
    const files = [...field.files];
    // So that the same file can be chosen again.
    field.value = "";
    const afterwards = then;
    then = null;
    await take(files);
    if (files.length) afterwards?.();
    byId("input").focus();
  });
  on("model", label);
  label();
}

/// Lets the person choose files.
///
/// - types: the kinds that are offered; text and what the model takes without them.
/// - afterwards: called when some were chosen and taken.
export function pick(types, afterwards = null) {
  const field = byId("file-input");
  then = afterwards;
  field.accept = types ? types.map((type) => `${type}/*`).join(",") : [...takenKinds().map((type) => `${type}/*`), ...texts].join(",");
  field.click();
}

function label() {
  const taken = [...takenKinds().map((type) => kinds[type].plural), "text files"];
  byId("attach").title = `Attach ${taken.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}

"""#),
        PageFile(
            name: "calculator.js",
            text: #"""
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
    throw new Error(`“${token ?? "the end"}” is nothing to reckon with`);
  }

  const value = sum();
  if (at < tokens.length) throw new Error(`“${tokens[at]}” is too much`);
  if (!Number.isFinite(value)) throw new Error("the result is no finite number");
  return Number(value.toPrecision(15));
}

"""#),
        PageFile(
            name: "composer.js",
            text: #"""
// Where messages are written.

import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { actions, latest } from "/page/messages.js";
import { notice } from "/page/notices.js";
import { activeSchema, can, liveSpeed, on, send, session, stop } from "/page/session.js";
import { change, onSettings, settings } from "/page/store.js";
import { activeTools } from "/page/tools.js";

/// The message that is being edited; null for a new one.
let editing = null;
let files = [];

/// Opens the settings at a section; set by the page.
export const needs = { settings: () => {} };

export function startComposer() {
  const input = byId("input");
  input.addEventListener("input", grow);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && input.value === "" && !event.altKey && !editing && latest("user")) {
      event.preventDefault();
      edit(latest("user"));
    } else if (event.key === "Escape" && editing && !session.running) {
      event.stopPropagation();
      endEditing();
    }
  });
  byId("composer").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  byId("stop").addEventListener("click", () => { stop(); input.focus(); });
  byId("cancel-edit").addEventListener("click", endEditing);
  byId("schema-chip").addEventListener("click", () => {
    change({ schemaOn: !settings.schemaOn });
    if (settings.schemaOn && !activeSchema()) needs.settings("schema");
  });
  byId("tools-chip").addEventListener("click", () => {
    change({ toolsOn: !settings.toolsOn });
    if (settings.toolsOn && activeTools().length === 0) needs.settings("tools");
  });
  byId("complete").addEventListener("click", () => needs.settings(lack()?.section));
  byId("without").addEventListener("click", () => { change(lack()?.off ?? {}); byId("input").focus(); });
  byId("thinking-chip").addEventListener("click", () => change({ thinking: !settings.thinking }));
  actions.edit = edit;
  onSettings(chips);
  on("model", chips);
  on("conversation", () => { if (editing && session.conversation.nodes[editing.id] !== editing) endEditing(); state(); });
  setInterval(live, 250);
  chips();
  state();
}

function grow() {
  const input = byId("input");
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, window.innerHeight * 0.4)}px`;
}

function submit() {
  const input = byId("input");
  const text = input.value.trim();
  if (!text && files.length === 0) { notice("Write a message first, or attach a file."); input.focus(); return; }
  if (!settings.model) { notice("There is no model yet: fetch one first."); return; }
  if (lack()?.section === "schema") { needs.settings("schema"); return; }
  const unread = session.abilities && files.find((file) => !can(file.kind === "picture" ? "vision" : "audio"));
  if (unread) {
    notice(`${settings.model} takes no ${unread.kind === "picture" ? "pictures" : "sound"}: remove “${unread.name}”, or choose another model.`);
    return;
  }
  const options = { replacing: editing, files: files.length ? files : undefined };
  input.value = "";
  files = [];
  showFiles();
  endEditing();
  send(text, options);
  byId("main").scrollTop = byId("main").scrollHeight;
}

function edit(node) {
  editing = node;
  files = [...node.files ?? []];
  showFiles();
  byId("editing").hidden = false;
  const input = byId("input");
  input.value = node.content;
  grow();
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

function endEditing() {
  if (editing) {
    byId("input").value = "";
    files = [];
    showFiles();
  }
  editing = null;
  byId("editing").hidden = true;
  grow();
  byId("input").focus();
}

/// Puts a text into the field, for the person to go on with.
export function write(text) {
  const input = byId("input");
  input.value = text;
  grow();
  input.focus();
}

/// What is missing before the form or the functions that are switched on can be used; null where nothing is.
function lack() {
  if (settings.schemaOn && !activeSchema()) {
    const text = settings.schema.trim() ? "Form is on, but its schema cannot be read." : "Form is on, but it has no fields yet: its schema is missing.";
    return { section: "schema", text, action: settings.schema.trim() ? "Correct it" : "Choose a schema", off: { schemaOn: false } };
  }
  if (settings.toolsOn && activeTools().length === 0) {
    return { section: "tools", text: "Tools is on, but no function is chosen.", action: "Choose functions", off: { toolsOn: false } };
  }
  return null;
}

function chips() {
  const missing = lack();
  byId("missing").hidden = missing === null;
  byId("missing-text").textContent = missing?.text ?? "";
  byId("complete").textContent = missing?.action ?? "";
  const schema = byId("schema-chip");
  schema.setAttribute("aria-pressed", String(settings.schemaOn));
  schema.title = "Replies are held to a JSON Schema and shown as a form";
  const tools = byId("tools-chip");
  tools.setAttribute("aria-pressed", String(settings.toolsOn));
  tools.title = settings.schemaOn ? "The model may call functions before it fills the form" : "The model may call functions";
  const thinking = byId("thinking-chip");
  thinking.hidden = !can("thinking");
  thinking.setAttribute("aria-pressed", String(settings.thinking));
  byId("input").placeholder = settings.model ? `Message ${settings.model}` : "Write a message";
}

function state() {
  byId("send").hidden = session.running !== null;
  byId("stop").hidden = session.running === null;
  live();
}

function live() {
  const speed = liveSpeed();
  const { running } = session;
  byId("live").textContent = !running ? "" : speed ? `${running.pieces} tokens · ${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s` : "";
}

// MARK: Files

export function addFile(file) { files.push(file); showFiles(); }

function showFiles() {
  const list = byId("attachments");
  list.hidden = files.length === 0;
  fill(list, files.map((file) => el("li", {},
    file.kind === "picture" ? el("img", { src: file.data, alt: "" }) : icon("wave"), el("span", {}, file.name),
    el("button", {
      type: "button", class: "icon-button small", "aria-label": `Remove ${file.name}`,
      on: { click: () => { files = files.filter((other) => other !== file); showFiles(); byId("input").focus(); } },
    }, icon("close")))));
}

"""#),
        PageFile(
            name: "conversation-menu.js",
            text: #"""
// What can be done with a conversation of the list.

import { byId, el, fill } from "/page/dom.js";
import { exportConversation } from "/page/export.js";
import { icon } from "/page/icons.js";

/// The button that the menu belongs to.
let opener = null;

export function startMenu() {
  const menu = byId("conversation-menu");
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) items.at(next % items.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    // Escape closes the menu alone.
    event.stopPropagation();
  });
  menu.addEventListener("toggle", ({ newState }) => {
    opener?.setAttribute("aria-expanded", String(newState === "open"));
    if (newState === "open") return;
    menu.removeAttribute("style");
    if (document.activeElement === document.body) opener?.focus();
  });
}

/// Opens the menu under a button; `rename` and `remove` are called for what the page's list does itself.
export function openMenu(button, conversation, { rename, remove }) {
  const menu = byId("conversation-menu");
  const item = (drawing, label, body, kind = "") => el("button", {
    type: "button", role: "menuitem", class: kind, tabindex: "-1", on: { click: () => { close(); body(); } },
  }, icon(drawing), label);
  fill(menu,
    item("edit", "Rename", rename),
    item("download", "Export as Markdown", () => exportConversation(conversation, "markdown")),
    item("download", "Export as JSON", () => exportConversation(conversation, "json")),
    item("trash", "Delete", remove, "danger"));
  opener = button;
  menu.showPopover();
  const box = button.getBoundingClientRect();
  // Under the button, or over it where there is no room.
  const isLow = box.bottom + menu.offsetHeight + 8 > innerHeight;
  menu.style.top = `${Math.max(8, isLow ? box.top - menu.offsetHeight - 4 : box.bottom + 4)}px`;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.querySelector("button").focus();
}

function close() {
  byId("conversation-menu").hidePopover();
  opener?.focus();
}

"""#),
        PageFile(
            name: "dom.js",
            text: #"""
// Makes nodes. Text only ever becomes a text node: nothing in this page parses HTML.

const asProperty = new Set(["value", "checked", "disabled", "hidden", "open", "readOnly", "selected", "indeterminate"]);
const allowed = /^(?:aria-[a-z]+|data-[a-z-]+|class|id|for|type|name|role|href|rel|target|title|src|alt|width|height|rows|cols|min|max|step|placeholder|tabindex|lang|dir|start|scope|download|autocomplete|spellcheck|inputmode|list|align|accept|colspan|maxlength)$/;

/// An element with properties, attributes, listeners (`on: {click}`) and children, which are nodes, text or nothing.
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (asProperty.has(name)) {
      node[name] = value;
    } else if (allowed.test(name)) {
      if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
    } else {
      throw new TypeError(`el: ${name} is no attribute of this page`);
    }
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(node, child);
    else if (child !== undefined && child !== null && child !== false) node.append(child);
  }
}

/// The element with an id, which the page has.
export const byId = (id) => document.getElementById(id);

/// Gives the person a file that was made in the page.
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  // Some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/// Puts children in the place of those there are.
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
}

/// An id that no other element has.
let count = 0;
export const uniqueId = (prefix) => `${prefix}-${++count}`;

/// Calls a function once per frame, however often it is asked to.
export function framed(body) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    // A page in the background has no frames, and still takes what arrives.
    const run = () => {
      if (!waits) return;
      waits = false;
      body();
    };
    if (document.hidden) setTimeout(run, 100);
    else requestAnimationFrame(run);
  };
}

"""#),
        PageFile(
            name: "drop.js",
            text: #"""
// Files that are dropped on the page or pasted into the field.

import { byId } from "/page/dom.js";
import { kinds, modelName, take, takenKinds } from "/page/files.js";

export function startDrop() {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const show = (isOver) => {
    byId("drop").hidden = !isOver;
    byId("drop-text").textContent = accepted();
  };
  document.addEventListener("dragenter", (event) => { if (hasFiles(event)) { event.preventDefault(); depth += 1; show(true); } });
  document.addEventListener("dragleave", (event) => { if (hasFiles(event)) { depth = Math.max(0, depth - 1); if (depth === 0) show(false); } });
  document.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    take([...event.dataTransfer.files]);
  });
  byId("input").addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}

function accepted() {
  const taken = takenKinds().map((type) => kinds[type].plural);
  return taken.length ? `Drop ${taken.join(", ")} or text files` : `${modelName()} reads text: drop text files`;
}

"""#),
        PageFile(
            name: "examples.js",
            text: #"""
// What people begin with: schemas and a function.

export const schemas = {
  Person: { type: "object", properties: { name: { type: "string" }, age: { type: "integer", minimum: 0, maximum: 150 }, city: { type: "string" } }, required: ["name", "age", "city"] },
  Joke: { type: "object", properties: { text: { type: "string" }, category: { enum: ["animal", "food", "school", "work", "other"] }, rating: { type: "integer", minimum: 1, maximum: 10 }, kidFriendly: { type: "boolean" } }, required: ["text", "category", "rating", "kidFriendly"] },
  Recipe: { type: "object", properties: { name: { type: "string" }, ingredients: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 8 }, cookingTimeMinutes: { type: "integer", minimum: 1, maximum: 240 } }, required: ["name", "ingredients", "cookingTimeMinutes"] },
};

/// A schema as the settings show it.
export const schemaText = (name) => JSON.stringify(schemas[name], null, 2);

export const exampleTool = { name: "get_weather", description: "Current weather of a city", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } };

"""#),
        PageFile(
            name: "export.js",
            text: #"""
// Conversations as files that are made in the page.

import { download } from "/page/dom.js";
import { fenced } from "/page/markdown.js";
import { path, requestMessages } from "/page/tree.js";

/// Gives a conversation as a file: `markdown` to read, `json` with everything.
export function exportConversation(conversation, kind) {
  const name = fileName(conversation);
  if (kind === "markdown") download(`${name}.md`, "text/markdown;charset=utf-8", markdown(conversation));
  else download(`${name}.json`, "application/json", `${JSON.stringify(record(conversation), null, 2)}\n`);
}

/// Gives all conversations as one file of JSON.
export function exportAll(conversations) {
  const all = { format: "open-leap-conversations", version: 1, conversations: conversations.map(record) };
  download(`${day(Date.now())}-conversations.json`, "application/json", `${JSON.stringify(all, null, 2)}\n`);
}

const day = (time) => new Date(time).toISOString().slice(0, 10);

/// A name that every system takes.
function fileName({ title, created }) {
  const words = title.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return [day(created), words || "conversation"].join("-");
}

/// A conversation as data: the messages that are shown, as requests carry them, and the tree with all branches.
export function record(conversation) {
  const { title, created, updated, leaf } = conversation;
  const shown = new Set(path(conversation));
  const nodes = Object.values(conversation.nodes).map((node) => (node.files && shown.has(node)
    // What they hold is in the messages already.
    ? { ...node, files: node.files.map(({ kind, name }) => ({ kind, name })) } : node));
  return {
    format: "open-leap-conversation", version: 1, title, created: new Date(created).toISOString(), updated: new Date(updated).toISOString(),
    messages: requestMessages(conversation, ""), tree: { leaf, nodes },
  };
}

/// The messages that are shown, to read.
export function markdown(conversation) {
  const parts = [`# ${conversation.title.replace(/\s+/g, " ").trim() || "Conversation"}`, `*${new Date(conversation.created).toLocaleString()}*`];
  for (const node of path(conversation)) {
    if (node.role === "user") parts.push("## You");
    else if (node.role === "assistant") parts.push(`## ${node.model ?? "Model"}`);
    for (const file of node.files ?? []) parts.push(`*${file.kind === "picture" ? "Picture" : "Sound"}: ${file.name}*`);
    if (node.reasoning) parts.push(`<details><summary>Reasoning</summary>\n\n${closed(node.reasoning.trim())}\n\n</details>`);
    if (node.role === "tool") parts.push("Result:", fenced(node.content, ""));
    else if (node.schema && node.content) parts.push(fenced(node.content, "json"));
    else if (node.content) parts.push(closed(node.content.trim()));
    for (const call of node.calls ?? []) parts.push(`Call of \`${call.function.name}\`:`, fenced(call.function.arguments, "json"));
    if (node.error) parts.push(`*The reply broke off: ${node.error}*`);
  }
  return `${parts.join("\n\n")}\n`;
}

/// Markdown whose code ends with it: a reply that was cut off would take what follows into its own.
function closed(text) {
  let open = null;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!mark) continue;
    if (!open) open = mark[1];
    else if (mark[1][0] === open[0] && mark[1].length >= open.length && !mark[2].trim()) open = null;
  }
  return open ? `${text}\n${open}` : text;
}

"""#),
        PageFile(
            name: "files.js",
            text: #"""
// Files for a message, however they come: text joins the message; pictures and sound are taken where the model takes them.

import { addFile, write } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { fenced } from "/page/markdown.js";
import { mediaAddress } from "/page/media.js";
import { notice } from "/page/notices.js";
import { can, session } from "/page/session.js";
import { settings } from "/page/store.js";

const maxText = 200_000;

/// What files may be besides text, by the first part of their type.
export const kinds = {
  image: { kind: "picture", ability: "vision", plural: "pictures" }, audio: { kind: "sound", ability: "audio", plural: "sound" },
};

export const modelName = () => settings.model ?? "This model";

/// What besides text the model takes.
export const takenKinds = () => Object.keys(kinds).filter((type) => can(kinds[type].ability));

/// Takes files, in their order. What cannot be taken is told.
export async function take(files) {
  for (const file of files) {
    const kind = kinds[file.type.split("/")[0]];
    if (kind && !can(kind.ability)) {
      notice(session.abilities
        ? `${modelName()} takes no ${kind.plural}, so “${file.name}” was left out. ${others(kind)}`
        : `“${file.name}” was left out: the server has not said yet what ${modelName()} takes.`);
    } else if (kind) {
      await addMedia(file, kind.kind);
    } else if (file.size > maxText) {
      notice(`“${file.name}” is too large for a message: ${maxText / 1000} kB of text are taken.`);
    } else {
      await addText(file);
    }
  }
}

/// What helps where a model takes no files of a kind.
function others({ ability, plural }) {
  const able = session.models.find((model) => model.architecture?.input_modalities?.includes(ability === "vision" ? "image" : "audio"));
  return able ? `Choose a model that takes ${plural}, such as ${able.id}.` : "It reads text: text files can be attached.";
}

async function addMedia(file, kind) {
  try {
    addFile({ kind, name: file.name, data: await mediaAddress(file, kind) });
  } catch (error) {
    notice(`“${file.name}” ${error.message}`);
  }
}

async function addText(file) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new TypeError("not text");
  } catch {
    notice(`“${file.name}” is not a text, and ${modelName()} takes no other files of its kind.`);
    return;
  }
  const before = byId("input").value;
  write(`${before}${before && !before.endsWith("\n") ? "\n" : ""}${file.name}:\n${fenced(text, "")}\n`);
}

"""#),
        PageFile(
            name: "highlight.js",
            text: #"""
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
  css: { block: ["/*", "*/"], quotes: ['"', "'"], words: words("important media supports import from to") },
};
const aliases = {
  js: "javascript", jsx: "javascript", ts: "javascript", tsx: "javascript", typescript: "javascript", py: "python", cpp: "c", "c++": "c", h: "c",
  objc: "c", cs: "java", csharp: "java", kotlin: "java", kt: "java", rs: "rust", golang: "go", sh: "shell", bash: "shell", zsh: "shell", console: "shell",
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

"""#),
        PageFile(
            name: "history.js",
            text: #"""
// Keeps conversations in this browser's IndexedDB; in memory where the browser refuses.

const memory = new Map();
let opening;

function open() {
  opening ??= new Promise((resolve) => {
    let request;
    try { request = indexedDB.open("open-leap", 1); } catch { resolve(null); return; }
    request.onupgradeneeded = () => request.result.createObjectStore("conversations", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
  return opening;
}

async function run(mode, body) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("conversations", mode);
    const request = body(transaction.objectStore("conversations"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

const channel = new BroadcastChannel("open-leap");

/// Calls back when another tab changed something.
export function onChange(body) { channel.onmessage = body; }

/// Whether conversations outlive the page.
export const isKept = async () => (await open()) !== null;

/// All conversations, the latest first.
export async function all() {
  const found = (await run("readonly", (store) => store.getAll())) ?? [...memory.values()];
  return found.sort((a, b) => b.updated - a.updated);
}

export async function save(conversation) {
  memory.set(conversation.id, conversation);
  await run("readwrite", (store) => store.put(conversation));
  channel.postMessage("changed");
}

export async function remove(id) {
  memory.delete(id);
  await run("readwrite", (store) => store.delete(id));
  channel.postMessage("changed");
}

"""#),
        PageFile(
            name: "icon.svg",
            text: #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#0b6e5f"/>
  <path d="M6 23c2-10 12-10 14 0" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
  <circle cx="24.500" cy="11" r="3.200" fill="#9fe8d4"/>
</svg>

"""#),
        PageFile(
            name: "icons.js",
            text: #"""
// Line drawings on a grid of 24, and their nodes.

const paths = {
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h10",
  down: "M7 10l5 5 5-5",
  left: "M14 7l-5 5 5 5",
  right: "M10 7l5 5-5 5",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M8 8h8v8H8z",
  sliders: "M4 8h9M19 8h1M4 16h1M11 16h9M16 5.500v5M8 13.500v5",
  keyboard: "M3 7h18v10H3zM7 10.500h.01M11 10.500h.01M15 10.500h.01M8 14h8",
  copy: "M9 9h10v10H9zM5 15V5h10",
  check: "M5 12.500l4.500 4.500L19 7.500",
  edit: "M5 19l1-4L16 5l3 3L9 18l-4 1zM14 7l3 3",
  again: "M19 12a7 7 0 1 1-2-5M19 4v4h-4",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.500 11v4.500M13.500 11v4.500",
  tool: "M14.500 6.500a4 4 0 0 0-5 5L4.500 16.500l3 3 5-5a4 4 0 0 0 5-5l-2.500 2.500-2.500-.5-.5-2.500z",
  form: "M5 5h14v14H5zM8 9.500h2M12.500 9.500H16M8 14.500h2M12.500 14.500H16",
  thought: "M9 17a6 6 0 1 1 6 0v1H9zM10 21h4",
  file: "M7 4h7l4 4v12H7zM14 4v4h4",
  microphone: "M9.500 6a2.500 2.500 0 0 1 5 0v5a2.500 2.500 0 0 1-5 0zM6 11a6 6 0 0 0 12 0M12 17v3.500",
  attach: "M19 11.500l-7.200 7.200a4.400 4.400 0 0 1-6.200-6.200l7.600-7.600a2.900 2.900 0 0 1 4.100 4.100l-7.500 7.500a1.450 1.450 0 0 1-2.100-2.100l6.600-6.600",
  picture: "M4 5h16v14H4zM4 16.500l4.500-4.500 4 4 2.500-2.500 5 4.500M15.500 9h.01",
  eye: "M3 12s3.300-6 9-6 9 6 9 6-3.300 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5",
  wave: "M4 10.500v3M8 7.500v9M12 4.500v15M16 8v8M20 10.500v3",
  speaker: "M4 10v4h3l4 3.500v-11L7 10zM14.500 9.500a3.500 3.500 0 0 1 0 5M17 7a7 7 0 0 1 0 10",
  text: "M5 6h14M5 10.500h14M5 15h9",
  vector: "M5 19V5M5 19h14M5 19l9-9M14 14v-4h-4",
  clock: "M12 4.500a7.500 7.500 0 1 0 0 15a7.500 7.500 0 1 0 0-15zM12 8v4.500l3 2",
  search: "M11 5a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM15.500 15.500L20 20",
  more: "M5.800 11.800h.4v.4h-.4zM11.800 11.800h.4v.4h-.4zM17.800 11.800h.4v.4h-.4z",
  download: "M12 4v11M7.500 10.500L12 15l4.500-4.500M5 19.500h14",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17.300h.01",
};

/// A drawing, hidden from screen readers: the button around it has a label.
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/// Draws what the document's own elements ask for.
export function drawIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.prepend(icon(node.dataset.icon));
}

"""#),
        PageFile(
            name: "index.html",
            text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>Open Leap</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css">
<script type="module" src="/page/app.js"></script>
</head>
<body>
<a class="skip" href="#input">Skip to the message field</a>

<aside id="sidebar" aria-label="Conversations">
  <div class="brand">
    <img src="/page/icon.svg" alt="" width="28" height="28">
    <span>Open Leap</span>
    <button type="button" id="close-sidebar" class="icon-button narrow" aria-label="Close the list of conversations" data-icon="close"></button>
  </div>
  <button type="button" id="new-chat" class="wide-button" aria-keyshortcuts="Alt+N"><span data-icon="plus"></span>New conversation</button>
  <div id="search-box" class="search-box" role="search" hidden>
    <label for="search" class="hidden">Search the conversations</label>
    <span data-icon="search" aria-hidden="true"></span>
    <input id="search" type="text" inputmode="search" placeholder="Search" autocomplete="off" spellcheck="false" autocapitalize="off" aria-keyshortcuts="Alt+K">
    <button type="button" id="clear-search" class="icon-button small" aria-label="Clear the search" data-icon="close" hidden></button>
  </div>
  <nav aria-label="Conversations"><ul id="conversations"></ul>
    <p id="search-note" class="note" hidden></p></nav>
  <p id="sidebar-note" class="note">Conversations stay in this browser.</p>
  <div id="conversation-menu" class="menu" popover role="menu" aria-label="Conversation"></div>
</aside>
<div id="scrim" hidden></div>

<div id="frame">
  <header>
    <button type="button" id="open-sidebar" class="icon-button narrow" aria-label="Conversations" data-icon="menu"></button>
    <button type="button" id="model-button" aria-haspopup="dialog" aria-keyshortcuts="Alt+M">
      <span class="model-name" id="model-name">Model</span><span data-icon="down"></span>
    </button>
    <span id="model-state" class="note"></span>
    <span class="spacer"></span>
    <div id="context" class="context" hidden>
      <span id="context-text"></span>
      <progress id="context-bar" max="1" value="0" aria-label="Context in use"></progress>
    </div>
    <button type="button" id="help-button" class="icon-button wide" aria-label="Keyboard shortcuts" aria-haspopup="dialog" aria-keyshortcuts="Control+/" data-icon="keyboard"></button>
    <button type="button" id="settings-button" class="icon-button" aria-label="Settings" aria-expanded="false" aria-controls="settings" aria-keyshortcuts="Alt+S" data-icon="sliders"></button>
  </header>

  <div id="banner" role="alert" hidden></div>

  <main id="main" tabindex="-1" aria-label="Conversation">
    <h1 id="title" class="hidden">Open Leap</h1>
    <div id="welcome" hidden></div>
    <div id="messages" role="log" aria-live="off" aria-label="Messages"></div>
  </main>

  <footer>
    <div id="notice" role="status" hidden></div>
    <form id="composer" aria-label="New message">
      <p id="editing" hidden><span>Editing a message: sending makes a new branch.</span>
        <button type="button" id="cancel-edit" class="text-button">Cancel</button></p>
      <p id="missing" hidden><span id="missing-text" role="status"></span>
        <span class="missing-actions"><button type="button" id="complete" class="text-button"></button>
          <button type="button" id="without" class="text-button">Turn it off</button></span></p>
      <ul id="attachments" aria-label="Attached files" hidden></ul>
      <label for="input" class="hidden">Message</label>
      <textarea id="input" rows="1" placeholder="Write a message" autocomplete="off" spellcheck="true"></textarea>
      <div class="composer-row">
        <button type="button" id="attach" class="icon-button" aria-label="Attach files" aria-keyshortcuts="Alt+A" data-icon="attach"></button>
        <input type="file" id="file-input" multiple hidden tabindex="-1" aria-label="Files to attach">
        <div class="chips"><button type="button" id="schema-chip" class="chip" aria-pressed="false"><span data-icon="form"></span>Form</button>
        <button type="button" id="tools-chip" class="chip" aria-pressed="false"><span data-icon="tool"></span>Tools</button>
        <button type="button" id="thinking-chip" class="chip" aria-pressed="false" hidden><span data-icon="thought"></span>Thinking</button></div>
        <span class="spacer"></span>
        <span id="live" class="live" aria-hidden="true"></span>
        <button type="button" id="voice-button" class="icon-button" aria-label="Speak with the model" title="Speak with the model" aria-haspopup="dialog" aria-keyshortcuts="Alt+V" data-icon="microphone" hidden></button>
        <button type="submit" id="send" class="round" aria-label="Send" data-icon="send"></button>
        <button type="button" id="stop" class="round" aria-label="Stop" aria-keyshortcuts="Escape" data-icon="stop" hidden></button>
      </div>
    </form>
    <p class="note hint">Models make mistakes: check what matters.</p>
  </footer>
</div>

<dialog id="settings" class="panel" aria-labelledby="settings-title">
  <div class="panel-head"><h2 id="settings-title">Settings</h2>
    <button type="button" class="icon-button" id="close-settings" aria-label="Close the settings" data-icon="close"></button></div>
  <div id="settings-body" class="panel-body"></div>
</dialog>

<dialog id="models" class="sheet" aria-labelledby="models-title">
  <div class="panel-head"><h2 id="models-title">Models</h2>
    <button type="button" class="icon-button" id="close-models" aria-label="Close the list of models" data-icon="close"></button></div>
  <div class="panel-body">
    <ul id="model-list" class="choices"></ul>
    <form id="pull-form">
      <label for="pull-name">Fetch a model</label>
      <div class="row"><input id="pull-name" placeholder="LFM2-1.2B:Q4_K_M" autocomplete="off" spellcheck="false" autocapitalize="off">
        <button type="submit" class="button">Fetch</button></div>
      <p id="pull-error" class="error note" role="alert" hidden></p>
      <p class="note">A name of the LEAP library, or hf:OWNER/REPOSITORY:QUANTIZATION of Hugging Face.</p>
    </form>
    <ul id="pulls" aria-label="Models being fetched"></ul>
  </div>
</dialog>

<dialog id="voice" class="sheet small" aria-labelledby="voice-title">
  <div class="panel-head"><h2 id="voice-title">Speak</h2>
    <button type="button" class="icon-button" id="close-voice" aria-label="End the spoken conversation" aria-keyshortcuts="Escape" data-icon="close"></button></div>
  <div class="panel-body">
    <div class="voice-stage" aria-hidden="true">
      <canvas id="voice-orb" width="480" height="480"></canvas>
      <div id="voice-meter" hidden><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></div>
    </div>
    <p id="voice-status" role="status"></p>
    <div id="voice-captions" role="log" aria-live="polite" aria-label="Captions" tabindex="0">
      <p id="voice-heard" hidden></p>
      <p id="voice-said" hidden></p>
    </div>
    <div id="voice-problem" role="alert" hidden></div>
    <div class="voice-controls">
      <label class="switch"><input type="checkbox" role="switch" id="voice-hands-free"><span>Hands-free</span></label>
      <button type="button" id="voice-talk" class="voice-talk" aria-keyshortcuts="Space"></button>
      <button type="button" id="voice-stop" class="button" disabled><span data-icon="stop"></span>Stop</button>
    </div>
    <p id="voice-hint" class="note"></p>
  </div>
</dialog>

<dialog id="help" class="sheet" aria-labelledby="help-title">
  <div class="panel-head"><h2 id="help-title">Keyboard shortcuts</h2>
    <button type="button" class="icon-button" id="close-help" aria-label="Close the shortcuts" data-icon="close"></button></div>
  <div class="panel-body" tabindex="0" role="region" aria-labelledby="help-title"><dl id="shortcuts" class="shortcuts"></dl></div>
</dialog>

<dialog id="key-dialog" class="sheet small" aria-labelledby="key-title">
  <form id="key-form" class="panel-body">
    <h2 id="key-title">This server asks for its key</h2>
    <p class="note" id="key-note">It was given to the server as --api-key or LEAP_API_KEY. The key stays in this tab and is forgotten when the tab is closed.</p>
    <label for="key">Key</label>
    <input id="key" type="password" autocomplete="off" required>
    <p id="key-error" class="error" role="alert" hidden></p>
    <div class="row end"><button type="submit" class="button primary">Continue</button></div>
  </form>
</dialog>

<dialog id="confirm" class="sheet small" aria-labelledby="confirm-title">
  <form method="dialog" class="panel-body">
    <h2 id="confirm-title"></h2>
    <div class="row end"><button value="" class="button">Cancel</button><button value="yes" class="button danger">Delete</button></div>
  </form>
</dialog>

<div id="drop" hidden><p id="drop-text"></p></div>
<div id="announcer" class="hidden" aria-live="polite" aria-atomic="false"></div>
<noscript><p class="noscript">This page needs JavaScript. The server's API works without it.</p></noscript>
</body>
</html>

"""#),
        PageFile(
            name: "keyboard.js",
            text: #"""
// Everything by keyboard.

import { pick } from "/page/attach.js";
import { byId, el, fill } from "/page/dom.js";
import { latest, step } from "/page/messages.js";
import { openModels } from "/page/models-view.js";
import { regenerate, session, stop } from "/page/session.js";
import { toggle } from "/page/settings-view.js";
import { begin, open, search } from "/page/sidebar.js";
import { openVoice } from "/page/voice-view.js";

/// All of them need Alt or Control, so that no letter of a text is taken for one.
const shortcuts = [
  { keys: "Enter", text: "Send the message" },
  { keys: "Shift+Enter", text: "A new line" },
  { keys: "Escape", text: "Stop the reply; close what is open" },
  { keys: "Alt+N", text: "New conversation", code: "KeyN", run: begin },
  { keys: "Alt+K", text: "Search the conversations", code: "KeyK", run: search },
  { keys: "F2", text: "Rename a conversation, in the list" },
  { keys: "Alt+A", text: "Attach files", code: "KeyA", run: () => pick() },
  { keys: "Alt+M", text: "Choose a model", code: "KeyM", run: openModels },
  { keys: "Alt+S", text: "Settings", code: "KeyS", run: () => toggle() },
  { keys: "Alt+I", text: "To the message field", code: "KeyI", run: () => byId("input").focus() },
  { keys: "Alt+V", text: "Speak, where the model can hear", code: "KeyV", run: openVoice },
  { keys: "Space", text: "While you speak with the model: hold to be heard" },
  { keys: "↑", text: "Edit the latest message, in an empty field" },
  { keys: "Alt+R", text: "Regenerate the latest reply", code: "KeyR", run: () => { const node = latest("assistant"); if (node && !session.running) regenerate(node); } },
  { keys: "Alt+↑", text: "To the message before", code: "ArrowUp", run: () => step(-1) },
  { keys: "Alt+↓", text: "To the message after", code: "ArrowDown", run: () => step(1) },
  { keys: "Control+/", text: "This list" },
];

export function startKeyboard() {
  fill(byId("shortcuts"), shortcuts.map(({ keys, text }) => el("div", {}, el("dt", {}, keys.split("+").map((key) => el("kbd", {}, key))), el("dd", {}, text))));
  byId("help-button").addEventListener("click", help);
  byId("close-help").addEventListener("click", () => byId("help").close());
  document.addEventListener("keydown", press);
}

function help() { byId("help").showModal(); }

function press(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const isModal = document.querySelector("dialog:modal") !== null;
  if (event.key === "Escape") {
    if (isModal) return;
    if (document.body.classList.contains("with-sidebar")) open(false);
    else if (session.running) { stop(); byId("input").focus(); }
    else if (byId("settings").open) toggle(false);
    else return;
    event.preventDefault();
  } else if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
    if (!isModal) help();
    event.preventDefault();
  } else if (event.altKey && !event.ctrlKey && !event.metaKey) {
    const shortcut = shortcuts.find((other) => other.code === event.code && other.run);
    if (!shortcut || (isModal && !(byId("settings").open && shortcut.code === "KeyS"))) return;
    event.preventDefault();
    shortcut.run();
  }
}

"""#),
        PageFile(
            name: "markdown-view.js",
            text: #"""
// Shows Markdown: the tree of markdown.js as nodes.

import { el, fill } from "/page/dom.js";
import { highlight } from "/page/highlight.js";
import { icon } from "/page/icons.js";
import { parseMarkdown } from "/page/markdown.js";
import { notice } from "/page/notices.js";

/// Shows a text that may grow: blocks that are as they were keep their nodes, so that selections and scroll positions survive.
export class MarkdownView {
  constructor() {
    this.node = el("div", { class: "prose" });
    this.shown = [];
  }

  /// Shows a text. Returns the text of the blocks that have ended since the last call, for who reads along.
  update(text, isEnded) {
    const blocks = parseMarkdown(text);
    const ended = [];
    blocks.forEach((block, index) => {
      const isLast = index === blocks.length - 1;
      const before = this.shown[index];
      if (!before || before.raw !== block.raw) {
        const node = blockNode(block);
        if (before) before.node.replaceWith(node);
        else this.node.append(node);
        this.shown[index] = { raw: block.raw, node, isSaid: before?.isSaid ?? false };
      }
      const entry = this.shown[index];
      if (!entry.isSaid && (!isLast || isEnded)) {
        entry.isSaid = true;
        ended.push(block.type === "code" ? "Code." : entry.node.textContent);
      }
    });
    for (const extra of this.shown.splice(blocks.length)) extra.node.remove();
    return ended;
  }
}

function blockNode(block) {
  switch (block.type) {
  // The first level is the conversation's title.
  case "heading": return el(`h${Math.min(6, block.level + 1)}`, {}, inlineNodes(block.content));
  case "rule": return el("hr");
  case "quote": return el("blockquote", {}, block.blocks.map(blockNode));
  case "code": return codeNode(block);
  case "list": return listNode(block);
  case "table": return tableNode(block);
  default: return el("p", {}, inlineNodes(block.content));
  }
}

function listNode(block) {
  const items = block.items.map((item) => {
    const nodes = item.blocks.flatMap((inner) =>
      inner.type === "paragraph" && !block.isLoose ? inlineNodes(inner.content) : [blockNode(inner)]);
    if (item.task === undefined) return el("li", {}, nodes);
    const box = el("input", { type: "checkbox", checked: item.task, disabled: true, "aria-label": item.task ? "done" : "to do" });
    return el("li", { class: "task" }, box, " ", nodes);
  });
  return block.start === undefined ? el("ul", {}, items) : el("ol", { start: block.start === 1 ? undefined : block.start }, items);
}

function tableNode(block) {
  const row = (cells, tag) => el("tr", {}, cells.map((cell, index) =>
    el(tag, { "data-align": block.aligns[index], scope: tag === "th" ? "col" : undefined }, inlineNodes(cell))));
  return el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Table" },
    el("table", {}, el("thead", {}, row(block.head, "th")), el("tbody", {}, block.rows.map((cells) => row(cells, "td")))));
}

function codeNode(block) {
  const name = /^[\w+#.-]{1,24}$/.test(block.language) ? block.language : "";
  const code = el("code", {}, highlight(block.text, name).map(([kind, text]) => (kind ? el("span", { class: `tok-${kind}` }, text) : text)));
  return el("div", { class: "code" },
    el("div", { class: "code-head" }, el("span", {}, name || "text"), copyButton("Copy the code", () => block.text)),
    el("pre", { tabindex: "0", role: "region", "aria-label": name ? `Code, ${name}` : "Code" }, code));
}

/// A button that copies a text and says so.
export function copyButton(label, text) {
  const button = el("button", { type: "button", class: "icon-button small", "aria-label": label, title: label }, icon("copy"));
  button.addEventListener("click", async () => {
    if (!navigator.clipboard) {
      notice("Browsers let pages copy only over https, and on the machine itself.");
      return;
    }
    await navigator.clipboard.writeText(text());
    fill(button, icon("check"));
    button.setAttribute("aria-label", "Copied");
    setTimeout(() => {
      fill(button, icon("copy"));
      button.setAttribute("aria-label", label);
    }, 1500);
  });
  return button;
}

function inlineNodes(pieces) {
  return pieces.map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    switch (piece.type) {
    case "break": return el("br");
    case "code": return el("code", {}, piece.text);
    case "strong": return el("strong", {}, inlineNodes(piece.content));
    case "emphasis": return el("em", {}, inlineNodes(piece.content));
    case "deleted": return el("del", {}, inlineNodes(piece.content));
    default:
      return el("a", { href: piece.href, target: "_blank", rel: "noopener noreferrer nofollow" }, inlineNodes(piece.content));
    }
  });
}

"""#),
        PageFile(
            name: "markdown.js",
            text: #"""
// Reads Markdown: text to a tree of plain values. Knows nothing of the document.
//
// HTML stays text, pictures become links, and addresses that are not http, https or mailto are left out.

const maxDepth = 12;

// MARK: Blocks

// No pattern may read a stretch of text twice: a line can be long, and it is read anew with each piece that arrives.
const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const heading = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*)|)$/;
const isDelimiterRow = (line) => line.length < 2000 && line.includes("-") && cells(line).every((cell) => /^:?-+:?$/.test(cell));

/// The blocks of a text. Each top-level block has its source as `raw`, so that what did not change can be kept.
export function parseMarkdown(text) {
  return blocks(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

function blocks(lines, depth) {
  const result = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].trim() === "") { at += 1; continue; }
    const start = at;
    const block = next();
    block.raw = lines.slice(start, at).join("\n");
    result.push(block);
  }
  return result;

  function next() {
    const line = lines[at];
    const fenced = fence.exec(line);
    if (fenced) return code(fenced);
    const head = heading.exec(line);
    if (head) { at += 1; return { type: "heading", level: head[1].length, content: inline(headingText(head[2] ?? "")) }; }
    if (rule.test(line)) { at += 1; return { type: "rule" }; }
    if (depth < maxDepth && /^ {0,3}>/.test(line)) return quote();
    if (depth < maxDepth && item.test(line)) return list();
    if (line.includes("|") && at + 1 < lines.length && isDelimiterRow(lines[at + 1])
      && cells(line).length === cells(lines[at + 1]).length) return table();
    return paragraph();
  }

  function code(opening) {
    const [, mark, info] = opening;
    const indent = /^ */.exec(lines[at])[0].length;
    const body = [];
    let isClosed = false;
    for (at += 1; at < lines.length; at += 1) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lines[at]);
      if (closing && closing[1][0] === mark[0] && closing[1].length >= mark.length) {
        isClosed = true;
        at += 1;
        break;
      }
      body.push(lines[at].replace(new RegExp(`^ {0,${indent}}`), ""));
    }
    return { type: "code", language: info.trim().split(/\s+/)[0].toLowerCase(), text: body.join("\n"), isClosed };
  }

  function quote() {
    const inner = [];
    while (at < lines.length && lines[at].trim() !== "") {
      if (!/^ {0,3}>/.test(lines[at]) && startsBlock(lines[at])) break;
      inner.push(lines[at].replace(/^ {0,3}> ?/, ""));
      at += 1;
    }
    return { type: "quote", blocks: blocks(inner, depth + 1) };
  }

  function list() {
    const [, , firstMark] = item.exec(lines[at]);
    const isOrdered = /\d/.test(firstMark);
    const kind = firstMark.at(-1);
    const items = [];
    let isLoose = false;
    let isSpaced = false;
    while (at < lines.length) {
      const found = item.exec(lines[at]);
      if (!found || rule.test(lines[at]) || found[2].at(-1) !== kind || /\d/.test(found[2]) !== isOrdered) break;
      const gap = found[3] ?? " ";
      const indent = found[1].length + found[2].length + (gap.length > 4 ? 1 : gap.length);
      const inner = [gap.length > 4 ? gap.slice(1) + found[4] : found[4] ?? ""];
      let isBlank = inner[0] === "";
      for (at += 1; at < lines.length; at += 1) {
        const line = lines[at];
        if (line.trim() === "") { inner.push(""); isBlank = true; continue; }
        const own = /^ */.exec(line.replace(/\t/g, "    "))[0].length;
        if (own >= indent) inner.push(line.replace(/\t/g, "    ").slice(indent));
        else if (!isBlank && !startsBlock(line) && !item.test(line)) inner.push(line.trimStart());
        // Models indent by two where the mark asks for three.
        else if (own >= 2 && item.test(line.trimStart())) inner.push(line.trimStart());
        else break;
        isBlank = false;
      }
      isLoose ||= isSpaced;
      isSpaced = inner.at(-1) === "" && inner.length > 1;
      while (inner.length > 1 && inner.at(-1) === "") inner.pop();
      const task = /^\[([ xX])\](?:[ \t]+|$)/.exec(inner[0]);
      if (task) inner[0] = inner[0].slice(task[0].length);
      items.push({ task: task ? task[1] !== " " : undefined, blocks: blocks(inner, depth + 1) });
    }
    return { type: "list", start: isOrdered ? parseInt(firstMark, 10) : undefined, items, isLoose };
  }

  function table() {
    const head = cells(lines[at]).map(inline);
    const aligns = cells(lines[at + 1]).map((cell) =>
      cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : cell.startsWith(":") ? "left" : undefined);
    const rows = [];
    for (at += 2; at < lines.length && lines[at].trim() !== "" && lines[at].includes("|"); at += 1) {
      const row = cells(lines[at]).slice(0, head.length).map(inline);
      while (row.length < head.length) row.push([]);
      rows.push(row);
    }
    return { type: "table", head, aligns, rows };
  }

  function paragraph() {
    const inner = [lines[at].trimStart()];
    for (at += 1; at < lines.length && lines[at].trim() !== "" && !startsBlock(lines[at]); at += 1) inner.push(lines[at].trimStart());
    return { type: "paragraph", content: inline(inner.join("\n").trimEnd()) };
  }
}

/// Whether a line ends a paragraph before it; a list that interrupts one begins with 1.
function startsBlock(line) {
  if (fence.test(line) || heading.test(line) || rule.test(line) || /^ {0,3}>/.test(line)) return true;
  const found = item.exec(line);
  return found !== null && found[4] !== undefined && found[4] !== "" && (!/\d/.test(found[2]) || parseInt(found[2], 10) === 1);
}

/// A heading's text without the marks that may end it.
function headingText(text) {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end -= 1;
  return end === 0 || isSpace(trimmed[end - 1]) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

function cells(line) {
  const result = [];
  let cell = "";
  const text = line.trim().replace(/^\|/, "");
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\" && text[at + 1] === "|") { cell += "|"; at += 1; }
    else if (text[at] === "|") { result.push(cell.trim()); cell = ""; }
    else cell += text[at];
  }
  if (cell.trim() !== "") result.push(cell.trim());
  return result;
}

// MARK: Inside of blocks

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const isSpace = (character) => character === undefined || /\s/.test(character);
const isWord = (character) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/// Pieces of a line: texts, and objects of a kind.
export function inline(text, depth = 0) {
  const result = [];
  let plain = "";
  // Marks that have no end behind a place have none behind a later one.
  const endless = new Set();
  let at = 0;
  const flush = () => { if (plain) { result.push(plain); plain = ""; } };
  const push = (piece, end) => { flush(); result.push(piece); at = end; };

  while (at < text.length) {
    const character = text[at];
    if (character === "\\" && at + 1 < text.length) {
      if (text[at + 1] === "\n") push({ type: "break" }, at + 2);
      else if (/[!-/:-@[-`{-~]/.test(text[at + 1])) { plain += text[at + 1]; at += 2; } else { plain += character; at += 1; }
    } else if (character === "\n") {
      plain = plain.trimEnd();
      push({ type: "break" }, at + 1);
    } else if (character === "`") {
      const mark = /^`+/.exec(text.slice(at, at + 64))[0];
      const end = endless.has(mark) ? -1 : closingTicks(text, at + mark.length, mark.length);
      if (end < 0) { endless.add(mark); plain += mark; at += mark.length; continue; }
      let code = text.slice(at + mark.length, end).replace(/\n/g, " ");
      if (/^ .*[^ ].* $/.test(code)) code = code.slice(1, -1);
      push({ type: "code", text: code }, end + mark.length);
    } else if ((character === "*" || character === "_" || character === "~") && depth < maxDepth) {
      const found = emphasis(text, at, endless);
      if (found) push({ type: found.type, content: inline(found.inner, depth + 1) }, found.end);
      else {
        const run = new RegExp(`^\\${character}+`).exec(text.slice(at, at + 64))[0];
        plain += run;
        at += run.length;
      }
    } else if (character === "[" || (character === "!" && text[at + 1] === "[")) {
      const found = depth < maxDepth ? link(text, character === "!" ? at + 1 : at) : undefined;
      if (!found) { plain += character; at += 1; continue; }
      const href = safeAddress(found.address);
      const content = inline(found.label || (character === "!" ? "picture" : found.address), depth + 1);
      if (href) push({ type: "link", href, content }, found.end);
      else { flush(); result.push(...content); at = found.end; }
    } else if (character === "<") {
      const found = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/i.exec(text.slice(at, at + 2048));
      const href = found && safeAddress(found[1]);
      if (href) push({ type: "link", href, content: [found[1]] }, at + found[0].length);
      else { plain += character; at += 1; }
    } else if (character === "h" && !isWord(text[at - 1]) && /^https?:\/\/[^\s<>]/.test(text.slice(at, at + 9))) {
      let address = /^[^\s<>"”’`]+/.exec(text.slice(at, at + 2048))[0].replace(/[.,:;!?*_~'|]+$/, "");
      while (address.endsWith(")") && count(address, ")") > count(address, "(")) address = address.slice(0, -1);
      const href = safeAddress(address);
      if (href) push({ type: "link", href, content: [address] }, at + address.length);
      else { plain += character; at += 1; }
    } else if (character === "&") {
      const found = /^&([a-z]{2,4}|#\d{1,7});/.exec(text.slice(at, at + 10));
      const decoded = found && (found[1][0] === "#" ? codePoint(Number(found[1].slice(1))) : entities[found[1]]);
      plain += decoded ?? character;
      at += decoded ? found[0].length : 1;
    } else {
      plain += character;
      at += 1;
    }
  }
  flush();
  return result;
}

function codePoint(number) {
  return number > 31 && number <= 0x10ffff && !(number >= 0xd800 && number < 0xe000) ? String.fromCodePoint(number) : undefined;
}

const count = (text, character) => text.split(character).length - 1;

function closingTicks(text, from, length) {
  for (let at = text.indexOf("`", from); at >= 0;) {
    let end = at;
    while (text[end] === "`") end += 1;
    if (end - at === length) return at;
    at = text.indexOf("`", end);
  }
  return -1;
}

/// Emphasis that begins at a place: `*a*`, `_a_`, `**a**`, `__a__`, `***a***`, `~~a~~`.
function emphasis(text, at, endless) {
  const character = text[at];
  let run = 1;
  while (text[at + run] === character) run += 1;
  if (isSpace(text[at + run]) || (character === "_" && isWord(text[at - 1]))) return undefined;
  if (character === "~" && run !== 2) return undefined;
  if (run > 3) return undefined;
  const mark = character.repeat(run);
  if (endless.has(mark)) return undefined;
  for (let end = text.indexOf(mark, at + run + 1); end >= 0; end = text.indexOf(mark, end)) {
    let length = 0;
    while (text[end + length] === character) length += 1;
    const closes = !isSpace(text[end - 1]) && text[end - 1] !== "\\" && (character !== "_" || !isWord(text[end + length]));
    // A longer run ends what is inside first: **a *b***
    if (closes && (length === run || length === 3 || (run === 1 && length > 3))) {
      const stop = end + length - run;
      const inner = text.slice(at + run, stop);
      if (run === 3) return { type: "strong", inner: character + inner + character, end: stop + run };
      return { type: character === "~" ? "deleted" : run === 2 ? "strong" : "emphasis", inner, end: stop + run };
    }
    end += length;
  }
  endless.add(mark);
  return undefined;
}

/// `[label](address "title")` that begins at a bracket.
function link(text, at) {
  const limit = Math.min(text.length, at + 2000);
  let level = 0;
  let close = -1;
  for (let place = at; place < limit; place += 1) {
    if (text[place] === "\\") place += 1;
    else if (text[place] === "[") level += 1;
    else if (text[place] === "]") {
      level -= 1;
      if (level === 0) { close = place; break; }
    }
  }
  if (close < 0 || text[close + 1] !== "(") return undefined;
  const rest = text.slice(close + 2, close + 4096);
  const found = /^[ \n]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:[ \n]+(?:"[^"]*"|'[^']*'))?[ \n]*\)/.exec(rest);
  if (!found) return undefined;
  return { label: text.slice(at + 1, close), address: found[1] ?? found[2], end: close + 2 + found[0].length };
}

/// The address as it is put into a link, or undefined for one that may do more than open a page.
function safeAddress(address) {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/// A text in a fence that it cannot end.
export function fenced(text, language) {
  const longest = (text.match(/`+/g) ?? []).reduce((most, found) => Math.max(most, found.length), 0);
  const mark = "`".repeat(Math.max(3, longest + 1));
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`;
}

"""#),
        PageFile(
            name: "media.js",
            text: #"""
// Brings pictures and sound that the server does not read into forms that it does, as far as the browser reads them.

/// Bytes of a picture or a sound, at most.
const maxBytes = 20_000_000;
/// Pixels of a side of a picture that is written anew, at most: no model sees more.
const maxSide = 4096;
/// Samples per second of a sound that is written anew, and its seconds at most.
const sampleRate = 16_000;
const maxSeconds = 600;

const pictures = new Set(["image/png", "image/jpeg", "image/webp"]);
const sounds = new Set(["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]);

/// A picture or a sound as a `data:` address that the server reads.
///
/// Throws what is wrong with it, as the end of a sentence that begins with the file's name.
export async function mediaAddress(file, kind) {
  const isRead = (kind === "picture" ? pictures : sounds).has(file.type);
  const result = isRead ? file : kind === "picture" ? await drawn(file) : await recorded(file);
  if (result.size > maxBytes) throw new Error(`is too large: ${maxBytes / 1e6} MB are taken.`);
  return dataAddress(kind === "sound" && isRead ? new Blob([file], { type: "audio/wav" }) : result);
}

/// A picture of any kind as PNG.
async function drawn(file) {
  let bitmap;
  try { bitmap = await createImageBitmap(file); } catch {
    throw new Error("is no picture that this browser reads: PNG, JPEG and WebP are taken.");
  }
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}

/// A sound of any kind as WAV of one channel.
async function recorded(file) {
  let buffer;
  try {
    buffer = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(await file.arrayBuffer());
  } catch {
    throw new Error("is no sound that this browser reads: WAV is taken everywhere.");
  }
  if (buffer.duration > maxSeconds) throw new Error(`is too long: ${maxSeconds / 60} minutes are taken.`);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, index) => buffer.getChannelData(index));
  return waveFile(channels[0].map((_, index) => channels.reduce((sum, channel) => sum + channel[index], 0) / channels.length));
}

/// Samples in -1...1 as a WAV file of 16 bits.
export function waveFile(samples) {
  const file = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const word = (at, text) => [...text].forEach((letter, index) => file.setUint8(at + index, letter.charCodeAt(0)));
  word(0, "RIFF");
  file.setUint32(4, 36 + samples.length * 2, true);
  word(8, "WAVEfmt ");
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sampleRate, true);
  file.setUint32(28, sampleRate * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  word(36, "data");
  file.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => file.setInt16(44 + index * 2, Math.round(Math.min(1, Math.max(-1, sample)) * 32767), true));
  return new Blob([file], { type: "audio/wav" });
}

function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error("cannot be read."));
    reader.readAsDataURL(blob);
  });
}

"""#),
        PageFile(
            name: "messages.js",
            text: #"""
// Shows the messages of the conversation.

import { byId, el, fill, framed, uniqueId } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { copyButton, MarkdownView } from "/page/markdown-view.js";
import { announce, missing } from "/page/notices.js";
import { parsePartial } from "/page/partial-json.js";
import { SchemaForm } from "/page/schema-form.js";
import { answer, on, regenerate, session, switchTo } from "/page/session.js";
import { openCalls, path, siblings } from "/page/tree.js";

/// Called when a person wants to edit a message; set by the composer.
export const actions = { edit: () => {} };

/// What is shown of each message, by its identifier.
let shown = new Map();
let shownConversation = null;

export function startMessages() {
  on("conversation", (ended) => { draw(); if (ended) finish(ended); });
  const frame = framed(() => {
    const entry = session.running && shown.get(session.running.node.id);
    if (entry) follow(() => update(entry));
  });
  on("reply", frame);
  draw();
}

// MARK: Following the end

/// Whether the end of the conversation is in view.
function isAtEnd() {
  const main = byId("main");
  return main.scrollHeight - main.scrollTop - main.clientHeight < 80;
}

function follow(body) {
  const follows = isAtEnd();
  body();
  if (follows) byId("main").scrollTop = byId("main").scrollHeight;
}

// MARK: All messages

function draw() {
  const { conversation } = session;
  const isNew = conversation.id !== shownConversation;
  if (isNew) { shown = new Map(); shownConversation = conversation.id; }
  const nodes = path(conversation);
  const wanted = nodes.filter((node) => node.role !== "tool");
  const list = byId("messages");
  const before = isAtEnd();
  const begins = session.running && !shown.has(session.running.node.id);
  const kept = new Map();
  for (const node of wanted) {
    const entry = shown.get(node.id) ?? make(node);
    kept.set(node.id, entry);
    update(entry);
    tools(entry);
  }
  shown = kept;
  const articles = wanted.map((node) => shown.get(node.id).article);
  // What is in place stays there, and with it the focus.
  articles.forEach((article, index) => { if (list.children[index] !== article) list.insertBefore(article, list.children[index] ?? null); });
  while (list.childElementCount > articles.length) list.lastElementChild.remove();
  if (isNew || before || begins) byId("main").scrollTop = byId("main").scrollHeight;
}

function make(node) {
  const isUser = node.role === "user";
  const article = el("article", { class: `message ${node.role}`, tabindex: "-1", "aria-label": isUser ? "You" : `Reply of ${node.model ?? "the model"}` });
  const entry = {
    node, article, body: el("div", { class: "message-body" }), bar: el("div", { class: "message-bar" }), parts: {},
    // What was there before is not read out.
    isSpoken: session.running?.node === node,
  };
  article.append(entry.body, entry.bar);
  return entry;
}

/// Brings what is shown of a message up to date.
function update(entry) {
  const { node } = entry;
  if (node.role === "user") {
    if (entry.body.childElementCount) return;
    entry.body.append(...files(node));
    if (node.content) entry.body.append(el("p", { class: "user-text" }, node.content));
    return;
  }
  const isRunning = session.running?.node === node;
  entry.article.toggleAttribute("data-running", isRunning);
  entry.article.setAttribute("aria-busy", String(isRunning));
  waiting(entry, isRunning && !node.content && !node.reasoning && !node.calls?.length);
  if (node.reasoning) reasoning(entry, isRunning);
  if (node.content || node.schema) content(entry, isRunning);
  if (node.calls?.length) calls(entry);
  if (!isRunning && (node.error || !["stop", "tool_calls"].includes(node.finish))) problem(entry);
}

function files(node) {
  return (node.files ?? []).map((file) => (file.kind === "picture"
    ? el("img", { src: file.data, alt: file.name, class: "attached" }) : el("p", { class: "attached" }, icon("wave"), file.name)));
}

function part(entry, name, makePart) {
  entry.parts[name] ??= makePart();
  return entry.parts[name];
}

function waiting(entry, isWaiting) {
  const node = part(entry, "waiting", () => {
    const dots = el("div", { class: "dots" }, el("span", { class: "hidden" }, "Waiting for the first words"), el("i"), el("i"), el("i"));
    entry.body.append(dots);
    return dots;
  });
  node.hidden = !isWaiting;
}

function reasoning(entry, isRunning) {
  const { node } = entry;
  const found = part(entry, "reasoning", () => {
    const view = new MarkdownView();
    const summary = el("span");
    const details = el("details", { class: "fold reasoning" }, el("summary", {}, icon("thought"), summary, icon("down")), view.node);
    entry.body.append(details);
    return { view, summary };
  });
  const isThinking = isRunning && !node.content;
  found.summary.textContent = isThinking ? "Thinking…" : node.thought ? `Thought for ${seconds(node.thought)}` : "Reasoning";
  found.view.update(node.reasoning.trim());
}

const seconds = (value) => (value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`);

function content(entry, isRunning) {
  const { node } = entry;
  const isForm = node.schema && !isProse(node, isRunning);
  // What began like a form and is none, or got no value at all, leaves it.
  if (entry.parts.form && (!isForm || (node.error && !node.content))) {
    entry.parts.form.nodes.forEach((made) => made.remove());
    delete entry.parts.form;
  }
  if (isForm && (node.content || (!node.mayCall && (isRunning || !node.error)))) { form(entry, isRunning); return; }
  if (isForm || !node.content) return;
  const view = part(entry, "text", () => {
    const made = new MarkdownView();
    entry.body.append(made.node);
    return made;
  });
  const ended = view.update(node.content, !isRunning);
  if (entry.isSpoken) for (const text of ended) announce(text);
}

function form(entry, isRunning) {
  const { node } = entry;
  const found = part(entry, "form", () => {
    const made = new SchemaForm(node.schema);
    const raw = el("code");
    const source = el("details", { class: "fold" }, el("summary", {}, "JSON", icon("down")), el("div", { class: "code" }, el("pre", { tabindex: "0", role: "region", "aria-label": "JSON" }, raw)));
    entry.body.append(made.node, source);
    return { made, raw, source, nodes: [made.node, source] };
  });
  found.raw.textContent = node.content;
  found.source.hidden = !node.content;
  try {
    const { value, open } = parsePartial(node.content);
    found.made.update(value, isRunning ? open : null);
    found.made.judge(value, isRunning);
  } catch {
    found.made.refuse();
  }
}

/// Whether a reply that might have filled a form is words instead, as those that stand in front of a call.
function isProse(node, isRunning) {
  if (!node.mayCall || !node.content) return false;
  try {
    return parsePartial(node.content).value === undefined && !isRunning;
  } catch {
    return true;
  }
}

function problem(entry) {
  const { node } = entry;
  part(entry, "problem", () => {
    const text = node.error ? `${node.content || node.reasoning ? "The reply broke off" : "No reply"}: ${node.error}` : node.finish === "length" ? "The reply was cut: there was no room for more tokens."
      : node.finish === "error" ? "The reply failed." : "Stopped.";
    const line = el("p", { class: node.error ? "problem error" : "problem note", role: node.error ? "alert" : undefined }, node.error ? icon("warning") : null, text);
    entry.body.append(line);
    return line;
  });
}

// MARK: Calls

function calls(entry) {
  const { node } = entry;
  const list = part(entry, "calls", () => {
    const made = el("div", { class: "calls" });
    entry.body.append(made);
    return made;
  });
  const results = new Map(path(session.conversation).filter((other) => other.role === "tool").map((other) => [other.callId, other.content]));
  const state = node.calls.map((call) => `${call.id} ${results.get(call.id) ?? ""}`).join("\n") + (session.running?.node === node);
  if (entry.calls === state) return;
  entry.calls = state;
  fill(list, node.calls.map((call) => callNode(node, call, results.get(call.id))));
}

function callNode(node, call, result) {
  const parameters = pretty(call.function.arguments);
  const isOpen = result === undefined && session.running?.node !== node && openCalls(session.conversation, node).includes(call);
  const state = result !== undefined ? "answered" : isOpen ? "waits for its result" : node.finish === "length" ? "was cut off" : "called";
  return el("details", { class: "fold call", open: isOpen },
    el("summary", {}, icon("tool"), el("span", {}, el("code", {}, call.function.name), ` ${state}`), icon("down")),
    el("div", { class: "call-body" },
      el("p", { class: "call-part" }, "Arguments"), block(parameters, "Arguments"),
      result !== undefined ? [el("p", { class: "call-part" }, "Result"), block(pretty(result), "Result")] : null,
      isOpen ? resultForm(node, call) : null));
}

const block = (text, label) => el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": label }, text);

function resultForm(node, call) {
  const id = uniqueId("result");
  const field = el("textarea", { id, rows: "3", spellcheck: "false", placeholder: '{"result": …}' });
  const error = el("p", { id: `${id}-error`, class: "error note", role: "alert", hidden: true });
  const submit = (event) => {
    event.preventDefault();
    if (field.value.trim()) answer(node, call, field.value.trim());
    else missing(field, error, `The result of ${call.function.name} is missing: write what the function would give.`);
  };
  return el("form", { on: { submit } }, el("label", { for: id }, "Its result, as text or JSON"), field, error,
    el("div", { class: "row end" }, el("button", { type: "submit", class: "button primary" }, "Send the result")));
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

// MARK: What can be done with a message

function tools(entry) {
  const { node, bar } = entry;
  const isRunning = session.running?.node === node;
  const others = siblings(session.conversation, node);
  const state = `${isRunning} ${others.length} ${others.indexOf(node)} ${node.stats?.generated}`;
  if (entry.bar.dataset.state === state) return;
  bar.dataset.state = state;
  const focused = bar.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  const index = others.indexOf(node);
  const branch = others.length > 1 ? el("div", { class: "branches", role: "group", "aria-label": "Branches" },
    button("left", "Earlier branch", () => move(others[index - 1]), index === 0),
    el("span", {}, el("span", { class: "hidden" }, "Branch "), `${index + 1} / ${others.length}`),
    button("right", "Later branch", () => move(others[index + 1]), index === others.length - 1)) : null;
  fill(bar, isRunning ? null : [
    branch,
    copyButton("Copy", () => node.content),
    node.role === "user" ? button("edit", "Edit", () => actions.edit(node)) : button("again", "Regenerate", () => regenerate(node)),
    node.stats ? el("span", { class: "stats" }, stats(node.stats)) : null,
  ]);
  if (focused) [...bar.querySelectorAll("button:not([disabled])")].find((other) => other.getAttribute("aria-label") === focused)?.focus();
}

/// Goes to a branch, with the focus on its switch.
function move(node) {
  switchTo(node);
  const bar = shown.get(node.id)?.bar;
  if (bar && !bar.contains(document.activeElement)) bar.querySelector(".branches button:not([disabled])")?.focus();
  const others = siblings(session.conversation, node);
  announce(`Branch ${others.indexOf(node) + 1} of ${others.length}: ${node.content.slice(0, 120)}`);
}

function button(drawing, label, action, disabled = false) {
  return el("button", { type: "button", class: "icon-button small", "aria-label": label, title: label, disabled, on: { click: action } }, icon(drawing));
}

function stats({ prompt, cached, generated, speed }) {
  const parts = [`${generated} tokens`];
  if (speed > 0) parts.push(`${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s`);
  parts.push(`prompt ${prompt}, ${cached} cached`);
  return parts.join(" · ");
}

/// Says how a reply ended.
function finish(node) {
  if (node.error) return;
  if (node.calls?.length) announce(`The model calls ${node.calls.map((call) => call.function.name).join(", ")}.`);
  else announce(!node.finish ? "Stopped." : node.schema ? "The form is filled." : "End of the reply.");
}

/// Shows a message that was looked for.
export function reveal(node) {
  const article = shown.get(node.id)?.article;
  if (!article) return;
  article.scrollIntoView({ block: "center" });
  article.focus({ preventScroll: true });
}

/// The latest message of a role, for the keyboard.
export const latest = (role) => path(session.conversation).filter((node) => node.role === role).at(-1);

/// Moves the focus from message to message.
export function step(by) {
  const articles = [...byId("messages").children];
  if (!articles.length) return;
  const index = articles.findIndex((article) => article.contains(document.activeElement));
  const next = index < 0 ? (by < 0 ? articles.length - 1 : 0) : Math.min(articles.length - 1, Math.max(0, index + by));
  articles[next].focus();
  articles[next].scrollIntoView({ block: "nearest" });
}


"""#),
        PageFile(
            name: "models-view.js",
            text: #"""
// The choice of a model, and fetching another.

import * as api from "/page/api.js";
import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { announce, missing, notice } from "/page/notices.js";
import { senseMarks } from "/page/senses.js";
import { chooseModel, loadModels, on, session } from "/page/session.js";
import { settings } from "/page/store.js";

/// What is being fetched, by name, as the header says it while the list is closed.
const fetching = new Map();

export function startModels() {
  byId("model-button").addEventListener("click", openModels);
  byId("close-models").addEventListener("click", () => byId("models").close());
  byId("pull-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = byId("pull-name");
    const name = field.value.trim();
    if (!name) { missing(field, byId("pull-error"), "The name of a model is missing, such as LFM2-1.2B:Q4_K_M."); return; }
    field.value = "";
    pull(name);
  });
  on("model", draw);
  on("conversation", context);
  draw();
}

export function openModels() {
  byId("models").showModal();
  (byId("model-list").querySelector('[aria-pressed="true"]') ?? byId("pull-name")).focus();
  loadModels().catch(() => {});
}

function draw() {
  byId("model-name").textContent = settings.model ?? "No model";
  byId("model-button").setAttribute("aria-label", `Model: ${settings.model ?? "none"}`);
  const state = !settings.model ? "" : session.modelError ? session.modelError : session.abilities ? "" : "loading…";
  byId("model-state").textContent = session.abilities && !session.abilities.capabilities.includes("completion")
    ? `${session.abilities.capabilities.includes("reranking") ? "sorts" : "makes vectors of"} texts and does not chat` : state || [...fetching.values()].join(", ");
  const focused = document.activeElement?.dataset?.model;
  fill(byId("model-list"), session.models.map(row));
  if (focused) [...byId("model-list").querySelectorAll("button")].find((button) => button.dataset.model === focused)?.focus();
  context();
}

function row(model) {
  const isChosen = model.id === settings.model;
  return el("li", {}, el("button", {
    type: "button", class: "choice", "aria-pressed": String(isChosen), "data-model": model.id,
    on: { click: () => { chooseModel(model.id); byId("models").close(); byId("input").focus(); } },
  }, el("span", { class: "choice-main" }, el("span", { class: "choice-name" }, model.id), senseMarks(model)),
  el("span", { class: "note choice-size" }, [bytes(model.size), model.loaded ? "in memory" : null].filter(Boolean).map((text) => el("span", {}, text))),
  isChosen ? icon("check") : null));
}

function bytes(count) {
  if (!count) return "";
  const units = ["B", "kB", "MB", "GB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/// How much of the context the conversation takes.
function context() {
  const nodes = Object.values(session.conversation.nodes);
  let node = session.conversation.nodes[session.conversation.leaf];
  while (node && !node.stats) node = session.conversation.nodes[node.parent];
  const size = session.abilities?.context ?? 0;
  const used = node ? node.stats.prompt + node.stats.generated : 0;
  byId("context").hidden = !size || !used || nodes.length === 0;
  byId("context-text").textContent = `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens`;
  byId("context-bar").value = size ? Math.min(1, used / size) : 0;
}

// MARK: Fetching

async function pull(name) {
  const abort = new AbortController();
  const bar = el("progress", { max: "1", "aria-label": `${name}: fetched` });
  const text = el("span", { class: "note" }, "asking…");
  const stop = el("button", { type: "button", class: "button", on: { click: () => abort.abort() } }, "Stop");
  const item = el("li", { class: "pull" }, el("div", { class: "row" }, el("strong", {}, name), stop), bar, text);
  byId("pulls").append(item);
  const files = new Map();
  let began;
  try {
    for await (const step of api.pull(name, abort.signal)) {
      if (step.completed !== undefined) files.set(step.status, step);
      const have = [...files.values()].reduce((sum, file) => sum + file.completed, 0);
      const total = [...files.values()].reduce((sum, file) => sum + (file.total ?? 0), 0);
      if (total > 0) bar.value = have / total;
      fetching.set(name, `fetching ${name}${total > 0 ? `: ${Math.floor(have / total * 100)}%` : ""}`);
      draw();
      began ??= have > 0 ? { have, at: performance.now() } : undefined;
      const speed = began ? (have - began.have) / Math.max(0.001, (performance.now() - began.at) / 1000) : 0;
      text.textContent = step.completed === undefined ? step.status
        : [`${bytes(have)} of ${bytes(total) || "?"}`, speed > 0 ? `${bytes(speed)}/s` : null].filter(Boolean).join(" · ");
    }
    item.remove();
    fetching.delete(name);
    announce(`${name} is here.`);
    notice(`${name} is here.`);
    await loadModels();
  } catch (error) {
    bar.remove();
    fetching.delete(name);
    draw();
    const isStopped = abort.signal.aborted;
    text.textContent = isStopped ? "Stopped; what was fetched is kept." : error.message;
    text.classList.toggle("error", !isStopped);
    announce(text.textContent);
    stop.textContent = isStopped ? "Go on" : "Try again";
    const fresh = stop.cloneNode(true);
    fresh.addEventListener("click", () => { item.remove(); pull(name); });
    const dismiss = el("button", { type: "button", class: "icon-button small", "aria-label": `Dismiss ${name}`, on: { click: () => item.remove() } }, icon("close"));
    stop.replaceWith(fresh, dismiss);
  }
}

"""#),
        PageFile(
            name: "notices.js",
            text: #"""
// What the page tells people: short notices, a banner, and what screen readers say.

import { byId, el, fill } from "/page/dom.js";

let timer;

/// A notice that goes away by itself.
export function notice(text) {
  const node = byId("notice");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { node.hidden = true; }, 6000);
}

/// Says under a field that was left empty what is missing, until something is written.
export function missing(field, line, text) {
  line.textContent = text;
  line.hidden = false;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", line.id);
  field.focus();
  field.addEventListener("input", () => {
    line.hidden = true;
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }, { once: true });
}

/// A line that stays until it is taken back; with a button where there is something to do.
export function banner(text, action, body) {
  const node = byId("banner");
  node.hidden = !text;
  fill(node, text ? el("span", {}, text) : null, action ? el("button", { type: "button", class: "button", on: { click: body } }, action) : null);
}

/// Says something to screen readers, after what they are saying.
export function announce(text) {
  if (!text.trim()) return;
  const node = byId("announcer");
  node.append(el("p", {}, text));
  while (node.childElementCount > 20) node.firstElementChild.remove();
}

/// Asks before something is gone.
export function confirm(question) {
  const dialog = byId("confirm");
  byId("confirm-title").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

"""#),
        PageFile(
            name: "partial-json.js",
            text: #"""
// Reads JSON that has not ended yet.

const maxDepth = 64;

/// What a beginning of a document says so far.
///
/// `open` is the path of the text or number that is still being written, as an array; null where none is. Values whose beginning does not
/// say what they are (`tr`) are undefined.
export function parsePartial(text) {
  let at = 0;
  let open = null;
  let isWhole = true;

  const cut = () => { isWhole = false; };
  const space = () => { while (at < text.length && " \t\n\r".includes(text[at])) at += 1; };

  function string(path) {
    at += 1;
    let result = "";
    while (at < text.length) {
      const next = text[at];
      if (next === '"') { at += 1; return result; }
      if (next !== "\\") { result += next; at += 1; continue; }
      const size = text[at + 1] === "u" ? 6 : 2;
      if (at + size > text.length) { at = text.length; break; }
      try {
        result += JSON.parse(`"${text.slice(at, at + size)}"`);
      } catch {
        throw new SyntaxError(`an escape that JSON has not, at ${at}`);
      }
      at += size;
    }
    cut();
    open = path;
    return result;
  }

  function plain(path) {
    const start = at;
    while (at < text.length && /[-+.\w]/.test(text[at])) at += 1;
    const word = text.slice(start, at);
    if (at === text.length) cut();
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    const number = Number(word);
    if (word !== "" && Number.isFinite(number)) {
      if (at === text.length) open = path;
      return number;
    }
    if (at < text.length) throw new SyntaxError(`no JSON at ${start}`);
    return undefined;
  }

  function list(path, depth) {
    at += 1;
    const result = [];
    for (;;) {
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] === "]") { at += 1; return result; }
      if (text[at] === ",") { at += 1; continue; }
      const item = value([...path, result.length], depth + 1);
      if (item === undefined) return result;
      result.push(item);
    }
  }

  function object(path, depth) {
    at += 1;
    // Without a prototype, so that no key means anything.
    const result = Object.create(null);
    for (;;) {
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] === "}") { at += 1; return result; }
      if (text[at] === ",") { at += 1; continue; }
      if (text[at] !== '"') throw new SyntaxError(`a key is missing at ${at}`);
      const outer = open;
      const key = string(path);
      if (!isWhole) { open = outer; return result; }
      space();
      if (at >= text.length) { cut(); return result; }
      if (text[at] !== ":") throw new SyntaxError(`a colon is missing at ${at}`);
      at += 1;
      const item = value([...path, key], depth + 1);
      if (item === undefined) return result;
      result[key] = item;
    }
  }

  function value(path, depth) {
    if (depth > maxDepth) throw new SyntaxError("nested too deep");
    space();
    if (at >= text.length) { cut(); return undefined; }
    if (text[at] === "{") return object(path, depth);
    if (text[at] === "[") return list(path, depth);
    return text[at] === '"' ? string(path) : plain(path);
  }

  const found = value([], 0);
  return { value: found, open, isWhole };
}

"""#),
        PageFile(
            name: "resampler.js",
            text: #"""
// Brings sound to another number of samples per second, piece by piece.

/// The zero crossings of the filter on each side, and its values from one to the next.
const crossings = 16;
const fineness = 256;

/// One side of a sinc under a Hann window.
const kernel = Float32Array.from({ length: crossings * fineness + 2 }, (_, index) => {
  const x = index / fineness;
  if (x === 0) return 1;
  return x >= crossings ? 0 : Math.sin(Math.PI * x) / (Math.PI * x) * (0.5 + 0.5 * Math.cos(Math.PI * x / crossings));
});

function filter(x) {
  const place = Math.abs(x) * fineness;
  const index = Math.floor(place);
  return index >= crossings * fineness ? 0 : kernel[index] + (kernel[index + 1] - kernel[index]) * (place - index);
}

/// Leaves out what the lower rate cannot carry, which would come back as another tone.
export class Resampler {
  #step;
  #cutoff;
  #reach;
  #kept;
  /// Where the next sample is taken, in the samples that are kept.
  #position;

  constructor(from, to) {
    this.#step = from / to;
    this.#cutoff = from > to ? 0.92 * to / from : 1;
    this.#reach = Math.ceil(crossings / this.#cutoff);
    this.#kept = new Float32Array(this.#reach);
    this.#position = this.#reach;
  }

  /// The samples that are known with these; the last of them follow with the next piece.
  process(samples) {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const count = Math.max(0, Math.ceil((all.length - this.#reach - this.#position) / this.#step));
    const result = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      let sum = 0;
      const last = Math.min(all.length - 1, Math.floor(this.#position + this.#reach));
      for (let at = Math.max(0, Math.ceil(this.#position - this.#reach)); at <= last; at += 1) {
        sum += all[at] * filter((at - this.#position) * this.#cutoff);
      }
      result[index] = sum * this.#cutoff;
      this.#position += this.#step;
    }
    const past = Math.min(all.length, Math.max(0, Math.floor(this.#position) - this.#reach));
    this.#kept = all.slice(past);
    this.#position -= past;
    return result;
  }
}

"""#),
        PageFile(
            name: "schema-form.js",
            text: #"""
// Shows JSON that is still being written as a form, by its schema.

import { el, uniqueId } from "/page/dom.js";

const maxDepth = 12;

/// A form that fills: `update` takes the value as far as it is known.
export class SchemaForm {
  constructor(schema) {
    this.schema = schema;
    this.node = el("div", { class: "filled", role: "group", "aria-label": "Reply as a form" });
    this.root = {};
    this.note = el("p", { class: "note filled-note", hidden: true });
    this.node.append(this.note);
  }

  /// Shows a value; `open` is the path of what is being written, or null.
  update(value, open) {
    this.open = open === null ? undefined : open.join("\u0000");
    if (value !== undefined) this.show(this.root, this.node, this.schema, value, [], "", 0);
  }

  /// Says which fields there is no value of: what is waited for, or what is missing at the end.
  judge(value, isRunning) {
    const labels = missingLabels(this.schema, this.schema, value, "", 0);
    const isEmpty = value === undefined || (value !== null && typeof value === "object" && Object.keys(value).length === 0);
    if (isRunning) this.say(isEmpty && labels.length ? `Waiting for ${list(labels)}.` : "");
    else if (labels.length) this.say(isEmpty ? `The form is empty: ${list(labels)} ${labels.length === 1 ? "is" : "are"} missing.` : `Missing: ${list(labels)}.`);
    else this.say(isEmpty ? value === undefined ? "The form is empty: no value came." : "The form is empty: the schema requires no field." : "");
  }

  /// Says that what came fills no form.
  refuse() { this.say("This is not JSON, so it fills no form."); }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  /// Shows a value in a place, whose node is kept as long as the value is of one kind.
  show(place, parent, schema, value, path, label, depth) {
    const plain = resolve(schema, this.schema, value);
    const kind = kindOf(value, depth);
    if (place.kind !== kind) {
      place.node?.remove();
      Object.assign(place, { kind, parts: new Map(), ...makeControl(kind, plain, label) });
      parent.append(place.node);
    }
    place.node.toggleAttribute("data-open", this.open !== undefined && this.open === path.join("\u0000"));
    if (kind === "object") {
      const known = plain.properties ?? {};
      // The fields of the schema first, so that the form has its order.
      const keys = [...Object.keys(known).filter((key) => key in value), ...Object.keys(value).filter((key) => !Object.hasOwn(known, key))];
      for (const key of keys) this.part(place, key, Object.hasOwn(known, key) ? known[key] : plain.additionalProperties, value[key], path, title(known[key], key), depth);
    } else if (kind === "array") {
      value.forEach((item, index) => {
        const inner = plain.prefixItems?.[index] ?? plain.items;
        this.part(place, index, inner, item, path, `${index + 1}`, depth);
      });
    } else {
      write(place, kind, value);
    }
  }

  part(place, key, schema, value, path, label, depth) {
    if (!place.parts.has(key)) place.parts.set(key, {});
    this.show(place.parts.get(key), place.body, schema, value, [...path, key], label, depth + 1);
  }
}

/// A schema from what a person wrote; null where nothing is written. Throws what is wrong with it.
export function readSchema(text) {
  if (!text.trim()) return null;
  let schema;
  try { schema = JSON.parse(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}`); }
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new Error("A schema is a JSON object, such as {\"type\": \"object\", …}.");
  return schema;
}

/// The fields that a schema promises, before there are values.
export function describe(schema) {
  return Object.keys(resolve(schema, schema).properties ?? {});
}

/// The names of fields that a schema requires and a value has not, at most a few.
function missingLabels(schema, root, value, prefix, depth) {
  if (depth > maxDepth) return [];
  const plain = resolve(schema, root, value);
  const result = [];
  if (value === undefined || (value !== null && typeof value === "object" && !Array.isArray(value))) {
    const known = plain.properties ?? {};
    const required = Array.isArray(plain.required) ? plain.required.filter((key) => typeof key === "string") : [];
    for (const key of new Set([...required, ...Object.keys(value ?? {})])) {
      const inner = Object.hasOwn(known, key) ? known[key] : undefined;
      const label = `${prefix}${title(inner, key)}`;
      if (value === undefined || !Object.hasOwn(value, key)) result.push(label);
      else result.push(...missingLabels(inner, root, value[key], `${label}, `, depth + 1));
    }
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => result.push(...missingLabels(plain.prefixItems?.[index] ?? plain.items, root, item, `${prefix}${index + 1}, `, depth + 1)));
  }
  return result;
}

/// Names as a sentence has them, the first few.
function list(names) {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function kindOf(value, depth) {
  if (depth > maxDepth) return "text";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return { boolean: "boolean", number: "number", object: "object" }[typeof value] ?? "text";
}

/// The schema itself, behind references and alternatives as far as the value tells.
function resolve(schema, root, value) {
  let found = schema;
  for (let step = 0; step < 16; step += 1) {
    if (typeof found !== "object" || found === null) return {};
    if (typeof found.$ref === "string" && found.$ref.startsWith("#")) {
      found = found.$ref.slice(1).split("/").slice(1)
        .reduce((place, key) => (place !== null && typeof place === "object" ? place[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), root);
    } else if (Array.isArray(found.anyOf ?? found.oneOf)) {
      const options = (found.anyOf ?? found.oneOf).map((option) => resolve(option, root));
      const keys = value !== null && typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [];
      return options.find((option) => option.properties && keys.every((key) => Object.hasOwn(option.properties, key)))
        ?? options.find((option) => option.type !== "null") ?? {};
    } else {
      return found;
    }
  }
  return {};
}

/// A name for people: `cookingTimeMinutes` is “Cooking time minutes”.
function title(schema, key) {
  if (typeof schema?.title === "string") return schema.title;
  const words = key.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ").trim().toLowerCase();
  return words ? words[0].toUpperCase() + words.slice(1) : key;
}

function makeControl(kind, schema, label) {
  const id = uniqueId("field");
  const hint = typeof schema.description === "string" ? el("small", { id: `${id}-hint`, class: "note" }, schema.description) : null;
  const described = hint ? `${id}-hint` : undefined;
  if (kind === "object" || kind === "array") {
    const body = el("div", { class: `filled-${kind}` });
    if (!label) return { node: body, body };
    return { node: el("fieldset", {}, el("legend", {}, label), hint, body), body };
  }
  if (kind === "boolean") {
    // Not disabled, so that it can be reached and read; it cannot be changed.
    const control = el("input", { id, type: "checkbox", "aria-readonly": "true", "aria-describedby": described, on: { click: (event) => event.preventDefault() } });
    return { node: el("div", { class: "field check" }, control, el("label", { for: id }, label || "Value"), hint), control };
  }
  const control = kind === "text"
    ? el("textarea", { id, rows: "1", readOnly: true, "aria-describedby": described })
    : el("input", { id, readOnly: true, "aria-describedby": described });
  return { node: el("div", { class: `field ${kind}` }, el("label", { for: id }, label || "Value"), control, hint), control };
}

function write(place, kind, value) {
  if (kind === "boolean") { place.control.checked = value; return; }
  const text = kind === "null" ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value);
  if (place.control.value !== text) place.control.value = text;
}

"""#),
        PageFile(
            name: "search.js",
            text: #"""
// Finds conversations by their words.

import { path } from "/page/tree.js";

/// Characters around what was found.
const before = 24;
const length = 90;

/// A text without case and accents, and where each of its characters stood.
function folded(text) {
  let plain = "";
  const places = [];
  let at = 0;
  for (const letter of text) {
    const found = letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    plain += found;
    for (let count = 0; count < found.length; count += 1) places.push(at);
    at += letter.length;
  }
  return { plain, places };
}

/// What conversations say does not change often; what was folded is kept with the text.
const known = new WeakMap();

function plainTexts(conversation) {
  const nodes = Object.values(conversation.nodes);
  const size = nodes.reduce((sum, node) => sum + node.content.length + (node.reasoning?.length ?? 0), nodes.length);
  const kept = known.get(conversation);
  if (kept?.size === size && kept.title === conversation.title) return kept;
  const shown = new Set(path(conversation));
  const texts = nodes.filter((node) => node.role !== "tool" && (node.content || node.files)).sort((a, b) => shown.has(b) - shown.has(a))
    .map((node) => ({ node, plain: folded([node.content, ...(node.files ?? []).map((file) => file.name)].join("\n")).plain }));
  const found = { size, title: conversation.title, plainTitle: folded(conversation.title).plain, texts };
  known.set(conversation, found);
  return found;
}

/// The words of what is looked for.
export const searchWords = (text) => folded(text).plain.split(/\s+/).filter(Boolean);

/// Where a conversation has all of some words; null where it has not.
///
/// `node` is the message in which the first one is that the title has not, `snippet` what stands around it; both null where the title has all.
export function find(conversation, words) {
  const { plainTitle, texts } = plainTexts(conversation);
  if (!words.every((word) => plainTitle.includes(word) || texts.some(({ plain }) => plain.includes(word)))) return null;
  const missing = words.filter((word) => !plainTitle.includes(word));
  if (missing.length === 0) return { node: null, snippet: null };
  // The message with the most of them, the shown ones first.
  const count = (plain) => missing.filter((word) => plain.includes(word)).length;
  const { node } = texts.reduce((best, text) => (count(text.plain) > count(best.plain) ? text : best));
  return { node, snippet: snippet(node.content || node.files.map((file) => file.name).join(", "), missing) };
}

/// What stands around the first of some words: `[text, isFound]` each.
function snippet(text, words) {
  const { plain, places } = folded(text);
  const first = Math.max(0, Math.min(...words.map((word) => plain.indexOf(word)).filter((at) => at >= 0), plain.length));
  const start = Math.max(0, first - before);
  const end = Math.min(plain.length, start + length);
  const marks = [];
  for (let at = start; at < end;) {
    const word = words.filter((other) => plain.startsWith(other, at)).sort((a, b) => b.length - a.length)[0];
    const next = at + (word?.length ?? 1);
    const piece = text.slice(places[at], places[next] ?? text.length);
    if (marks.length && marks.at(-1)[1] === Boolean(word)) marks.at(-1)[0] += piece;
    else marks.push([piece, Boolean(word)]);
    at = next;
  }
  if (start > 0) marks.unshift(["…", false]);
  if (end < plain.length) marks.push(["…", false]);
  return marks.map(([piece, isFound]) => [piece.replace(/\s+/g, " "), isFound]);
}

"""#),
        PageFile(
            name: "senses.js",
            text: #"""
// What models see, hear and say, as the lists of models show it.

import { el } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { session } from "/page/session.js";
import { settings } from "/page/store.js";

const labels = {
  text: ["text", "Text only"], vision: ["eye", "Sees pictures"], audio: ["wave", "Hears sound"], speech: ["speaker", "Speaks"],
  vectors: ["vector", "Makes vectors, does not chat"],
};

/// What a model does besides reading and writing text; undefined where the server does not tell.
function senses(model) {
  const { capabilities } = (model.id === settings.model && session.abilities) || {};
  const { input_modalities: takes, output_modalities: gives } = model.architecture ?? {};
  if (!capabilities && !takes) return undefined;
  const isText = capabilities ? capabilities.includes("completion") : gives?.includes("text") ?? true;
  if (!isText) return ["vectors"];
  const found = capabilities ? ["vision", "audio", "speech"].filter((name) => capabilities.includes(name))
    : [takes.includes("image") && "vision", takes.includes("audio") && "audio", gives?.includes("audio") && "speech"].filter(Boolean);
  return found.length ? found : ["text"];
}

/// That as small marks with words; nothing where it is not known.
export function senseMarks(model) {
  const found = senses(model);
  return found ? el("span", { class: "senses" }, found.map((name) => el("span", { class: "sense", "data-sense": name }, icon(labels[name][0]), labels[name][1]))) : null;
}

"""#),
        PageFile(
            name: "session.js",
            text: #"""
// What the page is about now: the model, the conversation, the reply that is being written.

import * as api from "/page/api.js";
import * as history from "/page/history.js";
import { notice } from "/page/notices.js";
import { readSchema } from "/page/schema-form.js";
import { change, settings } from "/page/store.js";
import { activeTools, ownAnswer } from "/page/tools.js";
import { addNode, goTo, makeConversation, openCalls, requestMessages } from "/page/tree.js";

/// How often in a row the page answers calls by itself.
const maxRounds = 8;

export const session = {
  models: [],
  /// Whether the server has told which there are.
  isListed: false,
  /// What the chosen model can do; null until the server has told.
  abilities: null,
  /// Why it cannot be used; null where it can.
  modelError: null,
  conversation: makeConversation(),
  /// The reply that is being written: `{node, abort, started, first, pieces}`.
  running: null,
};

const listeners = { model: new Set(), conversation: new Set(), reply: new Set(), history: new Set() };

/// Calls back after changes of a kind.
export function on(kind, body) { listeners[kind].add(body); }

function tell(kind, ...values) { for (const body of listeners[kind]) body(...values); }

// MARK: Models

/// Asks which models there are; takes the first where the chosen one is not among them.
export async function loadModels() {
  session.models = await api.models();
  session.isListed = true;
  if (session.models.some((model) => model.id === settings.model)) tell("model");
  else await chooseModel(session.models[0]?.id ?? null);
}

/// Takes a model, and learns what it can do.
export async function chooseModel(id) {
  change({ model: id });
  session.abilities = null;
  session.modelError = null;
  tell("model");
  if (!id) return;
  try {
    const abilities = await api.show(id);
    if (settings.model === id) session.abilities = abilities;
  } catch (error) {
    if (settings.model === id) session.modelError = error.message;
  }
  tell("model");
  loadModels().catch(() => {});
}

/// Whether the chosen model can do something, as far as is known.
export const can = (ability) => session.abilities?.capabilities.includes(ability) ?? false;

// MARK: Conversations

export function newConversation() {
  stop();
  session.conversation = makeConversation();
  tell("conversation");
  tell("history");
}

export function openConversation(conversation) {
  if (conversation.id === session.conversation.id) return;
  stop();
  session.conversation = conversation;
  tell("conversation");
  tell("history");
}

/// Gives a conversation a name. One that came from elsewhere is kept already.
export async function renameConversation(conversation, title, isNew = true) {
  conversation.title = title;
  if (conversation.id === session.conversation.id) tell("conversation");
  if (!isNew) return;
  try {
    // Its place among the others stays.
    await history.save(structuredClone(conversation));
  } catch (error) {
    notice(`The name could not be kept: ${error.message}`);
  }
  tell("history");
}

export async function removeConversation(id) {
  if (session.conversation.id === id) newConversation();
  await history.remove(id);
  tell("history");
}

async function keep(conversation) {
  conversation.updated = Date.now();
  try {
    await history.save(structuredClone(conversation));
  } catch (error) {
    notice(`The conversation could not be kept: ${error.message}`);
  }
  tell("history");
}

export function switchTo(node) {
  stop();
  goTo(session.conversation, node);
  tell("conversation");
  keep(session.conversation);
}

// MARK: Replies

/// Sends a message, under the latest one or beside one that it replaces.
export function send(text, { replacing, files } = {}) {
  stop();
  const { conversation } = session;
  if (!conversation.title) conversation.title = text.trim().split("\n")[0].slice(0, 80) || "Files";
  addNode(conversation, replacing ? replacing.parent : conversation.leaf, { role: "user", content: text, files });
  return reply();
}

/// Keeps what was said and answered aloud, as messages like others.
export function addSpoken(heard, said, isWhole) {
  const { conversation } = session;
  if (!conversation.title) conversation.title = heard.slice(0, 80);
  addNode(conversation, conversation.leaf, { role: "user", content: heard });
  addNode(conversation, conversation.leaf, { role: "assistant", model: settings.model, content: said, finish: isWhole ? "stop" : undefined });
  tell("conversation");
  return keep(conversation);
}

/// Another answer beside one that there is.
export function regenerate(node) {
  stop();
  session.conversation.leaf = node.parent;
  return reply();
}

/// Answers a call by hand, and goes on when all are answered.
export function answer(node, call, text) {
  const { conversation } = session;
  addNode(conversation, conversation.leaf, { role: "tool", callId: call.id, content: text });
  tell("conversation");
  if (openCalls(conversation, node).length === 0) return reply();
  return keep(conversation);
}

export function stop() { session.running?.abort.abort(); }

function request(conversation, tools, schema) {
  const { sampling, model } = settings;
  const result = { model, messages: requestMessages(conversation, settings.system), ...sampling };
  if (tools.length) result.tools = tools;
  if (schema) result.response_format = { type: "json_schema", json_schema: { name: "reply", schema } };
  if (can("thinking")) result.chat_template_kwargs = { enable_thinking: settings.thinking };
  return result;
}

/// The schema that replies are held to; null for none. What is wrong with it is told where it is written.
export function activeSchema() {
  if (!settings.schemaOn) return null;
  try { return readSchema(settings.schema); } catch { return null; }
}

async function reply(round = 0) {
  const { conversation } = session;
  const schema = activeSchema();
  const tools = activeTools();
  const body = request(conversation, tools, schema);
  const node = addNode(conversation, conversation.leaf, { role: "assistant", model: settings.model });
  if (schema) node.schema = schema;
  // With both the reply is a call or fills the form: which one, its beginning tells.
  if (schema && tools.length) node.mayCall = true;
  const running = { node, abort: new AbortController(), started: performance.now(), first: 0, pieces: 0 };
  session.running = running;
  tell("conversation");
  keep(conversation);
  let saved = performance.now();
  try {
    for await (const event of api.chat(body, running.abort.signal)) {
      take(event, node, running);
      tell("reply", node);
      // So that a page that is closed loses little.
      if (performance.now() - saved > 2000) {
        saved = performance.now();
        history.save(structuredClone(conversation)).catch(() => {});
      }
    }
    // A connection that something between closes looks like an end.
    if (!node.finish && !running.abort.signal.aborted) node.error = "The connection to the server broke.";
  } catch (error) {
    if (!running.abort.signal.aborted) node.error = error.message;
  }
  if (node.reasoning && !node.thought) node.thought = (performance.now() - running.started) / 1000;
  if (session.running === running) session.running = null;
  await keep(conversation);
  if (session.conversation === conversation) tell("conversation", node);
  if (!node.finish || session.conversation !== conversation || session.running) return undefined;
  return goOn(conversation, node, round);
}

/// Answers calls of the page's own functions; where nothing is left open, the model goes on.
async function goOn(conversation, node, round) {
  // What a limit cut off is not what the model wanted.
  if (node.finish !== "tool_calls" || !node.calls?.length) return undefined;
  for (const call of node.calls) {
    const text = ownAnswer(call);
    if (text !== undefined) addNode(conversation, conversation.leaf, { role: "tool", callId: call.id, content: text });
  }
  tell("conversation");
  if (openCalls(conversation, node).length > 0) return keep(conversation);
  if (round >= maxRounds) {
    notice(`The model called functions ${maxRounds} times in a row; write a message to go on.`);
    return keep(conversation);
  }
  return reply(round + 1);
}

function take(event, node, running) {
  for (const { delta, finish_reason: finish } of event.choices ?? []) {
    if (delta.content || delta.reasoning_content) {
      running.pieces += 1;
      running.first ||= performance.now();
    }
    if (delta.reasoning_content) node.reasoning = (node.reasoning ?? "") + delta.reasoning_content;
    if (delta.content) {
      if (node.reasoning && !node.thought) node.thought = (performance.now() - running.started) / 1000;
      node.content += delta.content;
    }
    for (const call of delta.tool_calls ?? []) {
      node.calls ??= [];
      const known = call.id ? undefined : node.calls[call.index];
      if (known) known.function.arguments += call.function?.arguments ?? "";
      else node.calls.push({ id: call.id, type: "function", function: { name: call.function.name, arguments: call.function.arguments ?? "" } });
    }
    if (finish) node.finish = finish;
  }
  if (event.usage) {
    node.stats = {
      prompt: event.usage.prompt_tokens, cached: event.usage.prompt_tokens_details?.cached_tokens ?? 0,
      generated: event.usage.completion_tokens, speed: event.timings?.predicted_per_second ?? 0,
    };
  }
}

/// Tokens per second of the reply that is being written, by the pieces that arrived.
export function liveSpeed() {
  const { running } = session;
  if (!running || running.pieces < 3) return 0;
  return (running.pieces - 1) / ((performance.now() - running.first) / 1000);
}


"""#),
        PageFile(
            name: "settings-view.js",
            text: #"""
// The settings: instructions, sampling, form, functions, looks.

import { byId, el, fill, uniqueId } from "/page/dom.js";
import { exampleTool, schemas, schemaText } from "/page/examples.js";
import { exportAll } from "/page/export.js";
import * as history from "/page/history.js";
import { icon } from "/page/icons.js";
import { notice } from "/page/notices.js";
import { describe, readSchema } from "/page/schema-form.js";
import { on, session } from "/page/session.js";
import { change, onSettings, settings } from "/page/store.js";
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
  fill(byId("settings-body"), system(), sampling(), form(), functions(), conversations(), looks());
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

function system() {
  const field = el("textarea", { id: "system", rows: "3", placeholder: "You are a helpful assistant.", on: { input: () => change({ system: field.value }) } });
  redraws.push(() => { if (document.activeElement !== field) field.value = settings.system; });
  return section("system", "Instructions", el("label", { for: "system" }, "Told to the model before the conversation"), field);
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
  return section("sampling", "Sampling", el("p", { class: "note" }, "Where nothing is set, the model's own values count: those shown in grey."), rows, number("max_tokens", "Tokens, at most", "no limit"), number("seed", "Seed", "new each time"), reset);
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
  return section("tools", "Functions", active, none, own, list,
    el("form", { on: { submit: add } }, el("label", { for: "function" }, "A function of your own, as JSON"), field, error,
      el("div", { class: "row end" }, el("button", { type: "submit", class: "button" }, "Add the function"))),
    el("p", { class: "note" }, "You answer its calls by hand, in the conversation. With Form on as well, the model calls functions and fills the form in the end."));
}

function conversations() {
  const all = async () => {
    const found = await history.all();
    if (found.length) exportAll(found);
    else notice("There are no conversations yet.");
  };
  return section("conversations", "Conversations", el("p", { class: "note" }, "They are kept in this browser alone. One by itself is exported from its menu in the list."),
    el("div", { class: "row" }, el("button", { type: "button", class: "button", on: { click: all } }, icon("download"), "Export all as JSON")));
}

function looks() {
  const id = uniqueId("theme");
  const names = { system: "As the system", light: "Light", dark: "Dark" };
  const field = el("select", { id, on: { change: () => change({ theme: field.value }) } }, Object.entries(names).map(([value, name]) => el("option", { value }, name)));
  redraws.push(() => { field.value = settings.theme; });
  return section("looks", "Appearance", el("div", { class: "setting inline" }, el("label", { for: id }, "Colours"), field));
}

"""#),
        PageFile(
            name: "sidebar.js",
            text: #"""
// The list of conversations.

import { openMenu, startMenu } from "/page/conversation-menu.js";
import { byId, el, fill } from "/page/dom.js";
import * as history from "/page/history.js";
import { icon } from "/page/icons.js";
import { reveal } from "/page/messages.js";
import { announce, confirm } from "/page/notices.js";
import { newConversation, on, openConversation, removeConversation, renameConversation, session, switchTo } from "/page/session.js";
import { find, searchWords } from "/page/search.js";
import { path } from "/page/tree.js";

let turn = 0;
/// All conversations, as they were read last.
let conversations = [];
/// The identifier of the one whose name is being written.
let renamed = null;

export async function startSidebar() {
  byId("new-chat").addEventListener("click", begin);
  byId("open-sidebar").addEventListener("click", () => open(true));
  byId("close-sidebar").addEventListener("click", () => open(false));
  byId("scrim").addEventListener("click", () => open(false));
  matchMedia("(max-width: 800px)").addEventListener("change", (event) => { if (!event.matches) open(false); });
  startMenu();
  startSearch();
  on("history", draw);
  history.onChange(async () => { await draw(); adopt(); });
  if (!await history.isKept()) byId("sidebar-note").textContent = "This browser keeps nothing: conversations end with the page.";
  await draw();
  const latest = conversations[0];
  // Back to where the person was, unless that is long ago.
  if (latest && Date.now() - latest.updated < 12 * 3_600_000) openConversation(latest);
}

export function begin() {
  newConversation();
  open(false);
  byId("input").focus();
}

/// Opens and closes the list on narrow screens; what is behind it cannot be reached meanwhile.
export function open(isOpen) {
  const was = document.body.classList.contains("with-sidebar");
  document.body.classList.toggle("with-sidebar", isOpen);
  byId("scrim").hidden = !isOpen;
  byId("frame").inert = isOpen;
  if (isOpen) byId("close-sidebar").focus();
  else if (was) byId("open-sidebar").focus();
}

/// A name that was given in another tab holds here as well.
function adopt() {
  const stored = conversations.find((other) => other.id === session.conversation.id);
  if (stored && stored.title !== session.conversation.title) renameConversation(session.conversation, stored.title, false);
}

// MARK: Searching

function startSearch() {
  const field = byId("search");
  field.addEventListener("input", () => { show(); announceCount(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") byId("conversations").querySelector(".conversation")?.focus();
    else if (event.key === "Escape" && field.value) clearSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId("clear-search").addEventListener("click", () => { clearSearch(); field.focus(); });
}

function clearSearch() {
  byId("search").value = "";
  show();
}

/// Goes to the field for searching.
export function search() {
  if (matchMedia("(max-width: 800px)").matches) open(true);
  byId("search").focus();
  byId("search").select();
}

let counting;

function announceCount() {
  clearTimeout(counting);
  counting = setTimeout(() => {
    const count = byId("conversations").childElementCount;
    if (byId("search").value.trim()) announce(count === 0 ? "No conversation found." : count === 1 ? "One conversation found." : `${count} conversations found.`);
  }, 600);
}

// MARK: The list

async function draw() {
  const own = ++turn;
  const found = await history.all();
  if (own !== turn) return;
  conversations = found;
  show();
}

function show() {
  // The field that a name is written in is not drawn anew.
  if (renamed && byId("conversations").contains(document.activeElement)) return;
  const words = searchWords(byId("search").value);
  const rows = conversations.map((conversation) => ({ conversation, found: words.length ? find(conversation, words) : { node: null, snippet: null } })).filter(({ found }) => found);
  const focused = document.activeElement?.closest?.("#conversations li")?.dataset.id;
  const part = document.activeElement?.matches?.(".more") ? "more" : "conversation";
  fill(byId("conversations"), rows.map(row));
  if (focused) inRow(focused, part)?.focus();
  byId("search-box").hidden = conversations.length === 0;
  byId("clear-search").hidden = words.length === 0;
  byId("search-note").hidden = words.length === 0 || rows.length > 0;
  byId("search-note").textContent = `No conversation has “${byId("search").value.trim()}”.`;
}

/// A part of a conversation's row.
const inRow = (id, part) => byId("conversations").querySelector(`[data-id="${CSS.escape(id)}"] .${part}`);

function row({ conversation, found }) {
  const isCurrent = conversation.id === session.conversation.id;
  const name = conversation.title || "Conversation";
  if (conversation.id === renamed) return el("li", { "data-id": conversation.id, class: isCurrent ? "current" : "" }, nameField(conversation));
  const more = el("button", {
    type: "button", class: "icon-button small more", "aria-label": `More of “${name}”`, title: "Rename, export, delete", "aria-haspopup": "menu", "aria-expanded": "false",
    on: { click: () => openMenu(more, current(conversation), { rename: () => rename(conversation), remove: () => remove(conversation, name) }) },
  }, icon("more"));
  return el("li", { "data-id": conversation.id, class: isCurrent ? "current" : "" },
    el("button", {
      type: "button", class: "conversation", "aria-current": isCurrent ? "true" : undefined, title: name,
      on: {
        click: () => visit(conversation, found.node), dblclick: () => rename(conversation),
        keydown: (event) => { if (event.key === "F2") { event.preventDefault(); rename(conversation); } },
      },
    }, el("span", { class: "conversation-name" }, name),
    found.snippet ? el("span", { class: "snippet" }, found.snippet.map(([text, isFound]) => (isFound ? el("mark", {}, text) : text))) : null),
    more);
}

/// The conversation as it is now: what is kept of the one that is open may be a moment older.
const current = (conversation) => (conversation.id === session.conversation.id ? session.conversation : conversation);

/// Opens a conversation, at a message that was found.
function visit(conversation, node) {
  openConversation(conversation);
  open(false);
  if (!node) return;
  const own = session.conversation.nodes[node.id];
  if (!own) return;
  if (!path(session.conversation).includes(own)) switchTo(own);
  reveal(own);
}

async function remove(conversation, name) {
  if (!await confirm(`Delete “${name}”?`)) return;
  await removeConversation(conversation.id);
  byId("new-chat").focus();
}

// MARK: Naming

function rename(conversation) {
  renamed = conversation.id;
  document.activeElement?.blur();
  show();
  const field = inRow(conversation.id, "name-field");
  field?.focus();
  field?.select();
}

function nameField(conversation) {
  const field = el("input", { class: "name-field", "aria-label": "Name of the conversation", maxlength: "200", autocomplete: "off", value: conversation.title });
  let isOver = false;
  const end = (isKept, returnsFocus) => {
    if (isOver) return;
    isOver = true;
    renamed = null;
    const title = field.value.replace(/\s+/g, " ").trim();
    if (isKept && title && title !== conversation.title) {
      conversation.title = title;
      renameConversation(current(conversation), title);
    }
    if (returnsFocus) {
      field.blur();
      show();
      inRow(conversation.id, "conversation")?.focus();
    } else {
      // This row alone: a press on another one, which may be what ended it, goes on.
      field.closest("li")?.replaceWith(row({ conversation, found: { node: null, snippet: null } }));
    }
  };
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === "Enter", true);
  });
  field.addEventListener("blur", () => end(true, false));
  return field;
}

"""#),
        PageFile(
            name: "sound.js",
            text: #"""
// Sound as realtime sessions carry it: 16-bit samples of one channel.

/// Samples per second of a session, in both directions.
export const sessionRate = 24_000;

/// What is shown as nothing and as everything, in decibels of full scale.
const quietest = -50;
const loudest = -6;

/// How loud samples look on a meter, in 0...1: their power in decibels, as ears have it.
export function level(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(Math.max(sum / Math.max(1, samples.length), 1e-12));
  return Math.min(1, Math.max(0, (decibels - quietest) / (loudest - quietest)));
}

/// Samples as integers; those beyond -1...1 are cut.
export function toIntegers(samples) {
  return Int16Array.from(samples, (sample) => Math.round(Math.min(1, Math.max(-1, sample)) * 32767));
}

/// Integers as text.
export function toBase64(integers) {
  const bytes = new DataView(new ArrayBuffer(integers.length * 2));
  integers.forEach((value, index) => bytes.setInt16(index * 2, value, true));
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += 1) text += String.fromCharCode(bytes.getUint8(at));
  return btoa(text);
}

/// The samples of such a text; a last odd byte is left out.
export function fromBase64(text) {
  const bytes = atob(text);
  const samples = new Float32Array(Math.floor(bytes.length / 2));
  for (let index = 0; index < samples.length; index += 1) {
    const value = bytes.charCodeAt(index * 2) | bytes.charCodeAt(index * 2 + 1) << 8;
    samples[index] = (value << 16 >> 16) / 32768;
  }
  return samples;
}

"""#),
        PageFile(
            name: "starters.js",
            text: #"""
// What an empty conversation offers: what the chosen model can do, the particular first.

import { pick } from "/page/attach.js";
import { write } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { schemaText } from "/page/examples.js";
import { can, send } from "/page/session.js";
import { change, settings } from "/page/store.js";
import { openVoice } from "/page/voice-view.js";

const most = 4;

/// `needs` is an ability of the model, `fits` what else has to be so. One without `run` sends its text, with `set` set before.
const starters = [
  {
    needs: "vision", drawing: "picture", title: "Ask about a picture", text: "What is in the picture?", hint: "Choose one, then ask what is in it.",
    run: ({ text }) => pick(["image"], () => write(text)),
  },
  {
    needs: "audio", drawing: "wave", title: "Send a recording", hint: "Choose a sound file, and send it.",
    run: () => pick(["audio"]),
  },
  { needs: "audio", drawing: "microphone", title: "Speak", hint: "Say something, and listen to the answer.", fits: () => can("speech"), run: openVoice },
  {
    needs: "tools", drawing: "clock", title: "Let it use a tool", text: "What time is it in Lisbon?",
    set: () => ({ toolsOn: true, schemaOn: false, builtins: [...new Set([...settings.builtins, "clock"])] }),
  },
  {
    needs: "thinking", drawing: "thought", title: "Let it think", text: "Tom has 5 books and buys 2 more. How many books does he have?",
    set: () => ({ thinking: true, schemaOn: false }),
  },
  {
    needs: "completion", drawing: "form", title: "Fill a form", text: "Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.",
    // A schema of the person's own stays.
    fits: () => !settings.schema.trim() || settings.schema === schemaText("Person"),
    set: () => ({ schemaOn: true, toolsOn: false, schema: schemaText("Person") }),
  },
  { needs: "completion", drawing: "text", title: "Tell a story", text: "Tell me a story about a fox.", set: () => ({ schemaOn: false }) },
  { needs: "completion", drawing: "text", title: "Ask a question", text: "What is the capital of Portugal?", set: () => ({ schemaOn: false }) },
  { needs: "completion", drawing: "text", title: "Hear a joke", text: "Tell me a joke.", set: () => ({ schemaOn: false }) },
];

/// Those for the chosen model.
export const offered = () => starters.filter((starter) => can(starter.needs) && (starter.fits?.() ?? true)).slice(0, most);

/// Begins with one.
export function start(starter) {
  if (starter.run) { starter.run(starter); return; }
  change(starter.set());
  send(starter.text);
  byId("input").focus();
}

"""#),
        PageFile(
            name: "store.js",
            text: #"""
// The page's settings, kept in this browser.

const name = "open-leap-settings";

const usual = {
  model: null, system: "", sampling: {}, theme: "system",
  schemaOn: false, schema: "", toolsOn: false, tools: [], builtins: ["clock", "calculator"], thinking: false, handsFree: false,
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

"""#),
        PageFile(
            name: "stream.js",
            text: #"""
// Reads replies that arrive in pieces.

/// The lines of a body, as they come.
async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const line of parts) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
    if (rest) yield rest;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/// The data of server-sent events, parsed, until `[DONE]`.
export async function* events(body) {
  let data = [];
  for await (const line of lines(body)) {
    if (line === "") {
      const text = data.join("\n");
      data = [];
      if (text === "[DONE]") return;
      if (text) yield JSON.parse(text);
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}

/// A JSON document for each line.
export async function* documents(body) {
  for await (const line of lines(body)) if (line.trim()) yield JSON.parse(line);
}

"""#),
        PageFile(
            name: "style.css",
            text: #"""
/* One set of names for both colour schemes: light-dark() takes the first or the second value. */
:root {
  color-scheme: light dark;
  --page: light-dark(#fcfbf9, #161513);
  --side: light-dark(#f4f2ed, #1b1a18);
  --raised: light-dark(#ffffff, #211f1d);
  --sunk: light-dark(#f5f3ee, #1d1c1a);
  --bubble: light-dark(#ecf3f0, #20302c);
  --line: light-dark(#e2ded5, #35322e);
  --strong-line: light-dark(#8d877b, #7b756b);
  --text: light-dark(#1f1d1a, #ece8e1);
  --muted: light-dark(#676158, #a9a298);
  --accent: light-dark(#0b6e5f, #67d3ba);
  --on-accent: light-dark(#ffffff, #06251e);
  --soft: light-dark(#dfeee9, #1c3a33);
  --danger: light-dark(#b3261e, #f2a49e);
  --shadow: light-dark(rgb(40 34 20 / 12%), rgb(0 0 0 / 45%));
  --word: light-dark(#7c2fa6, #cfa8f5);
  --string: light-dark(#1c6b3f, #93d4a2);
  --number: light-dark(#94480a, #ecb57f);
  --name: light-dark(#1a5aa8, #8fbcf7);
  --comment: light-dark(#6b655b, #a09a8e);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --radius: 12px;
  --column: 46rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); overflow: hidden;
  background: var(--page); color: var(--text); font: 1rem/1.6 var(--sans); -webkit-text-size-adjust: 100%;
}
body:has(#settings[open]:not(:modal)) { grid-template-columns: 17rem minmax(0, 1fr) 22rem; }
h1, h2, h3, h4, h5, h6, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
button, input, textarea, select { font: inherit; color: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; opacity: 0.4; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0;
}
.skip { position: absolute; left: -100vw; top: 0; z-index: 50; padding: 0.5rem 1rem; background: var(--accent); color: var(--on-accent); border-radius: 0 0 8px 0; }
.skip:focus { left: 0; }
.note { color: var(--muted); font-size: 0.8125rem; line-height: 1.45; }
.error { color: var(--danger); }
.spacer { flex: 1; }
.row { display: flex; align-items: center; gap: 0.5rem; }
.row.wrap { flex-wrap: wrap; }
.row.end { justify-content: flex-end; }
.icon { width: 1.25em; height: 1.25em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; vertical-align: -0.25em; }
.noscript { position: fixed; inset: 0; display: grid; place-items: center; background: var(--page); }

/* Buttons */
.button, .wide-button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.4rem; min-height: 2.25rem; padding: 0.25rem 0.875rem;
  border: 1px solid var(--line); border-radius: 9px; background: var(--raised); font-size: 0.875rem; font-weight: 500;
}
.button:hover:not(:disabled), .wide-button:hover { border-color: var(--strong-line); }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.danger { color: var(--danger); border-color: currentColor; }
.text-button { border: 0; background: none; padding: 0; color: var(--accent); font-weight: 500; text-decoration: underline; text-underline-offset: 2px; }
.icon-button {
  display: inline-grid; place-items: center; flex: none; width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 8px; background: none; color: var(--muted);
}
.icon-button.small { width: 1.75rem; height: 1.75rem; font-size: 0.8125rem; }
.icon-button:hover:not(:disabled) { background: color-mix(in srgb, var(--text) 8%, transparent); color: var(--text); }
.icon-button[aria-expanded="true"] { background: var(--soft); color: var(--accent); }
.narrow { display: none; }

/* Fields */
input:not([type="checkbox"], [type="range"]), textarea, select {
  width: 100%; padding: 0.4rem 0.65rem; border: 1px solid var(--strong-line); border-radius: 8px; background: var(--page); font-size: 0.9375rem;
}
textarea { resize: vertical; line-height: 1.5; }
::placeholder { color: var(--muted); opacity: 1; }
[aria-invalid="true"] { border-color: var(--danger) !important; }
input[type="checkbox"] { width: 1.05rem; height: 1.05rem; margin: 0; flex: none; accent-color: var(--accent); }
input[type="range"] { width: 100%; margin: 0.15rem 0 0; accent-color: var(--accent); }
.mono, code, pre, kbd { font-family: var(--mono); }
.mono { font-size: 0.8125rem !important; }
label { font-size: 0.875rem; }
progress { appearance: none; width: 100%; height: 6px; border: 0; border-radius: 3px; background: var(--line); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 3px; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 3px; }

/* The list of conversations */
#sidebar { display: flex; flex-direction: column; gap: 0.75rem; min-height: 0; padding: 0.875rem 0.75rem; background: var(--side); border-right: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.625rem; padding: 0 0.25rem; font-weight: 650; letter-spacing: -0.01em; }
.brand .icon-button { margin-left: auto; }
.wide-button { width: 100%; justify-content: flex-start; }
#sidebar nav { flex: 1; min-height: 0; overflow-y: auto; margin: 0 -0.25rem; padding: 0.125rem 0.25rem; }
.search-box { position: relative; display: flex; align-items: center; }
.search-box > span { position: absolute; left: 0.6rem; font-size: 0.8125rem; color: var(--muted); pointer-events: none; }
#search { padding: 0.3rem 2.25rem 0.3rem 2rem; border-color: var(--line); font-size: 0.875rem; background: var(--raised); }
#search:hover { border-color: var(--strong-line); }
#clear-search { position: absolute; right: 0.25rem; }
#search-note { padding: 0.25rem 0.5rem; overflow-wrap: anywhere; }
#conversations li { position: relative; display: flex; align-items: center; border-radius: 8px; }
#conversations li:hover, #conversations li:focus-within { background: color-mix(in srgb, var(--text) 6%, transparent); }
#conversations li.current { background: var(--soft); }
.conversation { flex: 1; min-width: 0; padding: 0.45rem 0.625rem; border: 0; background: none; border-radius: 8px; text-align: left; font-size: 0.875rem; line-height: 1.4; }
.conversation-name { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.current .conversation-name { font-weight: 550; }
.snippet { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; color: var(--muted); font-size: 0.75rem; }
mark { background: light-dark(#ffe9a8, #5a4a12); color: var(--text); border-radius: 3px; }
.name-field { margin: 0.125rem; padding: 0.3rem 0.5rem !important; font-size: 0.875rem !important; }
#conversations .more { position: absolute; right: 0.25rem; font-size: 1rem; opacity: 0; }
#conversations li:hover .more, #conversations li:focus-within .more, #conversations .more[aria-expanded="true"] { opacity: 1; }
#conversations li:hover .conversation, #conversations li:focus-within .conversation { padding-right: 2.25rem; }
#sidebar > .note { padding: 0 0.25rem; }

.menu { position: fixed; inset: auto; margin: 0; min-width: 12.5rem; padding: 0.3rem; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); box-shadow: 0 12px 36px var(--shadow); }
.menu:popover-open { display: grid; }
.menu button { display: flex; align-items: center; gap: 0.6rem; min-height: 2.25rem; padding: 0.25rem 0.75rem 0.25rem 0.6rem; border: 0; border-radius: 8px; background: none; font-size: 0.875rem; text-align: left; }
.menu button:hover, .menu button:focus { background: color-mix(in srgb, var(--text) 7%, transparent); }
.menu .icon { color: var(--muted); }
.menu .danger, .menu .danger .icon { color: var(--danger); }

/* The frame around the conversation */
#frame { display: flex; flex-direction: column; min-width: 0; min-height: 0; height: 100dvh; }
header { display: flex; align-items: center; gap: 0.5rem; padding: 0.5rem 0.875rem; min-height: 3.25rem; }
#model-button { display: inline-flex; align-items: center; gap: 0.25rem; min-width: 0; max-width: 60%; padding: 0.3rem 0.5rem 0.3rem 0.7rem; border: 0; border-radius: 9px; background: none; font-weight: 600; }
#model-button:hover { background: color-mix(in srgb, var(--text) 6%, transparent); }
.model-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#model-state { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.context { display: flex; flex-direction: column; gap: 0.2rem; font-size: 0.75rem; line-height: 1.2; color: var(--muted); font-variant-numeric: tabular-nums; }
.context progress { height: 3px; }
#banner { display: flex; align-items: center; justify-content: center; flex-wrap: wrap; gap: 0.5rem 1rem; padding: 0.5rem 1rem; font-size: 0.875rem; background: light-dark(#fbe9e7, #45211e); color: light-dark(#7c1d16, #ffd9d5); }
main { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; outline: none; }
#messages { max-width: calc(var(--column) + 2.5rem); margin: 0 auto; padding: 1rem 1.25rem 2rem; display: flex; flex-direction: column; gap: 0.75rem; }

/* Welcome */
#welcome { min-height: 100%; max-width: 38rem; margin: 0 auto; padding: 2rem 1.25rem; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 0.75rem; text-align: center; }
#welcome h2, #welcome .note { text-wrap: balance; overflow-wrap: anywhere; }
#welcome h2 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.02em; font-weight: 650; }
.ideas { width: 100%; margin-top: 1.25rem; display: grid; grid-template-columns: 1fr 1fr; gap: 0.625rem; }
.ideas li { display: flex; }
.idea { flex: 1; display: flex; align-items: flex-start; gap: 0.75rem; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); text-align: left; font-size: 0.875rem; line-height: 1.4; }
.idea .icon { margin-top: 0.05rem; color: var(--muted); }
.idea > span { display: grid; gap: 0.1rem; min-width: 0; }
.idea strong { font-weight: 550; }
.idea:hover { border-color: var(--accent); }
.idea:hover .icon { color: var(--accent); }

/* Messages */
.message { scroll-margin: 1rem; border-radius: var(--radius); outline-offset: 6px; }
/* An answer stands by its question, and what comes next further away. */
.message.user { align-self: flex-end; max-width: min(92%, 36rem); display: flex; flex-direction: column; align-items: flex-end; }
* + .message.user { margin-top: 1.75rem; }
.message.user .message-bar { margin: 0.125rem 0 -0.375rem; }
.message.user .message-body { padding: 0.6rem 0.95rem; border-radius: 16px 16px 4px 16px; background: var(--bubble); }
.user-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.message.assistant .message-body { display: flex; flex-direction: column; gap: 0.75rem; min-width: 0; }
.message-bar { display: flex; align-items: center; flex-wrap: wrap; gap: 0.125rem; min-height: 1.75rem; margin-top: 0.25rem; }
.message.assistant .message-bar { margin-left: -0.375rem; }
.stats { margin-left: 0.5rem; color: var(--muted); font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.branches { display: inline-flex; align-items: center; margin-right: 0.25rem; color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.problem { display: flex; align-items: center; gap: 0.5rem; }
p.attached { display: flex; align-items: center; gap: 0.4rem; overflow-wrap: anywhere; }
.attached { max-width: 100%; max-height: 16rem; border-radius: 8px; margin-bottom: 0.4rem; }
img.attached { display: block; }
.dots { display: flex; gap: 0.3rem; padding: 0.6rem 0; }
.dots i { width: 7px; height: 7px; border-radius: 50%; background: var(--muted); animation: pulse 1.2s infinite; }
.dots i:nth-of-type(2) { animation-delay: 0.15s; }
.dots i:nth-of-type(3) { animation-delay: 0.3s; }
@keyframes slide { from { transform: translateX(-100%); } }
@keyframes pulse { 0%, 60%, 100% { opacity: 0.25; } 30% { opacity: 1; } }

/* Folds: reasoning, calls, JSON */
.fold { border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); font-size: 0.875rem; min-width: 0; }
.fold > summary { display: flex; align-items: center; gap: 0.5rem; padding: 0.4rem 0.7rem; cursor: pointer; list-style: none; color: var(--muted); border-radius: 10px; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary > .icon:last-child { margin-left: auto; transition: transform 0.15s; }
.fold[open] > summary > .icon:last-child { transform: rotate(180deg); }
.fold > summary:hover { color: var(--text); }
.fold > .prose, .call-body { padding: 0.25rem 0.9rem 0.75rem; }
.fold > .code { border: 0; border-top: 1px solid var(--line); border-radius: 0 0 10px 10px; }
.reasoning > .prose { color: var(--muted); font-size: 0.875rem; }
.reasoning, .fold:not([open]) { align-self: flex-start; max-width: 100%; }
.fold[open] { align-self: stretch; }
.calls { display: flex; flex-direction: column; gap: 0.5rem; }
.call > summary code { color: var(--text); font-weight: 600; }
.call-body { display: flex; flex-direction: column; gap: 0.4rem; }
.call-part { font-size: 0.75rem; font-weight: 600; color: var(--muted); }
.call-body form { display: flex; flex-direction: column; gap: 0.4rem; margin-top: 0.4rem; }
.plain { margin: 0; padding: 0.5rem 0.7rem; border-radius: 8px; background: var(--page); border: 1px solid var(--line); font-size: 0.8125rem; overflow: auto; max-height: 20rem; white-space: pre-wrap; overflow-wrap: anywhere; }

/* Markdown */
.prose { min-width: 0; overflow-wrap: anywhere; }
.prose > * + * { margin-top: 0.8rem; }
.prose h2, .prose h3, .prose h4, .prose h5, .prose h6 { margin-top: 1.25rem; line-height: 1.3; letter-spacing: -0.01em; font-weight: 650; }
.prose h2 { font-size: 1.25rem; }
.prose h3 { font-size: 1.1rem; }
.prose h4, .prose h5, .prose h6 { font-size: 1rem; }
.prose > :first-child { margin-top: 0; }
.prose ul { list-style: disc; padding-left: 1.4rem; }
.prose ol { padding-left: 1.6rem; }
.prose li + li { margin-top: 0.2rem; }
.prose li > p + p, .prose li > ul, .prose li > ol { margin-top: 0.2rem; }
.prose li::marker { color: var(--muted); }
.prose .task { list-style: none; margin-left: -1.4rem; }
.prose .task input { vertical-align: -0.15em; margin-right: 0.2rem; }
.prose blockquote { margin: 0; margin-top: 0.8rem; padding-left: 0.9rem; border-left: 3px solid var(--line); color: var(--muted); }
.prose hr { border: 0; border-top: 1px solid var(--line); }
.prose a { color: var(--accent); text-underline-offset: 2px; }
.prose :not(pre) > code { padding: 0.1em 0.35em; border-radius: 5px; background: var(--sunk); border: 1px solid var(--line); font-size: 0.86em; }
.scrolls { overflow-x: auto; }
.prose table { border-collapse: collapse; font-size: 0.9375rem; }
.prose th, .prose td { padding: 0.4rem 0.75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: normal; }
.prose th { font-weight: 600; border-bottom-color: var(--strong-line); }
[data-align="right"] { text-align: right !important; }
[data-align="center"] { text-align: center !important; }
.code { border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); overflow: hidden; min-width: 0; }
.code-head { display: flex; align-items: center; justify-content: space-between; padding: 0.2rem 0.35rem 0.2rem 0.8rem; font-size: 0.75rem; color: var(--muted); border-bottom: 1px solid var(--line); }
.code pre { margin: 0; padding: 0.75rem 0.8rem; overflow-x: auto; font-size: 0.8125rem; line-height: 1.55; overflow-wrap: normal; tab-size: 4; }
pre:focus-visible, .scrolls:focus-visible { outline-offset: -2px; }
.tok-word { color: var(--word); }
.tok-string, .tok-added { color: var(--string); }
.tok-number { color: var(--number); }
.tok-name { color: var(--name); }
.tok-type { color: var(--number); }
.tok-comment { color: var(--comment); font-style: italic; }
.tok-removed { color: var(--danger); }

/* A reply as a form */
.filled { display: flex; flex-direction: column; gap: 0.75rem; padding: 0.9rem 1rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); min-height: 3.25rem; }
.filled-object, .filled-array { display: grid; gap: 0.75rem; }
.filled-object:empty, .filled-array:empty { display: none; }
.filled-note { order: 1; }
.filled fieldset { border: 1px solid var(--line); border-radius: 10px; padding: 0.25rem 0.75rem 0.75rem; min-width: 0; }
.filled legend { padding: 0 0.35rem; font-size: 0.8125rem; font-weight: 600; color: var(--muted); }
.field { display: grid; gap: 0.2rem; }
.field label { font-size: 0.8125rem; font-weight: 550; color: var(--muted); }
.field textarea { field-sizing: content; resize: none; }
.field.check { display: flex; align-items: center; flex-wrap: wrap; gap: 0.5rem; }
.field.check label { color: var(--text); font-size: 0.9375rem; font-weight: 400; }
.field[data-open] textarea, .field[data-open] input { border-color: var(--accent); box-shadow: 0 0 0 3px var(--soft); }
.filled-array > .field { grid-template-columns: 1.5rem minmax(0, 1fr); align-items: center; }
.filled-array > .field label { font-variant-numeric: tabular-nums; }

/* Writing */
footer { position: relative; padding: 0 1.25rem 0.5rem; }
footer::before { content: ""; position: absolute; inset: -1.5rem 0 auto; height: 1.5rem; background: linear-gradient(transparent, var(--page)); pointer-events: none; }
#composer { position: relative; max-width: var(--column); margin: 0 auto; padding: 0.6rem 0.6rem 0.5rem; border: 1px solid var(--strong-line); border-radius: 18px; background: var(--raised); box-shadow: 0 4px 18px var(--shadow); }
#composer:focus-within { border-color: var(--accent); box-shadow: 0 4px 18px var(--shadow), 0 0 0 1px var(--accent); }
#input { display: block; border: 0; background: none; padding: 0.25rem 0.45rem 0.4rem; resize: none; font-size: 1rem; max-height: 40dvh; outline: none; }
.composer-row { display: flex; align-items: center; gap: 0.375rem; }
.chips { display: flex; gap: 0.375rem; min-width: 0; padding: 2px; margin: -2px; overflow-x: auto; scrollbar-width: none; }
.chip { flex: none; display: inline-flex; align-items: center; gap: 0.35rem; height: 2rem; padding: 0 0.7rem; border: 1px solid var(--line); border-radius: 1rem; background: none; color: var(--muted); font-size: 0.8125rem; font-weight: 500; white-space: nowrap; }
.chip:hover { border-color: var(--strong-line); color: var(--text); }
.chip[aria-pressed="true"] { background: var(--soft); border-color: var(--accent); color: var(--accent); }
.live { color: var(--muted); font-size: 0.75rem; font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.round { display: grid; place-items: center; flex: none; width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent); }
.round:hover { filter: brightness(1.08); }
#stop .icon { fill: currentColor; }
#editing { display: flex; justify-content: space-between; gap: 1rem; padding: 0 0.45rem 0.4rem; font-size: 0.8125rem; color: var(--muted); }
#missing { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.1rem 1rem; padding: 0 0.45rem 0.45rem; font-size: 0.8125rem; color: var(--danger); }
.missing-actions { display: flex; gap: 1rem; }
#attachments { display: flex; flex-wrap: wrap; gap: 0.4rem; padding: 0 0.3rem 0.4rem; }
#attachments li { display: flex; align-items: center; gap: 0.4rem; padding: 0.2rem 0.2rem 0.2rem 0.5rem; border: 1px solid var(--line); border-radius: 9px; font-size: 0.8125rem; max-width: 14rem; }
#attachments span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#attachments img { width: 1.75rem; height: 1.75rem; object-fit: cover; border-radius: 5px; }
.hint { max-width: var(--column); margin: 0.4rem auto 0; text-align: center; font-size: 0.75rem; }

/* Dialogs */
dialog { color: inherit; background: var(--raised); border: 1px solid var(--line); padding: 0; }
dialog::backdrop { background: light-dark(rgb(40 36 28 / 35%), rgb(0 0 0 / 60%)); }
.sheet { width: min(34rem, calc(100vw - 2rem)); max-height: min(44rem, calc(100dvh - 2rem)); border-radius: 16px; box-shadow: 0 20px 60px var(--shadow); }
.sheet[open] { display: flex; flex-direction: column; }
.sheet.small { width: min(26rem, calc(100vw - 2rem)); }
.panel-head { display: flex; align-items: center; justify-content: space-between; flex: none; padding: 0.75rem 0.75rem 0.5rem 1.25rem; }
dialog h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 650; letter-spacing: -0.01em; }
.panel-body { display: flex; flex-direction: column; gap: 1rem; min-height: 0; overflow-y: auto; padding: 0.5rem 1.25rem 1.25rem; }
.panel-body:focus-visible { outline-offset: -3px; border-radius: 0 0 16px 16px; }
form.panel-body { padding-top: 1.25rem; gap: 0.6rem; }
.panel { position: fixed; inset: 0 0 0 auto; margin: 0; width: min(24rem, 100vw); height: 100dvh; max-height: none; border-width: 0 0 0 1px; box-shadow: -10px 0 40px var(--shadow); }
.panel[open] { display: flex; flex-direction: column; }
.panel:not(:modal) { position: static; width: auto; box-shadow: none; background: var(--side); }
.panel section { display: flex; flex-direction: column; gap: 0.6rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); scroll-margin-top: 0.5rem; }
.panel section:last-child { border: 0; }
.panel h3 { font-size: 0.875rem; font-weight: 650; }
.panel form { display: flex; flex-direction: column; gap: 0.5rem; }
.setting-head { display: flex; align-items: center; gap: 0.5rem; }
.setting-head .note { margin-left: auto; white-space: nowrap; }
.setting-head input { width: 4.75rem !important; padding: 0.2rem 0.4rem !important; font-size: 0.8125rem !important; font-variant-numeric: tabular-nums; }
.setting[data-set] label { color: var(--accent); font-weight: 600; }
.setting.inline, .setting.check { display: flex; align-items: center; gap: 0.6rem; }
.setting.inline label { flex: 1; }
.setting.inline input, .setting.inline select { width: 10.5rem !important; font-size: 0.8125rem !important; }
.functions li code { font-size: 0.8125rem; }
.functions .note { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.choices { display: grid; gap: 0.375rem; }
.choices:empty, #pulls:empty, .functions:empty { display: none; }
.choice { display: flex; align-items: center; gap: 0.75rem; width: 100%; padding: 0.65rem 0.875rem; border: 1px solid var(--line); border-radius: 10px; background: none; text-align: left; }
.choice:hover { border-color: var(--strong-line); }
.choice[aria-pressed="true"] { border-color: var(--accent); background: var(--soft); }
.choice .icon { color: var(--accent); }
.choice-main { flex: 1; min-width: 0; display: grid; gap: 0.15rem; }
.choice-name { font-weight: 550; overflow-wrap: anywhere; }
.choice-size { text-align: right; white-space: nowrap; }
.choice-size span + span::before { content: " · "; white-space: pre; }
.senses { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; font-size: 0.8125rem; line-height: 1.45; color: var(--muted); }
.sense { white-space: nowrap; display: inline-flex; align-items: center; gap: 0.35rem; }
.choice .sense .icon, .sense .icon { font-size: 0.8125rem; color: inherit; }
#welcome .senses { justify-content: center; }
#pull-form { display: grid; gap: 0.35rem; }
#pulls { display: grid; gap: 0.75rem; }
.pull { display: grid; gap: 0.35rem; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-radius: 10px; }
.pull strong { flex: 1; min-width: 0; font-weight: 550; font-size: 0.9375rem; overflow-wrap: anywhere; }
.shortcuts { display: grid; gap: 0.1rem; }
.shortcuts div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.35rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.shortcuts div:last-child { border: 0; }
.shortcuts dt { order: 2; display: flex; gap: 0.25rem; }
kbd { padding: 0.05rem 0.4rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; background: var(--sunk); font-size: 0.75rem; }
#key-form h2, #confirm h2 { overflow-wrap: anywhere; }

/* Speaking */
#voice { --voice: #6b7280; }
#voice[data-color="listening"] { --voice: light-dark(#2563eb, #82aaff); }
#voice[data-color="responding"] { --voice: light-dark(#047a55, #4fd1a1); }
#voice[data-color="error"] { --voice: light-dark(#b3261e, #f2a49e); }
#voice .panel-body { align-items: center; gap: 0.75rem; }
.voice-stage { position: relative; display: grid; place-items: center; }
#voice-orb { width: 12.5rem; height: 12.5rem; margin: -0.75rem 0; }
#voice-meter { display: flex; gap: 0.3rem; }
#voice-meter i { width: 1.15rem; height: 0.6rem; border-radius: 3px; background: var(--line); }
#voice-meter .lit { background: var(--voice); }
#voice-status { font-weight: 600; min-height: 1.6em; }
#voice-captions { align-self: stretch; display: flex; flex-direction: column; gap: 0.5rem; min-height: 5.5rem; max-height: 11rem; overflow-y: auto; padding: 0.125rem; border-radius: 8px; }
#voice-captions:not(:has(p:not([hidden])))::before { content: "What is said appears here."; margin: auto; color: var(--muted); font-size: 0.875rem; }
[data-color="error"] #voice-captions { min-height: 0; }
[data-color="error"] #voice-captions:not(:has(p:not([hidden]))), [data-color="error"] #voice-hint { display: none; }
#voice-captions p { overflow-wrap: anywhere; }
#voice-heard { align-self: flex-end; max-width: 85%; padding: 0.4rem 0.8rem; border-radius: 14px 14px 4px 14px; background: var(--bubble); font-size: 0.9375rem; }
#voice-said { font-size: 1.0625rem; line-height: 1.5; }
#voice-said[data-cut]::after { content: " –"; color: var(--muted); }
#voice-problem { align-self: stretch; display: flex; align-items: center; gap: 0.75rem; padding: 0.6rem 0.6rem 0.6rem 0.9rem; border-radius: 10px; background: light-dark(#fbe9e7, #45211e); color: light-dark(#7c1d16, #ffd9d5); font-size: 0.875rem; line-height: 1.4; }
#voice-problem p { flex: 1; }
#voice-problem .button { flex: none; color: var(--text); }
.voice-controls { align-self: stretch; display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: 0.75rem; }
#voice-stop { justify-self: end; }
#voice-stop .icon { fill: currentColor; }
.voice-talk { display: grid; place-items: center; width: 4.25rem; height: 4.25rem; padding: 0; border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-size: 1.375rem; touch-action: none; -webkit-user-select: none; user-select: none; }
.voice-talk[aria-disabled="true"] { cursor: default; opacity: 0.4; }
.voice-talk:hover:not([aria-disabled="true"]) { filter: brightness(1.08); }
#voice[data-state="listening"] .voice-talk { background: light-dark(#2563eb, #82aaff); color: light-dark(#ffffff, #0a1a3d); box-shadow: 0 0 0 6px color-mix(in srgb, var(--voice) 22%, transparent); }
.switch { white-space: nowrap; display: inline-flex; align-items: center; gap: 0.5rem; cursor: pointer; }
.switch input { appearance: none; position: relative; width: 2.25rem; height: 1.3rem; border: 1px solid var(--strong-line); border-radius: 1rem; background: var(--sunk); }
.switch input::before { content: ""; position: absolute; top: 50%; left: 0.15rem; width: 0.85rem; height: 0.85rem; border-radius: 50%; background: var(--strong-line); transform: translateY(-50%); transition: left 0.12s; }
.switch input:checked { background: var(--accent); border-color: var(--accent); }
.switch input:checked::before { left: 1.1rem; background: var(--on-accent); }
#voice-hint { text-align: center; min-height: 1.45em; }

/* Over everything */
#notice { position: absolute; left: 50%; bottom: calc(100% + 0.5rem); transform: translateX(-50%); z-index: 10; width: max-content; max-width: min(34rem, calc(100vw - 2rem)); padding: 0.65rem 1rem; border-radius: 12px; background: var(--text); color: var(--page); font-size: 0.875rem; line-height: 1.45; box-shadow: 0 8px 30px var(--shadow); }
#drop { position: fixed; inset: 0.75rem; z-index: 40; display: grid; place-items: center; border: 2px dashed var(--accent); border-radius: 18px; background: color-mix(in srgb, var(--page) 88%, transparent); pointer-events: none; }
#drop p { font-size: 1.125rem; font-weight: 600; color: var(--accent); text-align: center; }
#scrim { position: fixed; inset: 0; z-index: 15; background: light-dark(rgb(40 36 28 / 35%), rgb(0 0 0 / 60%)); }

@media (hover: hover) {
  .message.user .message-bar:not(:has(.branches)) { opacity: 0; transition: opacity 0.1s; }
  .message.user:hover .message-bar, .message.user:focus-within .message-bar { opacity: 1 !important; }
}
/* Beside the bubble there is room for what can be done with it, and no line between it and the answer. */
@media (min-width: 801px) {
  .message.user { flex-direction: row-reverse; align-items: flex-end; gap: 0.375rem; max-width: 100%; }
  .message.user .message-body { max-width: 36rem; min-width: 0; }
  .message.user .message-bar { flex: none; flex-wrap: nowrap; margin: 0; }
}
@media (max-width: 800px) {
  body, body:has(#settings[open]:not(:modal)) { grid-template-columns: minmax(0, 1fr); }
  #sidebar { position: fixed; inset: 0 auto 0 0; z-index: 20; width: min(19rem, 86vw); visibility: hidden; }
  .with-sidebar #sidebar { visibility: visible; animation: slide 0.2s; box-shadow: 10px 0 40px var(--shadow); }
  .narrow { display: inline-grid; }
  .wide { display: none; }
  #conversations .more { opacity: 1; }
  .conversation { padding-right: 2.5rem; }
  .name-field, #search { font-size: 1rem !important; }
  header { padding: 0.4rem 0.5rem; gap: 0.25rem; }
  #messages { padding: 0.75rem 0.875rem 1.5rem; }
  footer { padding: 0 0.625rem max(0.5rem, env(safe-area-inset-bottom)); }
  #welcome { padding: 1rem 1.25rem; gap: 0.5rem; }
  #welcome > img { width: 44px; height: 44px; }
  #welcome h2 { font-size: 1.375rem; }
  .ideas { grid-template-columns: 1fr; margin-top: 0.75rem; gap: 0.5rem; }
  .idea { padding: 0.6rem 0.875rem; }
  .message.user { max-width: 92%; }
  .chip { padding: 0 0.6rem; }
  .stats { flex-basis: 100%; margin-left: 0.375rem; }
  .icon-button.small { width: 2rem; height: 2rem; }
}
@media (max-width: 420px) {
  #live { display: none; }
  .composer-row, .chips { gap: 0.25rem; }
  .choice-size span { display: block; }
  .choice-size span + span::before { content: none; }
  .chip { padding: 0 0.5rem; gap: 0.3rem; }
  #context-text { font-size: 0.6875rem; }
  .voice-controls { grid-template-columns: 1fr 1fr; }
  .voice-talk { grid-column: 1 / -1; grid-row: 1; justify-self: center; }
}
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media (forced-colors: active) { .chip[aria-pressed="true"], .choice[aria-pressed="true"] { border: 2px solid Highlight; } }

"""#),
        PageFile(
            name: "tools.js",
            text: #"""
// The functions that models may call: two that the page answers itself, and those that a person defines and answers.

import { calculate } from "/page/calculator.js";
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

/// The definitions that requests carry.
export function activeTools() {
  if (!settings.toolsOn) return [];
  const own = settings.builtins.filter((name) => Object.hasOwn(builtins, name)).map((name) => builtins[name].definition);
  return [...own, ...settings.tools].map((definition) => ({ type: "function", function: definition }));
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

"""#),
        PageFile(
            name: "tree.js",
            text: #"""
// A conversation as a tree: an edited message and a second answer are branches beside the first.

let last = 0;

/// An identifier that sorts by time.
function makeId() {
  last = Math.max(Date.now(), last + 1);
  return last.toString(36);
}

export function makeConversation() {
  const now = Date.now();
  return { id: `${makeId()}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`, title: "", created: now, updated: now, nodes: {}, leaf: null };
}

/// Adds a message under another one and goes to it.
export function addNode(conversation, parent, fields) {
  const node = { id: makeId(), parent, content: "", ...fields };
  conversation.nodes[node.id] = node;
  conversation.leaf = node.id;
  return node;
}

/// The messages from the first one to the leaf.
export function path(conversation) {
  const result = [];
  for (let node = conversation.nodes[conversation.leaf]; node; node = conversation.nodes[node.parent]) result.unshift(node);
  return result;
}

/// A message and its alternatives, the earliest first.
export function siblings(conversation, node) {
  return Object.values(conversation.nodes).filter((other) => other.parent === node.parent)
    .sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
}

/// Goes to an alternative, and to the end of its latest branch.
export function goTo(conversation, node) {
  let leaf = node;
  for (;;) {
    const children = siblings(conversation, { parent: leaf.id });
    if (children.length === 0) break;
    leaf = children.at(-1);
  }
  conversation.leaf = leaf.id;
}

/// The messages as requests carry them.
export function requestMessages(conversation, system) {
  const messages = system.trim() ? [{ role: "system", content: system }] : [];
  for (const node of path(conversation)) {
    if (node.role === "tool") messages.push({ role: "tool", tool_call_id: node.callId, content: node.content });
    else if (node.role === "user") messages.push({ role: "user", content: userContent(node) });
    else if (node.content || node.reasoning || callsOf(node).length) {
      const message = { role: "assistant", content: node.content };
      if (node.reasoning) message.reasoning_content = node.reasoning;
      if (callsOf(node).length) message.tool_calls = callsOf(node);
      messages.push(message);
    }
  }
  return messages;
}

/// Text alone, or parts where files go with it.
function userContent(node) {
  if (!node.files?.length) return node.content;
  const parts = node.files.map((file) => (file.kind === "picture"
    ? { type: "image_url", image_url: { url: file.data } }
    : { type: "input_audio", input_audio: { data: file.data.split(",")[1], format: "wav" } }));
  return node.content ? [...parts, { type: "text", text: node.content }] : parts;
}

/// The calls of a message, but for one that the limit of tokens cut off.
const callsOf = (node) => (node.finish === "length" ? [] : node.calls ?? []);

/// The calls of an assistant's message that have no result yet on the way to the leaf.
export function openCalls(conversation, node) {
  const answered = new Set(path(conversation).filter((other) => other.role === "tool").map((other) => other.callId));
  return callsOf(node).filter((call) => !answered.has(call.id));
}

"""#),
        PageFile(
            name: "voice-audio.js",
            text: #"""
// The microphone and the loudspeaker of a spoken conversation.

import { sessionRate } from "/page/sound.js";

/// Milliseconds that the audio thread has to answer.
const patience = 500;

/// Why this browser has no microphone for the page; null where it has one.
export function missingAudio() {
  if (!window.isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia && window.AudioWorkletNode ? null : "unsupported";
}

/// Where sound is worked on. Has to be made when a person presses something, or the browser plays nothing.
export class VoiceAudio {
  #context = new AudioContext({ latencyHint: "interactive" });
  #speaker = null;
  #sound = 0;
  #heard = null;
  #flushed = null;
  /// Seconds that were played of the present sound.
  #played = 0;

  /// - onPlayed: called with `{level, isOver}` while a sound is played.
  constructor(onPlayed) { this.#heard = onPlayed; }

  async open() {
    await this.#context.audioWorklet.addModule("/page/voice-worklet.js");
    this.#speaker = new AudioWorkletNode(this.#context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
    this.#speaker.port.onmessage = ({ data }) => {
      if (data.id !== this.#sound) return;
      this.#played = data.played;
      if (this.#flushed && data.isOver) {
        this.#flushed(data.played);
        this.#flushed = null;
      } else {
        this.#heard(data);
      }
    };
    this.#speaker.connect(this.#context.destination);
    await this.wake();
  }

  /// Browsers let sound rest until a person presses something.
  async wake() { if (this.#context.state === "suspended") await this.#context.resume(); }

  close() { if (this.#context.state !== "closed") this.#context.close(); }

  // MARK: Playing

  begin() {
    this.#sound += 1;
    this.#played = 0;
    this.#flushed = null;
    this.#speaker.port.postMessage({ begin: this.#sound });
  }

  play(samples) { this.#speaker.port.postMessage({ samples }, [samples.buffer]); }

  /// Nothing follows of the sound that is played.
  end() { this.#speaker.port.postMessage({ end: true }); }

  /// Stops at once; the milliseconds of the sound that were heard.
  flush() {
    return new Promise((resolve) => {
      const late = this.#context.outputLatency || 0;
      const answer = (played) => resolve(Math.floor(Math.max(0, played - late) * 1000));
      const last = this.#played;
      this.#flushed = answer;
      this.#speaker.port.postMessage({ flush: true });
      // Where sound is halted by the browser or the system nobody answers.
      setTimeout(() => answer(last), patience);
    });
  }

  // MARK: Recording

  /// Opens the microphone.
  ///
  /// - onSamples: called with `{samples, level}`.
  /// - onLost: called where it goes away.
  async listen(onSamples, onLost) {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } });
    await this.wake();
    return new Microphone(this.#context, stream, onSamples, onLost);
  }
}

class Microphone {
  #stream;
  #source;
  #node;
  #flushed = null;
  /// Seconds that were recorded.
  recorded = 0;

  constructor(context, stream, onSamples, onLost) {
    this.#stream = stream;
    this.#source = new MediaStreamAudioSourceNode(context, { mediaStream: stream });
    this.#node = new AudioWorkletNode(context, "microphone", { outputChannelCount: [1] });
    this.#node.port.onmessage = ({ data }) => {
      this.recorded += data.samples.length / sessionRate;
      onSamples(data);
      if (data.isLast) this.#flushed?.();
    };
    // It puts nothing out; without a destination a browser need not run it.
    this.#source.connect(this.#node).connect(context.destination);
    stream.getAudioTracks()[0].addEventListener("ended", onLost);
  }

  /// Waits for what was recorded and not told yet.
  flush() {
    return new Promise((resolve) => {
      this.#flushed = resolve;
      this.#node.port.postMessage("flush");
    });
  }

  close() {
    this.#node.port.onmessage = null;
    this.#node.port.postMessage("close");
    this.#source.disconnect();
    this.#node.disconnect();
    for (const track of this.#stream.getTracks()) track.stop();
    this.#flushed?.();
  }
}

"""#),
        PageFile(
            name: "voice-labels.js",
            text: #"""
// The texts of the spoken conversation, as those of LeapUi's widget.

const labels = {
  idle: "Tap to speak", opening: "Opening the microphone…", listening: "Listening…",
  taking: "Answering…", responding: "Answering…", playing: "Answering…",
};

/// The line that says what goes on.
export function statusText({ state, isHandsFree, problem }) {
  if (problem) return "Something went wrong";
  if (state === "unavailable") return "Loading the model…";
  return state === "idle" && isHandsFree ? "Speak" : labels[state] ?? "";
}

/// What can be done now.
export function hintText({ state, isHandsFree, problem }) {
  if (problem || ["unavailable", "opening", "taking"].includes(state)) return "";
  if (isHandsFree) return "A pause sends it. Speak to interrupt.";
  if (state === "listening") return "Let go to send, or tap once more.";
  if (state !== "idle") return "Press the button to interrupt and speak.";
  return matchMedia("(pointer: coarse)").matches ? "Or hold the button while you speak." : "Or hold the button, or the space key, while you speak.";
}

/// What the one button does.
export function actionText({ state, isHandsFree }) {
  if (state === "listening") return "Send";
  if (state === "opening" || state === "taking") return "Cancel";
  if (state === "responding" || state === "playing") return isHandsFree ? "Stop the answer" : "Interrupt and speak";
  return "Speak";
}

/// What went wrong, and what to do.
const problems = {
  insecure: () => "Browsers give the microphone to safe pages only: open this one at https:// or at http://localhost.",
  unsupported: () => "This browser cannot record for a page: use a newer one.",
  permissionDenied: () => "Recording is not permitted: allow the microphone for this page in the browser's settings.",
  microphoneMissing: () => "There is no microphone: connect one.",
  microphoneUnavailable: (reason) => `The microphone cannot be used: ${reason}`,
  microphoneLost: () => "The microphone is gone: connect it again, or choose another one.",
  nothingRecorded: () => "Nothing was recorded: speak, then send.",
  replyFailed: (reason) => `There is no reply: ${reason}`,
  playerUnavailable: (reason) => `Sound cannot be played: ${reason}`,
  playbackNotEnding: () => "The sound could not be played to its end: check the output device.",
  sessionFailed: (reason) => `The server says: ${reason}`,
  modelFailed: (reason) => `The model cannot be used: ${reason}`,
  connectionLost: () => "The connection to the server broke. Is it still running?",
};

export const problemText = ({ kind, reason }) => problems[kind](reason);

/// The kind of what the browser says where the microphone does not open.
export function microphoneProblem(error) {
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return { kind: "permissionDenied" };
  if (error.name === "NotFoundError") return { kind: "microphoneMissing" };
  return { kind: "microphoneUnavailable", reason: error.message };
}

"""#),
        PageFile(
            name: "voice-orb.js",
            text: #"""
// Draws the orb: larger and livelier as the person or the model speaks, in the colour of what goes on.

/// As LeapUi's VoiceWidgetColors has them.
const colors = { idle: [107, 114, 128], listening: [37, 99, 235], responding: [5, 150, 105], error: [220, 38, 38] };

/// The colour's name for a state.
export function orbColor({ state, problem }) {
  if (problem) return "error";
  if (state === "listening") return "listening";
  return ["taking", "responding", "playing"].includes(state) ? "responding" : "idle";
}

const mixed = (from, to, share) => from.map((value, index) => value + (to[index] - value) * share);
const css = (color, alpha = 1) => `rgb(${color.map(Math.round).join(" ")} / ${alpha})`;
const lighter = (color, share) => mixed(color, [255, 255, 255], share);

export class Orb {
  #canvas;
  #color = colors.idle;
  #level = 0;
  /// How far the orb has turned.
  #turn = 0;

  constructor(canvas) { this.#canvas = canvas; }

  /// Draws a frame that is this many seconds behind the one before.
  move(assistant, seconds) {
    const isWaiting = assistant.state === "unavailable" || assistant.state === "opening" || assistant.state === "taking" || assistant.state === "responding";
    const target = assistant.problem ? 0 : Math.max(assistant.level, isWaiting ? 0.12 + 0.08 * Math.sin(performance.now() / 300) : 0);
    // Up at once, down slowly: so levels are read best.
    this.#level += (target - this.#level) * Math.min(1, seconds * (target > this.#level ? 22 : 7));
    this.#turn += seconds * (0.5 + 2.2 * this.#level);
    this.#color = mixed(this.#color, colors[orbColor(assistant)], Math.min(1, seconds * 9));
    this.#draw(this.#level, this.#turn);
  }

  /// Draws it at rest.
  rest(assistant) {
    this.#color = colors[orbColor(assistant)];
    this.#level = 0;
    this.#draw(0, 0);
  }

  #draw(level, turn) {
    const { width } = this.#canvas;
    const context = this.#canvas.getContext("2d");
    const middle = width / 2;
    const radius = width * (0.23 + 0.08 * level);
    context.clearRect(0, 0, width, width);
    const glow = context.createRadialGradient(middle, middle, radius * 0.8, middle, middle, Math.min(middle, radius * 1.75));
    glow.addColorStop(0, css(this.#color, 0.22 + 0.3 * level));
    glow.addColorStop(1, css(this.#color, 0));
    context.fillStyle = glow;
    context.fillRect(0, 0, width, width);
    for (let layer = 2; layer >= 0; layer -= 1) {
      context.fillStyle = css(lighter(this.#color, 0.12 * layer), layer === 0 ? 1 : 0.28);
      this.#blob(middle, radius * (1 + 0.09 * layer * (0.4 + level)), level * (0.05 + 0.035 * layer), turn * (layer % 2 ? -1 : 1) + layer);
    }
    const light = context.createRadialGradient(middle - radius * 0.35, middle - radius * 0.45, radius * 0.05, middle, middle, radius * 1.05);
    light.addColorStop(0, css(lighter(this.#color, 0.75), 0.85));
    light.addColorStop(0.45, css(lighter(this.#color, 0.3), 0.4));
    light.addColorStop(1, css(mixed(this.#color, [0, 0, 0], 0.25), 0.35));
    context.fillStyle = light;
    this.#blob(middle, radius, level * 0.05, turn);
  }

  /// A circle whose edge waves by a share of its radius.
  #blob(middle, radius, waving, turn) {
    const context = this.#canvas.getContext("2d");
    const steps = 96;
    context.beginPath();
    for (let step = 0; step < steps; step += 1) {
      const angle = step / steps * 2 * Math.PI;
      const wave = Math.sin(3 * angle + 2 * turn) + 0.6 * Math.sin(5 * angle - 3 * turn);
      const reach = radius * (1 + waving * wave);
      context.lineTo(middle + reach * Math.cos(angle), middle + reach * Math.sin(angle));
    }
    context.closePath();
    context.fill();
  }
}

"""#),
        PageFile(
            name: "voice-session.js",
            text: #"""
// The realtime session of a spoken conversation: how it is set, and its events in both directions.

import * as api from "/page/api.js";

/// Milliseconds of silence that end what a person says.
const silence = 700;

export class VoiceSession {
  #options;
  #socket;
  /// Whether the server has begun it.
  isReady = false;

  /// - model, instructions, temperature, speaks, messages: as those of VoiceAssistant.
  /// - onEvent: called with each event of the server; onLost: called where the connection ends by itself.
  constructor(options, isHandsFree, { onEvent, onLost }) {
    this.#options = options;
    this.#socket = api.realtime(options.model);
    this.#socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === "session.created") this.#begin(isHandsFree());
      onEvent(event);
    };
    this.#socket.onclose = () => {
      this.isReady = false;
      onLost();
    };
  }

  send(type, members = {}) {
    if (this.isReady) this.#socket.send(JSON.stringify({ type, ...members }));
  }

  configure(isHandsFree) {
    const { instructions, temperature, speaks } = this.#options;
    const language = navigator.language.startsWith("ja") ? "ja" : "en";
    this.send("session.update", {
      session: {
        type: "realtime", instructions, temperature, output_modalities: [speaks ? "audio" : "text"],
        audio: {
          input: {
            transcription: { language },
            // Answers are ended by the page, as it alone knows how much of them was heard.
            turn_detection: isHandsFree ? { type: "server_vad", silence_duration_ms: silence, interrupt_response: false } : null,
          },
        },
      },
    });
  }

  #begin(isHandsFree) {
    this.isReady = true;
    this.configure(isHandsFree);
    for (const { role, content } of this.#options.messages()) {
      const part = { type: role === "assistant" ? "output_text" : "input_text", text: content };
      this.send("conversation.item.create", { item: { type: "message", role, content: [part] } });
    }
  }

  close() {
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.isReady = false;
    this.#socket.close();
  }
}

"""#),
        PageFile(
            name: "voice-turn.js",
            text: #"""
// One exchange of a spoken conversation.

import { sessionRate } from "/page/sound.js";

let count = 0;

export class VoiceTurn {
  /// Tells its response from others.
  id = `turn-${count += 1}`;
  /// The session's names for what the person said, the response, and what the model says.
  userItem = null;
  response = null;
  item = null;
  /// What the person said, as far as it is understood, and whether all of it is.
  heard = "";
  isHeard = false;
  /// Whether nothing more comes of the answer, from the server and for the person.
  isWritten = false;
  isOver = false;
  isInterrupted = false;
  #pieces = [];
  #samples = 0;

  /// What the model said.
  get said() { return this.#pieces.map((piece) => piece.text).join(""); }
  /// Milliseconds of its sound.
  get length() { return Math.floor(this.#samples * 1000 / sessionRate); }

  say(text) { this.#pieces.push({ text, at: this.length }); }

  add(samples) { this.#samples += samples.length; }

  /// Forgets what came behind a point of the sound, as the server does.
  cut(end) { this.#pieces = this.#pieces.filter((piece) => piece.at <= end); }
}

"""#),
        PageFile(
            name: "voice-view.js",
            text: #"""
// The panel of a spoken conversation.

import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { notice } from "/page/notices.js";
import { addSpoken, can, on, session, stop } from "/page/session.js";
import { change, settings } from "/page/store.js";
import { path } from "/page/tree.js";
import { missingAudio } from "/page/voice-audio.js";
import { VoiceAssistant } from "/page/voice.js";
import { actionText, hintText, problemText, statusText } from "/page/voice-labels.js";
import { Orb, orbColor } from "/page/voice-orb.js";

/// A press that is shorter begins what another one ends; a longer one ends with itself. In milliseconds.
const longest = 350;

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

let assistant = null;
let orb = null;
/// When the button went down, and whether that sends what was said; null while it is up.
let press = null;

export function startVoice() {
  orb = new Orb(byId("voice-orb"));
  on("model", () => { byId("voice-button").hidden = !can("audio"); });
  byId("voice-button").addEventListener("click", openVoice);
  byId("close-voice").addEventListener("click", () => byId("voice").close());
  // The event may come when the panel is open again.
  byId("voice").addEventListener("close", () => { if (!byId("voice").open) end(); });
  byId("voice-stop").addEventListener("click", () => { assistant.cancel(); byId("voice-talk").focus(); });
  byId("voice-hands-free").addEventListener("change", ({ target }) => {
    change({ handsFree: target.checked });
    assistant?.setHandsFree(target.checked);
  });
  startPressing();
  stillness.addEventListener("change", draw);
}

export function openVoice() {
  if (byId("voice").open) return;
  if (!can("audio")) {
    notice(`${settings.model ?? "This model"} takes no sound: choose a model that hears.`);
    return;
  }
  end();
  stop();
  byId("voice-title").textContent = `Speak with ${settings.model}`;
  assistant = new VoiceAssistant({
    model: settings.model, speaks: can("speech"), isHandsFree: settings.handsFree, instructions: settings.system,
    temperature: settings.sampling.temperature,
    messages: () => path(session.conversation).filter((node) => node.role !== "tool" && node.content),
    onChange: draw,
    onTurn: (turn) => {
      if (turn.heard || turn.said) addSpoken(turn.heard || "(not understood)", turn.said, !turn.isInterrupted);
    },
  });
  byId("voice").showModal();
  byId("voice-talk").focus();
  const missing = missingAudio();
  if (missing) {
    assistant.problem = { kind: missing };
    draw();
  } else {
    assistant.open();
  }
  let last = performance.now();
  const frame = (now) => {
    if (!assistant) return;
    if (!stillness.matches) orb.move(assistant, Math.min(0.1, (now - last) / 1000));
    meter();
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function end() {
  const ended = assistant;
  assistant = null;
  press = null;
  ended?.close();
}

// MARK: Pressing

function startPressing() {
  const talk = byId("voice-talk");
  talk.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    talk.setPointerCapture(event.pointerId);
    down();
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) talk.addEventListener(kind, up);
  // Enter, and what screen readers press; a pointer's own clicks are counted.
  talk.addEventListener("click", (event) => { if (event.detail === 0) assistant?.toggle(); });
  byId("voice").addEventListener("keydown", (event) => {
    if (event.key !== " " || isControl(event.target)) return;
    event.preventDefault();
    if (!event.repeat) down();
  });
  byId("voice").addEventListener("keyup", (event) => {
    if (event.key !== " " || isControl(event.target)) return;
    event.preventDefault();
    up();
  });
  // Where the release of a key goes elsewhere.
  window.addEventListener("blur", up);
}

/// Whether the space key means something else there.
const isControl = (node) => node.id !== "voice-talk" && node.closest("button, input") !== null;

function down() {
  if (!assistant || press) return;
  const sends = assistant.state === "listening";
  press = { at: performance.now(), sends };
  if (assistant.isHandsFree) assistant.toggle();
  else if (["opening", "taking"].includes(assistant.state)) assistant.cancel();
  else if (!sends) assistant.startListening();
}

function up() {
  if (!assistant || !press) return;
  const { at, sends } = press;
  press = null;
  if (assistant.isHandsFree) return;
  if (sends || performance.now() - at >= longest) assistant.stopListening();
}

// MARK: Showing

function draw() {
  if (!assistant) return;
  const { state, isHandsFree, problem, turn } = assistant;
  const panel = byId("voice");
  panel.dataset.state = state;
  panel.dataset.color = orbColor(assistant);
  say(byId("voice-status"), statusText(assistant));
  say(byId("voice-hint"), hintText(assistant));
  caption(byId("voice-heard"), turn?.heard, turn?.isHeard);
  caption(byId("voice-said"), turn?.said, turn?.isWritten);
  byId("voice-said").toggleAttribute("data-cut", Boolean(turn?.isInterrupted));
  showProblem(problem);
  const talk = byId("voice-talk");
  const label = actionText(assistant);
  if (talk.getAttribute("aria-label") !== label) {
    talk.setAttribute("aria-label", label);
    talk.title = label;
    fill(talk, icon(state === "listening" ? "send" : "microphone"));
  }
  // Not disabled, or it would lose the focus.
  talk.setAttribute("aria-disabled", String(state === "unavailable" || (isHandsFree && state === "idle")));
  talk.setAttribute("aria-pressed", String(state === "listening"));
  byId("voice-stop").disabled = ["unavailable", "idle"].includes(state);
  byId("voice-hands-free").checked = isHandsFree;
  byId("voice-meter").hidden = !stillness.matches;
  if (stillness.matches) orb.rest(assistant);
}

/// Screen readers say a text again that is set again.
function say(node, text) { if (node.textContent !== text) node.textContent = text; }

/// Busy while it grows, so that screen readers wait for all of it.
function caption(node, text = "", isWhole = true) {
  node.hidden = !text;
  node.setAttribute("aria-busy", String(!isWhole));
  if (node.textContent === text) return;
  node.textContent = text;
  byId("voice-captions").scrollTop = byId("voice-captions").scrollHeight;
}

function showProblem(problem) {
  const node = byId("voice-problem");
  node.hidden = problem === null;
  const text = problem ? problemText(problem) : "";
  if ((node.firstElementChild?.textContent ?? "") === text) return;
  if (!problem) return fill(node);
  const again = el("button", { type: "button", class: "button", on: { click: () => { byId("voice-talk").focus(); assistant.retry(); } } }, "Try again");
  fill(node, el("p", {}, text), missingAudio() ? null : again);
}

/// How loud it is, in steps, for those who want nothing to move.
function meter() {
  if (!stillness.matches) return;
  const parts = byId("voice-meter").children;
  const lit = Math.ceil(assistant.level * parts.length - 0.25);
  [...parts].forEach((part, index) => part.classList.toggle("lit", index < lit));
}

"""#),
        PageFile(
            name: "voice-worklet.js",
            text: #"""
// Takes the microphone's samples and plays those of answers, in the audio thread.

import { Resampler } from "/page/resampler.js";
import { level, sessionRate, toIntegers } from "/page/sound.js";

/// The seconds between reports.
const interval = 0.04;
/// The seconds of an answer that are waited for before it begins, so that it does not stop right away.
const head = 0.2;

/// Sends pieces of `{samples, level}` at the session's rate; after "flush" the rest, with `isLast`; "close" ends it.
class Microphone extends AudioWorkletProcessor {
  #resampler = new Resampler(sampleRate, sessionRate);
  #samples = [];
  #isOpen = true;

  constructor() {
    super();
    this.port.onmessage = ({ data }) => {
      if (data === "flush") this.#send(true);
      else this.#isOpen = false;
    };
  }

  process([channels]) {
    if (channels.length > 0) {
      const mixed = channels[0].map((_, index) => channels.reduce((sum, channel) => sum + channel[index], 0) / channels.length);
      this.#samples.push(...this.#resampler.process(mixed));
      if (this.#samples.length >= sessionRate * interval) this.#send(false);
    }
    return this.#isOpen;
  }

  #send(isLast) {
    this.port.postMessage({ samples: toIntegers(this.#samples), level: level(this.#samples), isLast });
    this.#samples = [];
  }
}

/// Plays samples at the session's rate: `{begin}` starts a sound, `{samples}` go on with it, `{end}` says that it is whole, `{flush}`
/// drops the rest. Sends `{id, played, level}` while it plays, with `isOver` at the end; `played` is in seconds.
class Speaker extends AudioWorkletProcessor {
  #id = 0;
  #resampler = null;
  #queue = [];
  #queued = 0;
  #played = 0;
  #isWhole = false;
  #isPlaying = false;
  #heard = [];

  constructor() {
    super();
    this.port.onmessage = ({ data }) => this.#take(data);
  }

  #take({ begin, samples, end, flush }) {
    if (begin) {
      this.#drop();
      this.#id = begin;
      this.#resampler = new Resampler(sessionRate, sampleRate);
      this.#played = 0;
      this.#isWhole = false;
    } else if (samples) {
      const piece = this.#resampler.process(samples);
      this.#queue.push(piece);
      this.#queued += piece.length;
    } else if (end) {
      this.#isWhole = true;
    } else if (flush) {
      this.#drop();
      this.#report(true);
    }
  }

  #drop() {
    this.#queue = [];
    this.#queued = 0;
    this.#isPlaying = false;
  }

  #report(isOver) {
    this.port.postMessage({ id: this.#id, played: this.#played / sampleRate, level: level(this.#heard), isOver });
    this.#heard = [];
  }

  process(_, [channels]) {
    if (!this.#isPlaying) this.#isPlaying = this.#queued > 0 && (this.#isWhole || this.#queued >= head * sampleRate);
    if (!this.#isPlaying) {
      if (this.#isWhole && this.#queued === 0) this.#finish();
      return true;
    }
    const output = channels[0];
    let count = 0;
    while (count < output.length && this.#queue.length > 0) {
      const piece = this.#queue[0].subarray(0, output.length - count);
      output.set(piece, count);
      count += piece.length;
      if (piece.length === this.#queue[0].length) this.#queue.shift();
      else this.#queue[0] = this.#queue[0].subarray(piece.length);
    }
    for (const channel of channels.slice(1)) channel.set(output);
    this.#queued -= count;
    this.#played += count;
    this.#heard.push(...output.subarray(0, count));
    if (this.#queued === 0) {
      this.#isPlaying = false;
      if (this.#isWhole) return this.#finish();
    }
    if (this.#heard.length >= interval * sampleRate) this.#report(false);
    return true;
  }

  #finish() {
    this.#isWhole = false;
    this.#report(true);
    return true;
  }
}

registerProcessor("microphone", Microphone);
registerProcessor("speaker", Speaker);

"""#),
        PageFile(
            name: "voice.js",
            text: #"""
// A spoken conversation over a realtime session. The states are those of LeapUi's VoiceAssistantStore.

import * as api from "/page/api.js";
import { fromBase64, toBase64 } from "/page/sound.js";
import { VoiceAudio } from "/page/voice-audio.js";
import { microphoneProblem } from "/page/voice-labels.js";
import { VoiceSession } from "/page/voice-session.js";
import { VoiceTurn } from "/page/voice-turn.js";

/// Seconds without which there is nothing to send.
const shortest = 0.15;

/// Milliseconds in which nothing of an answer is played, after which it is given up.
const patience = 5000;

export class VoiceAssistant {
  /// unavailable, idle, opening, listening, taking, responding, playing or closed.
  state = "unavailable";
  isHandsFree = false;
  /// `{kind, reason}` of what went wrong, until the next thing begins.
  problem = null;
  /// How loud the person or the model is, in 0...1.
  level = 0;
  /// The exchange that captions are of; null before the first one.
  turn = null;

  #options;
  #audio = null;
  #session = null;
  #microphone = null;
  /// Tells an opening of the microphone from those that were given up.
  #opening = 0;
  /// Exchanges that were not told yet, in order.
  #turns = [];
  /// Ends an answer that does not end.
  #timer = null;
  /// The loudspeaker, on its way to be there.
  #audioIsOpen = null;

  /// - model, instructions, temperature: what the session is made with.
  /// - speaks: whether the model does; otherwise it answers in writing.
  /// - messages: `{role, content}` of what was said before.
  /// - onChange: called after each change; onTurn: with each exchange that is over.
  constructor(options) {
    this.#options = options;
    this.isHandsFree = options.isHandsFree;
  }

  // MARK: What a person wants

  /// Connects; again after the connection was lost.
  async open() {
    this.#change("unavailable", null);
    try {
      this.#audio ??= new VoiceAudio((heard) => this.#played(heard));
      await (this.#audioIsOpen ??= this.#audio.open());
    } catch (error) {
      this.#audioIsOpen = null;
      return this.#change("unavailable", { kind: "playerUnavailable", reason: error.message });
    }
    try {
      // Asks for the key where one is needed: a WebSocket could not tell why it is refused.
      await api.models();
      if (this.state === "closed") return undefined;
      this.#connect();
    } catch (error) {
      this.#change("unavailable", error.isGone ? { kind: "connectionLost" } : { kind: "modelFailed", reason: error.message });
    }
    return undefined;
  }

  /// Does again what went wrong.
  retry() {
    if (this.state === "unavailable") this.open();
    else if (this.state === "idle") this.#listen();
  }

  /// The one button: begins to listen, sends what was said, or ends an answer.
  toggle() {
    if (this.state === "listening") this.#take();
    else if (this.state === "opening" || this.state === "taking") this.cancel();
    else this.startListening();
  }

  startListening() {
    if (this.state === "responding" || this.state === "playing") {
      this.#interrupt();
      if (this.isHandsFree) this.#change("idle");
      else this.#listen();
    } else if (this.state === "idle" && !this.#microphone) {
      this.#listen();
    }
  }

  stopListening() {
    if (this.state === "listening") this.#take();
    else if (this.state === "opening" && !this.isHandsFree) this.cancel();
  }

  /// Ends whatever goes on; what was said is forgotten.
  cancel() {
    if (this.state === "responding" || this.state === "playing") {
      this.#interrupt();
    } else if (this.state === "listening" || this.state === "taking") {
      this.#send("input_audio_buffer.clear");
      if (this.state === "taking") this.#send("response.cancel", { event_id: `end-${this.turn.id}` });
      this.#forget();
    } else if (this.state !== "opening") {
      return;
    }
    if (!this.isHandsFree || this.state === "opening") this.#closeMicrophone();
    this.#change("idle");
  }

  /// Begins and ends what is said by voice.
  setHandsFree(isOn) {
    if (isOn === this.isHandsFree) return;
    if (!["unavailable", "responding", "playing"].includes(this.state)) this.cancel();
    this.isHandsFree = isOn;
    if (!isOn) this.#closeMicrophone();
    this.#configure();
    if (isOn && this.state === "idle") this.#listen();
    else this.#change(this.state);
  }

  close() {
    clearTimeout(this.#timer);
    this.#closeMicrophone();
    this.state = "closed";
    if (this.turn && !this.turn.isOver) {
      this.turn.isInterrupted = true;
      this.#end(this.turn);
    }
    this.#tell(true);
    this.#session?.close();
    this.#audio?.close();
  }

  // MARK: The microphone

  async #listen() {
    this.#opening += 1;
    const own = this.#opening;
    this.#change("opening", null);
    try {
      const microphone = await this.#audio.listen((piece) => this.#recorded(piece), () => this.#lost());
      if (own !== this.#opening) return microphone.close();
      this.#microphone = microphone;
    } catch (error) {
      if (own !== this.#opening) return undefined;
      return this.#withoutMicrophone(microphoneProblem(error));
    }
    if (this.isHandsFree) return this.#change("idle");
    this.#begin();
    return this.#change("listening");
  }

  #closeMicrophone() {
    this.#opening += 1;
    this.#microphone?.close();
    this.#microphone = null;
    this.level = 0;
  }

  #lost() {
    if (!this.#microphone) return;
    if (this.state === "listening") this.#forget();
    this.#withoutMicrophone({ kind: "microphoneLost" });
  }

  /// Goes on without a microphone, and so without hands-free.
  #withoutMicrophone(problem) {
    this.#closeMicrophone();
    if (this.isHandsFree) {
      this.isHandsFree = false;
      this.#configure();
    }
    this.#change(this.state === "responding" || this.state === "playing" ? this.state : "idle", problem);
  }

  #recorded({ samples, level }) {
    if (this.state !== "playing") this.level = level;
    if (samples.length > 0) this.#send("input_audio_buffer.append", { audio: toBase64(samples) });
  }

  /// Sends what was said.
  async #take() {
    const { turn } = this;
    this.#change("taking");
    if (!this.isHandsFree) {
      const microphone = this.#microphone;
      await microphone.flush();
      if (this.state !== "taking" || this.turn !== turn) return;
      this.#closeMicrophone();
      if (microphone.recorded < shortest) return this.#nothing();
    }
    this.#send("input_audio_buffer.commit");
    this.#send("response.create", { response: { metadata: { turn: turn.id } } });
  }

  #nothing() {
    this.#send("input_audio_buffer.clear");
    this.#forget();
    this.#change("idle", { kind: "nothingRecorded" });
  }

  // MARK: Exchanges

  #begin() {
    this.turn = new VoiceTurn();
    this.#turns.push(this.turn);
  }

  /// Forgets the exchange that had begun.
  #forget() {
    this.#turns = this.#turns.filter((turn) => turn !== this.turn);
    this.turn = null;
  }

  /// Ends the answer: at once for the person, and as far as it was heard for the model.
  async #interrupt() {
    const { turn } = this;
    turn.isInterrupted = true;
    if (!turn.isWritten) this.#send("response.cancel", { event_id: `end-${turn.id}` });
    turn.isWritten = true;
    if (turn.length > 0) {
      const heard = Math.min(await this.#audio.flush(), turn.length);
      turn.cut(heard);
      this.#send("conversation.item.truncate", { event_id: `end-${turn.id}`, item_id: turn.item, content_index: 0, audio_end_ms: heard });
    }
    this.#end(turn);
  }

  #end(turn) {
    turn.isOver = true;
    this.#tell(false);
    this.#options.onChange();
  }

  /// Tells of the exchanges that are over and understood; at the end of all, of those that are not understood as well.
  #tell(isEnd) {
    while (this.#turns[0]?.isOver && (this.#turns[0].isHeard || isEnd)) this.#options.onTurn(this.#turns.shift());
  }

  #played({ level, isOver }) {
    if (this.state !== "playing") return;
    this.level = level;
    if (!isOver) return this.turn.isWritten ? this.#watch() : undefined;
    this.level = 0;
    this.#end(this.turn);
    return this.#change("idle");
  }

  /// Gives the answer up where nothing more is played of it.
  #watch() {
    clearTimeout(this.#timer);
    const { turn } = this;
    this.#timer = setTimeout(() => {
      if (this.state !== "playing" || this.turn !== turn) return;
      this.#interrupt();
      this.level = 0;
      this.#change("idle", { kind: "playbackNotEnding" });
    }, patience);
  }

  #change(state, problem = this.problem) {
    if (this.state === "closed") return;
    this.state = state;
    this.problem = state === "listening" || state === "responding" ? null : problem;
    this.#options.onChange();
  }

  // MARK: The session

  #connect() {
    this.#session?.close();
    this.#session = new VoiceSession(this.#options, () => this.isHandsFree, {
      onEvent: (event) => this.#event(event), onLost: () => this.#disconnected(),
    });
  }

  #disconnected() {
    this.#closeMicrophone();
    if (this.turn && !this.turn.isOver) {
      if (this.state === "playing") this.#audio.flush();
      this.turn.isInterrupted = true;
      this.#end(this.turn);
    }
    this.#tell(true);
    // Where the server said why, that stays.
    this.#change("unavailable", this.problem?.kind === "modelFailed" ? this.problem : { kind: "connectionLost" });
  }

  #send(type, members) { this.#session?.send(type, members); }

  #configure() { this.#session?.configure(this.isHandsFree); }

  #event(event) {
    const { turn } = this;
    const isOfTurn = turn && !turn.isWritten && turn.response !== null && turn.response === event.response_id;
    switch (event.type) {
      case "session.created": return this.#created();
      case "input_audio_buffer.speech_started": return this.#speechStarted();
      case "input_audio_buffer.committed": return this.#committed(event.item_id);
      case "conversation.item.input_audio_transcription.delta": return this.#understood(event.item_id, (heard) => heard + event.delta, false);
      case "conversation.item.input_audio_transcription.completed": return this.#understood(event.item_id, () => event.transcript, true);
      case "conversation.item.input_audio_transcription.failed": return this.#understood(event.item_id, (heard) => heard, true);
      case "response.created": return this.#answering(event.response);
      case "response.output_text.delta":
      case "response.output_audio_transcript.delta":
        if (isOfTurn) turn.say(event.delta);
        return this.#options.onChange();
      case "response.output_audio.delta": return isOfTurn ? this.#sound(event) : undefined;
      case "response.done": return turn?.response === event.response.id && !turn.isWritten ? this.#written(event.response) : undefined;
      case "error": return this.#failed(event.error);
      default: return undefined;
    }
  }

  #created() {
    this.#change("idle", null);
    if (this.isHandsFree) this.#listen();
  }

  #speechStarted() {
    if (!this.isHandsFree || !["idle", "responding", "playing"].includes(this.state)) return;
    if (this.state !== "idle") this.#interrupt();
    this.#begin();
    this.#change("listening");
  }

  #committed(item) {
    if (this.state === "taking" || (this.state === "listening" && this.isHandsFree)) {
      this.turn.userItem = item;
      this.#change("responding");
    } else {
      // It was given up before the server knew.
      this.#send("response.cancel", { event_id: `end-${item}` });
      this.#send("conversation.item.delete", { event_id: `end-${item}`, item_id: item });
    }
  }

  #understood(item, text, isWhole) {
    const turn = this.#turns.find((other) => other.userItem === item);
    if (!turn) return;
    turn.heard = text(turn.heard);
    turn.isHeard = isWhole;
    this.#tell(false);
    this.#options.onChange();
  }

  #answering({ id, metadata }) {
    // One that was asked for before what goes on now belongs to nothing.
    if (this.state !== "responding" || this.turn.response || (metadata?.turn ? metadata.turn !== this.turn.id : !this.isHandsFree)) return;
    this.turn.response = id;
  }

  #sound({ item_id: item, delta }) {
    const samples = fromBase64(delta);
    if (samples.length === 0) return;
    if (this.turn.length === 0) this.#audio.begin();
    this.turn.item = item;
    this.turn.add(samples);
    this.#audio.play(samples);
    if (this.state === "responding") this.#change("playing");
  }

  #written({ status, status_details: details }) {
    const { turn } = this;
    turn.isWritten = true;
    if (status === "failed") {
      turn.isInterrupted = true;
      this.problem = { kind: "replyFailed", reason: details?.error?.message ?? "" };
    }
    if (this.state === "playing") {
      this.#audio.end();
      return this.#watch();
    }
    const { problem } = this;
    this.#end(turn);
    return this.#change("idle", problem);
  }

  #failed({ code, message, event_id: id }) {
    // What was to be ended was over before the server knew.
    if (id?.startsWith("end-")) return;
    if (!this.#session.isReady) {
      this.problem = { kind: "modelFailed", reason: message };
    } else if (code === "input_audio_buffer_commit_empty") {
      this.#nothing();
    } else if (["listening", "taking", "responding"].includes(this.state)) {
      this.#forget();
      if (!this.isHandsFree) this.#closeMicrophone();
      this.#change("idle", { kind: "replyFailed", reason: message });
    } else {
      this.#change(this.state, { kind: "sessionFailed", reason: message });
    }
  }
}

"""#),
        PageFile(
            name: "welcome.js",
            text: #"""
// An empty conversation.

import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { senseMarks } from "/page/senses.js";
import { can, on, session } from "/page/session.js";
import { offered, start } from "/page/starters.js";
import { onSettings, settings } from "/page/store.js";

export function startWelcome() {
  on("conversation", draw);
  on("model", draw);
  onSettings(draw);
  draw();
}

function draw() {
  const isEmpty = Object.keys(session.conversation.nodes).length === 0;
  const node = byId("welcome");
  node.hidden = !isEmpty;
  byId("messages").hidden = isEmpty;
  document.body.classList.toggle("is-empty", isEmpty);
  title();
  if (!isEmpty) return;
  const at = [...node.querySelectorAll("button")].indexOf(document.activeElement);
  fill(node, el("img", { src: "/page/icon.svg", alt: "", width: "56", height: "56" }), content());
  // What had the focus keeps it where it is still there.
  if (at >= 0) node.querySelectorAll("button")[at]?.focus();
}

/// The conversation's title, where browsers and screen readers look for it.
export function title() {
  document.title = session.conversation.title ? `${session.conversation.title} – Open Leap` : "Open Leap";
  byId("title").textContent = session.conversation.title || "New conversation";
}

function content() {
  const name = settings.model ?? "The model";
  const model = session.models.find((other) => other.id === settings.model);
  if (!session.isListed) return null;
  if (session.models.length === 0) return [el("h2", {}, "No model yet"), note("Fetch one to begin; it stays on this machine."), choose("Choose a model")];
  if (session.modelError) return [el("h2", {}, "This model cannot be used"), el("p", { class: "note error" }, `${name}: ${session.modelError}`), choose("Choose another model")];
  if (!session.abilities) return [el("h2", {}, "What shall we talk about?"), note(`${name} is being loaded…`)];
  if (!can("completion")) {
    return [el("h2", {}, "This model does not chat"), note(can("reranking") ? `${name} sorts texts by how well they answer a question, for programs that ask /v1/rerank.` : `${name} makes vectors of texts, for programs that ask /v1/embeddings.`), choose("Choose another model")];
  }
  return [
    el("h2", {}, "What shall we talk about?"), model && hasSenses() ? senseMarks(model) : null,
    note(`${name} answers on the machine of this server. Nothing goes elsewhere.`),
    el("ul", { class: "ideas" }, offered().map((starter) => el("li", {}, el("button", {
      type: "button", class: "idea", on: { click: () => start(starter) },
    }, icon(starter.drawing), el("span", {}, el("strong", {}, starter.title), el("span", { class: "note" }, starter.hint ?? starter.text)))))),
  ];
}

/// Whether there is more to say of the model than that it reads and writes.
const hasSenses = () => ["vision", "audio", "speech"].some(can);

const note = (text) => el("p", { class: "note" }, text);

const choose = (text) => el("button", { type: "button", class: "button primary", on: { click: () => byId("model-button").click() } }, text);

"""#),
    ]
}
