// Where messages are written.

import { byId, el, fill } from "/page/dom.js";
import { readDraft, writeDraft } from "/page/drafts.js";
import { icon } from "/page/icons.js";
import { actions, latest } from "/page/messages.js";
import { announce, notice } from "/page/notices.js";
import { activeSchema, answerNow, can, isElsewhere, isThinking, liveSpeed, on, rewrite, send, session, stop } from "/page/session.js";
import { change, onSettings, settings } from "/page/store.js";
import { activeTools } from "/page/tools.js";

/// The message that is being edited; null for a new one.
let editing = null;
/// What was attached when editing began.
let aside = [];
/// What is attached: `{kind, name, state, note}` with `data` or `text`. The state is reading, ready or broken.
let files = [];
/// Messages that wait for the reply: `{text, files}`.
let queue = [];
/// The conversation that all of this is of, and the files of others that were left.
let conversation = session.conversation;
const filesElsewhere = new Map();

/// Opens the settings at a section; set by the page.
export const needs = { settings: () => {} };

export function startComposer() {
  const input = byId("input");
  input.addEventListener("input", () => { grow(); state(); keepSoon(); });
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
  byId("answer-now").addEventListener("click", () => { answerNow(); input.focus(); });
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
  actions.settings = (section) => needs.settings(section);
  onSettings(chips);
  on("model", chips);
  on("conversation", () => {
    if (session.conversation !== conversation) goElsewhere();
    if (editing && session.conversation.nodes[editing.id] !== editing) endEditing();
    state();
  });
  on("idle", sendNext);
  setInterval(live, 250);
  addEventListener("pagehide", keepDraft);
  input.value = readDraft(conversation);
  grow();
  chips();
  state();
}

function grow() {
  const input = byId("input");
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, window.innerHeight * 0.4)}px`;
}

// MARK: Drafts

let keeping = null;

function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(keepDraft, 400);
}

/// Keeps what is written; a message that is being edited is none.
function keepDraft() {
  clearTimeout(keeping);
  if (editing) return;
  writeDraft(conversation, [...queue.map(({ text }) => text), byId("input").value].filter(Boolean).join("\n\n"));
}

/// Leaves what was written to the conversation that it is of, and takes up what was written in the one that is open now.
function goElsewhere() {
  giveBack();
  if (editing) endEditing();
  keepDraft();
  if (files.length) filesElsewhere.set(conversation.id, files);
  ({ conversation } = session);
  files = filesElsewhere.get(conversation.id) ?? [];
  filesElsewhere.delete(conversation.id);
  byId("input").value = readDraft(conversation);
  showFiles();
  grow();
}

// MARK: Sending

function submit() {
  const input = byId("input");
  const text = input.value.trim();
  if (editing?.role === "assistant") { submitReply(text); return; }
  if (!text && files.length === 0) { notice("Write a message first, or attach a file."); input.focus(); return; }
  if (!settings.model) { notice("There is no model yet: fetch one first."); return; }
  if (lack()?.section === "schema") { needs.settings("schema"); return; }
  const broken = files.find((file) => file.state === "broken");
  if (broken) { notice(`“${broken.name}” ${broken.note} Remove it first.`); return; }
  const reading = files.find((file) => file.state === "reading");
  if (reading) { notice(`“${reading.name}” is still being read: wait a moment.`); return; }
  const unread = session.abilities && files.find((file) => file.data && !can(file.kind === "picture" ? "vision" : "audio"));
  if (unread) {
    notice(`${settings.model} takes no ${unread.kind === "picture" ? "pictures" : "sound"}: remove “${unread.name}”, or choose another model.`);
    return;
  }
  const attached = files.map(({ state: _, ...file }) => file);
  const replacing = editing;
  if (editing) {
    endEditing();
  } else {
    input.value = "";
    files = [];
    showFiles();
    grow();
  }
  if (session.running && !replacing) {
    queue.push({ text, files: attached });
    showQueue();
    announce("The message waits for the reply.");
    keepDraft();
    return;
  }
  if (!replacing) writeDraft(conversation, "");
  send(text, { replacing, files: attached.length ? attached : undefined });
  byId("main").scrollTop = byId("main").scrollHeight;
}

function submitReply(text) {
  if (!text) { notice("A reply needs words: write some, or delete it."); return; }
  const node = editing;
  endEditing();
  rewrite(node, text);
}

/// Sends the first message that waits, when a reply has ended; where it was stopped or failed, what waits goes back into the field.
function sendNext(node, wasStopped) {
  if (queue.length === 0) return;
  if (wasStopped || node.error || isElsewhere(node)) { giveBack(); return; }
  const next = queue.shift();
  showQueue();
  send(next.text, { files: next.files.length ? next.files : undefined });
  keepDraft();
}

/// Puts what waits back into the field.
function giveBack() {
  if (queue.length === 0) return;
  const input = byId("input");
  const words = queue.map(({ text }) => text);
  files = [...queue.flatMap((one) => one.files), ...files];
  queue = [];
  if (editing) endEditing();
  input.value = [...words, input.value].filter(Boolean).join("\n\n");
  showQueue();
  showFiles();
  grow();
  keepDraft();
}

function showQueue() {
  const list = byId("queue");
  list.hidden = queue.length === 0;
  fill(list, queue.map((one) => el("li", {},
    icon("clock"), el("span", {}, [one.text, ...one.files.map(({ name }) => name)].filter(Boolean).join(" · ")),
    el("button", {
      type: "button", class: "icon-button small", "aria-label": "Do not send this message", title: "Do not send this message",
      on: { click: () => { queue = queue.filter((other) => other !== one); showQueue(); keepDraft(); byId("input").focus(); } },
    }, icon("close")))));
}

// MARK: Editing

function edit(node) {
  if (!editing) {
    keepDraft();
    aside = files;
  }
  editing = node;
  files = [...node.files ?? []];
  showFiles();
  byId("editing").hidden = false;
  byId("editing-text").textContent = node.role === "user" ? "Editing a message: sending makes a new branch." : "Editing a reply: your words take its place, in a new branch.";
  const input = byId("input");
  input.value = node.content;
  grow();
  state();
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

function endEditing() {
  if (editing) {
    editing = null;
    byId("input").value = readDraft(conversation);
    files = aside;
    showFiles();
  }
  byId("editing").hidden = true;
  grow();
  state();
  byId("input").focus();
}

/// Puts a text into the field, for the person to go on with.
export function write(text) {
  const input = byId("input");
  input.value = text;
  grow();
  state();
  keepSoon();
  input.focus();
}

// MARK: What is switched on

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
  const isRunning = session.running !== null;
  // What is written meanwhile can be sent: it waits.
  byId("send").hidden = isRunning && !byId("input").value.trim() && files.length === 0;
  const label = isRunning ? "Send after this reply" : "Send";
  byId("send").setAttribute("aria-label", label);
  byId("send").title = label;
  byId("stop").hidden = !isRunning;
  live();
}

function live() {
  byId("answer-now").hidden = !isThinking();
  const speed = liveSpeed();
  const { running } = session;
  byId("live").textContent = !running ? "" : speed ? `${running.pieces} tokens · ${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s` : "";
}

// MARK: Files

export function addFile(file) {
  files.push(file);
  showFiles();
}

const drawings = { picture: "picture", sound: "wave", text: "file" };

/// Draws what is attached, as far as it has been read.
export function showFiles() {
  const list = byId("attachments");
  list.hidden = files.length === 0;
  fill(list, files.map((file) => el("li", { "data-state": file.state, title: file.note },
    file.kind === "picture" && file.data ? el("img", { src: file.data, alt: "" }) : icon(file.state === "broken" ? "warning" : drawings[file.kind]),
    el("span", {}, el("span", { class: "attachment-name" }, file.name), file.note ? el("span", { class: "note" }, ` ${file.note}`) : null),
    el("button", {
      type: "button", class: "icon-button small", "aria-label": `Remove ${file.name}`,
      on: { click: () => { files = files.filter((other) => other !== file); showFiles(); byId("input").focus(); } },
    }, icon("close")))));
  state();
}
