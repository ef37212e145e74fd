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
