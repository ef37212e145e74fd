// Shows the messages of the conversation.

import { attachedNodes } from "/page/attached-view.js";
import { byId, el, fill, framed, uniqueId } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { copyButton, MarkdownView } from "/page/markdown-view.js";
import { isCalling, stopCall } from "/page/mcp.js";
import { announce, confirm, missing } from "/page/notices.js";
import { parsePartial } from "/page/partial-json.js";
import { printable } from "/page/printable.js";
import { SchemaForm } from "/page/schema-form.js";
import {
  answer, canContinue, continueReply, isElsewhere, newlyLeftOut, on, patience, refuseCall, regenerate, removeMessage, runCall, session, switchTo, takeOut, tryAgain,
} from "/page/session.js";
import { openCalls, path, siblings, subtree } from "/page/tree.js";

/// Called when a person wants to edit a message, or to open a section of the settings; set by the composer.
export const actions = { edit: () => {}, settings: () => {} };

/// What is shown of each message, by its identifier.
let shown = new Map();
let shownConversation = null;

export function startMessages() {
  on("conversation", (ended, changed) => { draw(changed); if (ended) finish(ended); });
  const frame = framed(() => {
    const entry = session.running && shown.get(session.running.node.id);
    if (entry) follow(() => update(entry));
  });
  on("reply", frame);
  byId("main").addEventListener("scroll", showsEnd, { passive: true });
  addEventListener("resize", showsEnd);
  byId("to-end").addEventListener("click", toEnd);
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
  showsEnd();
}

/// Offers to go to the end where it is not in view.
function showsEnd() { byId("to-end").hidden = isAtEnd(); }

export function toEnd() {
  byId("main").scrollTop = byId("main").scrollHeight;
  byId("messages").lastElementChild?.focus({ preventScroll: true });
  showsEnd();
}

// MARK: All messages

/// - changed: the identifiers of messages that are others now than what is shown of them.
function draw(changed = new Set()) {
  const { conversation } = session;
  for (const id of changed) shown.delete(id);
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
  showsEnd();
  lookAgain(nodes.some(isElsewhere));
}

let looking;

/// Draws again when another tab that writes a reply should have told of it.
function lookAgain(isAwaited) {
  clearTimeout(looking);
  if (isAwaited) looking = setTimeout(() => draw(), patience + 500);
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
    entry.body.append(...attachedNodes(node, (file) => takeOut(node, file)));
    if (node.content) entry.body.append(el("p", { class: "user-text" }, node.content));
    return;
  }
  const isRunning = session.running?.node === node;
  const isOther = isElsewhere(node);
  entry.article.toggleAttribute("data-running", isRunning);
  entry.article.setAttribute("aria-busy", String(isRunning || isOther));
  leftOut(entry);
  waiting(entry, isRunning && !node.content && !node.reasoning && !node.calls?.length);
  if (node.reasoning) reasoning(entry, isRunning);
  if (node.content || node.schema) content(entry, isRunning);
  if (node.calls?.length) calls(entry);
  problem(entry, isRunning, isOther);
}

/// Says that the model was not told of the oldest messages, where that begins.
function leftOut(entry) {
  const count = newlyLeftOut(entry.node);
  if (!count || entry.parts.leftOut) return;
  const size = session.abilities?.context ? ` of ${session.abilities.context.toLocaleString("en")} tokens` : "";
  part(entry, "leftOut", () => {
    const line = el("p", { class: "note left-out", role: "note" },
      `The ${count === 1 ? "oldest message was" : `${count} oldest messages were`} left out from here on: the conversation is longer than the context${size}. They stay here.`);
    entry.body.prepend(line);
    if (entry.isSpoken) announce(line.textContent);
    return line;
  });
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

/// Says how a reply ended where it did not come to its end, with what can be done about it.
function problem(entry, isRunning, isOther) {
  const { node } = entry;
  const isWhole = !node.error && ["stop", "tool_calls"].includes(node.finish);
  const text = isRunning || isWhole ? "" : isOther ? "Another tab writes this reply…"
    : node.error ? `${node.content || node.reasoning ? "The reply broke off" : "No reply"}: ${node.error}`
      : node.finish === "length" ? "The reply was cut: the token limit was reached." : node.finish === "error" ? "The reply failed." : "Stopped.";
  const remedies = text && !isOther ? remediesOf(node) : [];
  const state = [text, ...remedies.map(([label]) => label)].join("\n");
  if (entry.problem === state) return;
  entry.problem = state;
  const hadFocus = entry.parts.problem?.contains(document.activeElement);
  entry.parts.problem?.remove();
  delete entry.parts.problem;
  if (hadFocus) entry.article.focus();
  if (!text) return;
  const isError = node.error && !isOther;
  part(entry, "problem", () => {
    const line = el("div", { class: "problem-line" },
      el("p", { class: isError ? "problem error" : "problem note", role: isError ? "alert" : undefined }, isError ? icon("warning") : null, text),
      remedies.map(([label, action]) => el("button", { type: "button", class: "button", on: { click: action } }, label)));
    entry.body.append(line);
    return line;
  });
}

/// What a person can do about a reply that failed or was cut: `[label, action]` each.
function remediesOf(node) {
  const { conversation } = session;
  const result = [];
  const again = () => (node.content || node.reasoning || node.calls ? regenerate(node) : tryAgain(node));
  const culprit = conversation.nodes[node.fault?.node];
  const file = culprit?.files?.find((other) => other.name === node.fault.name);
  if (file && conversation.leaf === node.id) {
    result.push([`Take out “${file.name}” and try again`, () => {
      takeOut(culprit, file);
      again();
    }]);
  }
  if (node.fault?.section) result.push(["Open the settings", () => actions.settings(node.fault.section)]);
  if (canContinue(node)) result.push(["Continue", () => continueReply(node)]);
  else if (node.error && !file && !node.fault && conversation.leaf === node.id) result.push(["Try again", again]);
  return result;
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
  const state = node.calls.map((call) => `${call.id} ${results.get(call.id) ?? ""} ${call.server ?? ""} ${isCalling(call)}`).join("\n") + (session.running?.node === node);
  if (entry.calls === state) return;
  entry.calls = state;
  const hadFocus = list.contains(document.activeElement);
  fill(list, node.calls.map((call) => callNode(node, call, results.get(call.id))));
  if (hadFocus) (list.querySelector("form button, .leave button") ?? entry.article).focus();
}

function callNode(node, call, result) {
  const parameters = pretty(call.function.arguments);
  const isOpen = result === undefined && session.running?.node !== node && openCalls(session.conversation, node).includes(call);
  const state = result !== undefined ? "answered" : isCalling(call) ? "runs" : isOpen ? (call.server ? "waits to be allowed" : "waits for its result") : node.finish === "length" ? "was cut off" : "called";
  return el("details", { class: "fold call", open: isOpen },
    el("summary", {}, icon("tool"), el("span", {}, el("code", {}, printable(call.function.name)), call.server ? ` of ${call.server}` : null, ` ${state}`), icon("down")),
    el("div", { class: "call-body" },
      el("p", { class: "call-part" }, "Arguments"), block(parameters, "Arguments"),
      result !== undefined ? [el("p", { class: "call-part" }, "Result"), block(pretty(result), "Result")] : null,
      !isOpen ? null : call.server ? leave(node, call) : resultForm(node, call)));
}

const block = (text, label) => el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": label }, printable(text));

/// Asks whether a tool of an MCP server may be run.
function leave(node, call) {
  const choice = (label, looks, body) => el("button", { type: "button", class: looks, on: { click: body } }, label);
  if (isCalling(call)) {
    return el("div", { class: "leave" }, el("p", { class: "note", role: "status" }, `${call.server} runs it…`),
      el("div", { class: "row end" }, choice("Stop", "button", () => stopCall(call))));
  }
  const id = uniqueId("leave");
  return el("div", { class: "leave", role: "group", "aria-labelledby": id },
    el("p", { id, class: "note" }, `Run ${call.function.name} of the MCP server ${call.server} with these arguments? It runs with the rights of the server of this page.`),
    el("div", { class: "row end" }, choice("Refuse", "button", () => refuseCall(node, call)), choice("Run", "button primary", () => runCall(node, call))));
}

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
  const isOther = isElsewhere(node);
  const state = `${isRunning} ${isOther} ${others.length} ${others.indexOf(node)} ${node.stats?.generated}`;
  if (entry.bar.dataset.state === state) return;
  bar.dataset.state = state;
  const focused = bar.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  const index = others.indexOf(node);
  const branch = others.length > 1 ? el("div", { class: "branches", role: "group", "aria-label": "Branches" },
    button("left", "Earlier branch", () => move(others[index - 1]), index === 0),
    el("span", {}, el("span", { class: "hidden" }, "Branch "), `${index + 1} / ${others.length}`),
    button("right", "Later branch", () => move(others[index + 1]), index === others.length - 1)) : null;
  const isWords = node.role !== "user" && node.content && !node.schema && !node.calls?.length;
  fill(bar, isRunning || isOther ? null : [
    branch,
    copyButton("Copy", () => node.content),
    node.role === "user" ? button("edit", "Edit", () => actions.edit(node)) : button("again", "Regenerate", () => regenerate(node)),
    isWords ? button("edit", "Edit the reply", () => actions.edit(node)) : null,
    button("trash", "Delete", () => removeAfterAsking(node)),
    node.isEdited ? el("span", { class: "stats" }, "edited") : null,
    node.stats ? el("span", { class: "stats" }, stats(node.stats)) : null,
  ]);
  if (focused) [...bar.querySelectorAll("button:not([disabled])")].find((other) => other.getAttribute("aria-label") === focused)?.focus();
}

/// Removes a message, and what came of it.
async function removeAfterAsking(node) {
  const others = subtree(session.conversation, node).filter((other) => other.role !== "tool").length - 1;
  const isSure = await confirm(node.role === "user" ? "Delete this message?" : "Delete this reply?",
    others === 0 ? "" : others === 1 ? "The message that follows from it is deleted too." : `The ${others} messages that follow from it are deleted too.`);
  if (!isSure || !session.conversation.nodes[node.id]) return;
  await removeMessage(node);
  announce("Deleted.");
  (byId("messages").lastElementChild ?? byId("input")).focus();
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
  if (node.calls?.length) announce(`The model calls ${node.calls.map((call) => call.function.name).join(", ")}.${node.calls.some((call) => call.server) ? " Run it or refuse it." : ""}`);
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

