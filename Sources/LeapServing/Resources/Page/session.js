// What the page is about now: the model, the conversation, the reply that is being written.

import * as api from "/page/api.js";
import * as history from "/page/history.js";
import { callServer, leaveCalls, loadServers, problemOf, refused } from "/page/mcp.js";
import { notice } from "/page/notices.js";
import { readSchema } from "/page/schema-form.js";
import { change, settings } from "/page/store.js";
import { activeServers, activeTools, ownAnswer } from "/page/tools.js";
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
  const servers = activeServers();
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
  for (const call of node.calls ?? []) if (servers.has(call.function.name)) call.server = servers.get(call.function.name);
  if (session.running === running) session.running = null;
  await keep(conversation);
  if (session.conversation === conversation) tell("conversation", node);
  if (!node.finish || session.conversation !== conversation || session.running) return undefined;
  return goOn(conversation, node, round);
}

/// Answers calls of the page's own functions, and those that no server can run; where nothing is left open, the model goes on.
async function goOn(conversation, node, round) {
  // What a limit cut off is not what the model wanted.
  if (node.finish !== "tool_calls" || !node.calls?.length) return undefined;
  for (const call of node.calls) {
    const text = call.server === undefined ? ownAnswer(call) : problemOf(call);
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

