// What the page is about now: the model, the conversation, the reply that is being written.

import * as api from "/page/api.js";
import { forgetDraft } from "/page/drafts.js";
import * as history from "/page/history.js";
import { readConversations } from "/page/import.js";
import { callServer, leaveCalls, loadServers, problemOf, refused } from "/page/mcp.js";
import { notice } from "/page/notices.js";
import { explain } from "/page/problems.js";
import { readSchema } from "/page/schema-form.js";
import { change, onSettings, settings, setup, useSetup } from "/page/store.js";
import { activeServers, activeTools, ownAnswer } from "/page/tools.js";
import { addNode, follow, goTo, makeConversation, merge, openCalls, path, removeNode, requestEntries, touch } from "/page/tree.js";

/// How often in a row the page answers calls by itself.
const maxRounds = 8;
/// Milliseconds between two times that what there is of a reply is kept, so that a page that is closed loses little, and other tabs follow.
const keepInterval = 1500;
/// Milliseconds after which a tab that was writing a reply and has not told of it is taken for gone.
export const patience = 8000;

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

const listeners = { model: new Set(), conversation: new Set(), reply: new Set(), history: new Set(), idle: new Set() };

/// Calls back after changes of a kind: of the model, the conversation (with a reply that has ended, and the identifiers of messages that are
/// others now), a reply that is being written (`reply`, and `idle` when none is any more), the conversations that are kept (`history`, with the identifier of the one that changed).
export function on(kind, body) { listeners[kind].add(body); }

function tell(kind, ...values) { for (const body of listeners[kind]) body(...values); }

// MARK: Models

/// Asks which models there are; takes the first where the chosen one is not among them.
export async function loadModels() {
  session.models = await api.models();
  session.isListed = true;
  if (session.models.some((model) => model.id === settings.model)) { tell("model"); return; }
  const missing = settings.model;
  await chooseModel(session.models[0]?.id ?? null);
  if (missing && settings.model && !isEmpty(session.conversation)) notice(`The server has no model ${missing} any more: ${settings.model} answers.`);
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

export const isEmpty = (conversation) => Object.keys(conversation.nodes).length === 0;

export function newConversation() {
  stop();
  flush();
  session.conversation = makeConversation();
  // It begins with what new ones have, and the model that is there.
  arrange({ model: settings.model });
  tell("conversation");
  tell("history");
}

export function openConversation(conversation) {
  if (conversation.id === session.conversation.id) return;
  stop();
  flush();
  session.conversation = conversation;
  arrange(conversation.setup ?? { model: settings.model });
  tell("conversation");
  tell("history");
}

/// Lets hold what a conversation has of its own.
function arrange(found) {
  const before = settings.model;
  const isKnown = !session.isListed || session.models.some((model) => model.id === found.model);
  useSetup(isKnown && found.model ? found : { ...found, model: before });
  if (settings.model !== before && session.isListed) chooseModel(settings.model);
}

let keeping = null;

/// Keeps at once what is kept in a moment.
function flush() {
  if (!keeping) return;
  clearTimeout(keeping);
  keeping = null;
  write(session.conversation);
}

// What is set belongs to the open conversation from its first message on.
onSettings(() => {
  const { conversation } = session;
  if (isEmpty(conversation)) return;
  const found = setup();
  if (JSON.stringify(found) === JSON.stringify(conversation.setup)) return;
  conversation.setup = found;
  conversation.arranged = Date.now();
  clearTimeout(keeping);
  keeping = setTimeout(flush, 200);
});
addEventListener("pagehide", flush);

/// Gives a conversation a name.
export async function renameConversation(conversation, title) {
  conversation.title = title;
  conversation.titled = Date.now();
  if (conversation.id === session.conversation.id) tell("conversation");
  // Its place among the others stays.
  await write(conversation);
}

/// Puts a conversation into a folder; out of all with an empty name.
export async function moveConversation(conversation, folder) {
  conversation.folder = folder;
  conversation.moved = Date.now();
  await write(conversation);
}

export async function removeConversation(id) {
  if (session.conversation.id === id) newConversation();
  await history.remove(id);
  forgetDraft(id);
  tell("history", id);
}

/// Keeps the conversations of a file: those that are here already are merged. Returns what was done, as a sentence.
export async function importConversations(source) {
  const found = readConversations(source);
  const before = new Set((await history.all()).map(({ id }) => id));
  for (const conversation of found) {
    // Trees of other programs get other identifiers each time they are read.
    if (before.has(conversation.id) && /^(?:openai|webui)-/.test(conversation.id)) continue;
    await history.bring(conversation);
  }
  tell("history");
  const known = found.filter(({ id }) => before.has(id)).length;
  const count = (number) => (number === 1 ? "1 conversation" : `${number.toLocaleString("en")} conversations`);
  if (found.some(({ id }) => id === session.conversation.id)) adopt(await history.one(session.conversation.id));
  return `${count(found.length - known)} imported.${known ? ` ${known.toLocaleString("en")} ${known === 1 ? "was" : "were"} here already.` : ""}`;
}

/// Takes over what another tab has made of the open conversation; undefined where it has removed it.
export function adopt(stored) {
  const { conversation } = session;
  if (!stored) {
    if (isEmpty(conversation)) return;
    stop();
    clearTimeout(keeping);
    keeping = null;
    newConversation();
    notice(`“${conversation.title || "Conversation"}” was deleted in another tab.`);
    return;
  }
  const before = conversation.arranged;
  const changed = merge(conversation, stored);
  if (!session.running) follow(conversation, stored);
  if (conversation.arranged !== before) arrange(conversation.setup);
  tell("conversation", null, changed);
}

/// Keeps a conversation as it is, in its place among the others.
async function write(conversation) {
  try {
    if (!await history.save(conversation) && conversation === session.conversation) adopt(undefined);
  } catch (error) {
    notice(error.name === "QuotaExceededError" ? "This browser's storage is full: delete conversations with pictures or sound, or export them first."
      : `The conversation could not be kept: ${error.message}`);
  }
  // Whoever left it and came back has a copy that knows less.
  tell("history", conversation.id, conversation !== session.conversation);
}

function keep(conversation) {
  conversation.updated = Date.now();
  return write(conversation);
}

export function switchTo(node) {
  stop();
  goTo(session.conversation, node);
  tell("conversation");
  keep(session.conversation);
}

// MARK: Messages

/// Begins the conversation with what is set, and names it after its first words.
function begin(conversation, title) {
  if (!conversation.title) conversation.title = title.slice(0, 80);
  if (conversation.setup) return;
  conversation.setup = setup();
  conversation.arranged = Date.now();
}

/// Sends a message, under the latest one or beside one that it replaces.
export function send(text, { replacing, files } = {}) {
  stop();
  const { conversation } = session;
  begin(conversation, text.trim().split("\n")[0] || files?.[0]?.name || "Files");
  addNode(conversation, replacing ? replacing.parent : conversation.leaf, { role: "user", content: text, files });
  return reply();
}

/// Keeps what was said and answered aloud, as messages like others.
export function addSpoken(heard, said, isWhole) {
  const { conversation } = session;
  begin(conversation, heard);
  addNode(conversation, conversation.leaf, { role: "user", content: heard });
  addNode(conversation, conversation.leaf, { role: "assistant", model: settings.model, content: said, finish: isWhole ? "stop" : undefined });
  tell("conversation");
  return keep(conversation);
}

/// Puts a person's words in the place of a reply, as a branch beside it.
export function rewrite(node, text) {
  stop();
  const { conversation } = session;
  addNode(conversation, node.parent, { role: "assistant", model: node.model, content: text, finish: "stop", isEdited: true });
  tell("conversation");
  return keep(conversation);
}

/// Removes a message and all that came of it.
export function removeMessage(node) {
  stop();
  const { conversation } = session;
  removeNode(conversation, node);
  tell("conversation");
  return keep(conversation);
}

/// Takes a file out of a message that was sent: the model is not told of it any more.
export function takeOut(node, file) {
  if (session.running) stop();
  node.files = node.files.filter((other) => other !== file);
  node.takenOut = [...node.takenOut ?? [], file.name];
  touch(node);
  tell("conversation", null, new Set([node.id]));
  return keep(session.conversation);
}

// MARK: Replies

/// Another answer beside one that there is.
export function regenerate(node) {
  stop();
  session.conversation.leaf = node.parent;
  return reply();
}

/// Asks again in the place of a reply that failed before its first word.
export function tryAgain(node) {
  stop();
  const { conversation } = session;
  removeNode(conversation, node);
  conversation.leaf = node.parent;
  return reply();
}

/// Goes on with a reply that was cut off.
export function continueReply(node) {
  stop();
  session.conversation.leaf = node.id;
  return reply(0, node);
}

/// Whether a reply is one that the model can go on with: words that have no form.
export const canContinue = (node) => node.role === "assistant" && Boolean(node.content) && !node.schema && !node.calls?.length
  && node.finish !== "stop" && session.conversation.leaf === node.id;

/// Answers a call by hand, and goes on when all are answered.
export function answer(node, call, text) {
  const { conversation } = session;
  addNode(conversation, conversation.leaf, { role: "tool", callId: call.id, content: text });
  tell("conversation");
  if (openCalls(conversation, node).length === 0) return reply();
  return keep(conversation);
}

/// Has an MCP server run a call that the person has allowed, and goes on with its result.
export async function runCall(node, call) {
  const { conversation } = session;
  // Half of the context, at four bytes a token.
  const ended = callServer(call, Math.min(65536, Math.max(2048, (session.abilities?.context ?? 0) * 2)));
  tell("conversation");
  const text = await ended;
  // A server may tell of other tools with a result.
  loadServers();
  if (session.conversation !== conversation) return undefined;
  if (text !== undefined && openCalls(conversation, node).includes(call)) return answer(node, call, text);
  return tell("conversation");
}

/// Tells the model that a call is not allowed, and goes on.
export const refuseCall = (node, call) => answer(node, call, refused);

/// Stops what is being written, and calls that run.
export function stop() {
  session.running?.abort.abort();
  leaveCalls();
}

/// Whether the reply that is being written has only reasoning so far.
export const isThinking = () => {
  const { running } = session;
  return Boolean(running?.id && running.node.reasoning && !running.node.content && !running.node.calls?.length);
};

/// Has the model answer instead of thinking on.
export function answerNow() {
  // A reply that has ended meanwhile needs nothing.
  if (isThinking()) api.endReasoning(session.running.id).catch(() => {});
}

/// Whether another tab is writing a reply.
export const isElsewhere = (node) => node.writing !== undefined && session.running?.node !== node && Date.now() - node.writing < patience;

function request(entries, tools, schema) {
  const { sampling, model, system } = settings;
  const messages = entries.map(({ message }) => message);
  if (system.trim()) messages.unshift({ role: "system", content: system });
  // A full context costs the oldest turns, not the conversation.
  const result = { model, messages, truncation: "auto", ...sampling };
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

/// Has the model answer; `round` counts answers to calls, `continued` is a reply to go on with.
async function reply(round = 0, continued = null) {
  const { conversation } = session;
  // What a reply begins with has no form.
  const schema = continued ? null : activeSchema();
  const tools = continued ? [] : activeTools();
  const servers = activeServers();
  const entries = requestEntries(conversation);
  const body = request(entries, tools, schema);
  if (continued) {
    body.continue_final_message = true;
    for (const key of ["error", "fault", "finish"]) delete continued[key];
  }
  const node = continued ?? addNode(conversation, conversation.leaf, { role: "assistant", model: settings.model });
  if (schema) node.schema = schema;
  // With both the reply is a call or fills the form: which one, its beginning tells.
  if (schema && tools.length) node.mayCall = true;
  const running = { node, abort: new AbortController(), started: performance.now(), first: 0, pieces: 0, before: node.stats?.generated ?? 0 };
  session.running = running;
  node.writing = Date.now();
  touch(node);
  tell("conversation");
  keep(conversation);
  // While a prompt is computed nothing arrives, and other tabs still see that somebody waits for it.
  const beat = setInterval(() => {
    node.writing = Date.now();
    touch(node);
    history.save(conversation).catch(() => {});
  }, keepInterval);
  try {
    for await (const event of api.chat(body, running.abort.signal)) {
      take(event, node, running);
      tell("reply", node);
    }
    // A connection that something between closes looks like an end.
    if (!node.finish && !running.abort.signal.aborted) node.error = "The connection to the server broke.";
  } catch (error) {
    if (!running.abort.signal.aborted) await fail(node, error, entries, body);
  }
  clearInterval(beat);
  if (node.reasoning && !node.thought) node.thought = (performance.now() - running.started) / 1000;
  for (const call of node.calls ?? []) if (servers.has(call.function.name)) call.server = servers.get(call.function.name);
  delete node.writing;
  touch(node);
  if (session.running === running) session.running = null;
  await keep(conversation);
  if (session.conversation === conversation) tell("conversation", node);
  if (session.conversation !== conversation || session.running) return undefined;
  if (node.finish && await goOn(conversation, node, round)) return undefined;
  return tell("idle", node, running.abort.signal.aborted);
}

/// Notes why a reply failed, in words for the person, and what it is about.
async function fail(node, error, entries, body) {
  const offset = body.messages.length - entries.length;
  const nodes = [...Array(offset).fill(null), ...entries.map((entry) => entry.node)];
  const found = await explain(error, { model: body.model, context: session.abilities?.context ?? 0, nodes, checkAttachment: api.checkAttachment });
  node.error = found.text;
  if (found.fault) node.fault = found.fault;
}

/// Answers calls of the page's own functions, and those that no server can run; where nothing is left open, the model goes on.
///
/// Returns whether there is something to wait for.
async function goOn(conversation, node, round) {
  // What a limit cut off is not what the model wanted.
  if (node.finish !== "tool_calls" || !node.calls?.length) return false;
  for (const call of node.calls) {
    const text = call.server === undefined ? ownAnswer(call) : problemOf(call);
    if (text !== undefined) addNode(conversation, conversation.leaf, { role: "tool", callId: call.id, content: text });
  }
  tell("conversation");
  if (openCalls(conversation, node).length > 0) {
    await keep(conversation);
    return true;
  }
  if (round >= maxRounds) {
    notice(`The model called functions ${maxRounds} times in a row; write a message to continue.`);
    await keep(conversation);
    return false;
  }
  await reply(round + 1);
  return true;
}

function take(event, node, running) {
  running.id ??= event.id;
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
      prompt: event.usage.prompt_tokens - running.before, cached: event.usage.prompt_tokens_details?.cached_tokens ?? 0,
      generated: event.usage.completion_tokens + running.before, speed: event.timings?.predicted_per_second ?? 0,
    };
  }
  if (event.trimming) node.leftOut = event.trimming.removed_messages;
}

/// The messages that a reply was written without, where that is more than the reply before it had to do without; 0 otherwise.
export function newlyLeftOut(node) {
  const before = path(session.conversation).filter((other) => other.role === "assistant");
  const earlier = before[before.indexOf(node) - 1];
  return node.leftOut && node.leftOut !== earlier?.leftOut ? node.leftOut : 0;
}

/// Tokens per second of the reply that is being written, by the pieces that arrived.
export function liveSpeed() {
  const { running } = session;
  if (!running || running.pieces < 3) return 0;
  return (running.pieces - 1) / ((performance.now() - running.first) / 1000);
}
