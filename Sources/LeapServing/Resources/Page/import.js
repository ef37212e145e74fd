// Conversations from files: the page's own export, OpenAI's (conversations.json), Open WebUI's, and messages as the API has them.
//
// What a file says is not believed: only values of the kind that is expected are taken.

import { readDefinition } from "/page/tools.js";
import { addNode, makeConversation, path } from "/page/tree.js";

const maxConversations = 10_000;
const maxNodes = 50_000;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value) => (typeof value === "string" ? value : "");
const list = (value) => (Array.isArray(value) ? value : []);
const object = (value) => (isObject(value) ? value : {});

/// The conversations of a file. Throws what is wrong with it, as the end of a sentence that begins with the file's name.
export function readConversations(source) {
  const found = entries(source).flatMap((entry) => read(entry) ?? []).filter((conversation) => Object.keys(conversation.nodes).length);
  if (found.length === 0) throw new Error("has no conversations: the page reads its own export, OpenAI's conversations.json and Open WebUI's export.");
  return found;
}

/// What may be a conversation in a file, which may be JSON or a line of it for each.
function entries(source) {
  let value;
  try { value = JSON.parse(source); } catch {
    try { value = source.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line)); } catch (error) {
      throw new Error(`is not JSON: ${error.message}. From an archive, extract conversations.json first.`);
    }
  }
  if (isObject(value) && value.format === "open-leap-conversations") value = list(value.conversations);
  if (Array.isArray(value) && value.some((one) => typeof object(one).role === "string")) value = { messages: value };
  const all = [value].flat();
  if (all.length > maxConversations) throw new Error(`has ${all.length} conversations; the limit is ${maxConversations}: split the file.`);
  return all;
}

function read(entry) {
  if (!isObject(entry)) return null;
  if (entry.format === "open-leap-conversation") return ownConversation(entry);
  if (isObject(entry.mapping)) return fromOpenAI(entry);
  if (isObject(entry.chat)) return fromWebUI(entry);
  return Array.isArray(entry.messages) ? fromMessages(entry) : null;
}

/// A conversation with a name and times, in whatever a file has them.
function start({ title, created, updated, id }) {
  const time = (value) => (typeof value === "number" && value > 0 ? (value < 1e11 ? value * 1000 : value) : Date.parse(text(value)) || Date.now());
  const conversation = { ...makeConversation(), title: text(title).slice(0, 200), created: time(created), updated: time(updated ?? created) };
  if (/^[\w-]{1,100}$/.test(text(id))) conversation.id = id;
  return conversation;
}

/// A conversation from a tree of another program.
///
/// - roots: where it begins. childrenOf: the identifiers behind one. messageOf: `{role, content, …}` of one, or null for one that is left out.
function grow(conversation, { roots, childrenOf, messageOf, current }) {
  const places = new Map();
  const waiting = roots.map((id) => [id, null]);
  // In order, so that branches keep theirs; what was visited is not visited again.
  for (let at = 0; at < waiting.length && at < maxNodes; at += 1) {
    const [id, parent] = waiting[at];
    if (places.has(id)) continue;
    const message = messageOf(id);
    const place = message ? addNode(conversation, parent, message).id : parent;
    places.set(id, place);
    for (const child of childrenOf(id)) waiting.push([text(child), place]);
  }
  conversation.leaf = places.get(current) ?? lastOf(conversation);
  return conversation;
}

/// The end of the latest branch.
function lastOf(conversation) {
  return Object.keys(conversation.nodes).at(-1) ?? null;
}

const finished = (role) => (role === "assistant" ? { finish: "stop" } : {});

// MARK: OpenAI

function fromOpenAI(entry) {
  const { mapping } = entry;
  const conversation = start({ title: entry.title, created: entry.create_time, updated: entry.update_time, id: entry.id || entry.conversation_id ? `openai-${text(entry.id ?? entry.conversation_id)}` : "" });
  return grow(conversation, {
    roots: Object.keys(mapping).filter((id) => !isObject(mapping[object(mapping[id]).parent])),
    childrenOf: (id) => list(object(mapping[id]).children),
    current: entry.current_node,
    messageOf: (id) => {
      const message = object(object(mapping[id]).message);
      const role = object(message.author).role;
      if (!["user", "assistant"].includes(role) || object(message.metadata).is_visually_hidden_from_conversation === true) return null;
      const kind = object(message.content).content_type;
      // Thoughts, and calls of OpenAI's own tools.
      if (!["text", "multimodal_text", "code"].includes(kind) || (message.recipient ?? "all") !== "all") return null;
      const parts = kind === "code" ? [text(message.content.text)] : list(message.content.parts);
      const content = parts.map((part) => (typeof part === "string" ? part : text(object(part).text))).filter(Boolean).join("\n\n");
      const takenOut = parts.filter(isObject).filter((part) => !part.text).map((part) => text(part.content_type) || "file");
      if (!content && takenOut.length === 0) return null;
      return { role, content, ...takenOut.length ? { takenOut } : {}, ...role === "assistant" ? { model: text(object(message.metadata).model_slug) || "ChatGPT" } : {}, ...finished(role) };
    },
  });
}

// MARK: Open WebUI

function fromWebUI(entry) {
  const { chat } = entry;
  const messages = object(object(chat.history).messages);
  const conversation = start({ title: entry.title ?? chat.title, created: entry.created_at ?? chat.timestamp, updated: entry.updated_at ?? chat.timestamp, id: entry.id ? `webui-${text(entry.id)}` : "" });
  if (Object.keys(messages).length === 0) return list(chat.messages).length ? filled(conversation, chat.messages) : null;
  return grow(conversation, {
    roots: Object.keys(messages).filter((id) => !isObject(messages[object(messages[id]).parentId])),
    childrenOf: (id) => list(object(messages[id]).childrenIds),
    current: object(chat.history).currentId,
    messageOf: (id) => messageOf(messages[id]),
  });
}

// MARK: Messages

function fromMessages(entry) {
  return filled(start({ title: entry.title ?? titleOf(entry.messages), created: entry.created ?? entry.created_at }), entry.messages);
}

const titleOf = (messages) => messageOf(messages.find((message) => object(message).role === "user"))?.content.split("\n")[0].slice(0, 80) ?? "";

function filled(conversation, messages) {
  for (const message of messages.slice(0, maxNodes)) {
    if (object(message).role === "system") {
      conversation.setup ??= { system: contentOf(message).content };
      continue;
    }
    const found = messageOf(message);
    if (found) addNode(conversation, conversation.leaf, found);
  }
  return conversation;
}

/// A message in the API's shape; null for one that is none.
function messageOf(message) {
  const { role } = object(message);
  if (role === "tool") return { role, callId: text(message.tool_call_id), content: contentOf(message).content };
  if (!["user", "assistant"].includes(role)) return null;
  const { content, files } = contentOf(message);
  const found = { role, content, ...finished(role) };
  if (files.length) found.files = files;
  if (role === "user") return content || files.length ? found : null;
  if (text(message.model)) found.model = message.model;
  const reasoning = text(message.reasoning_content ?? message.reasoning);
  if (reasoning) found.reasoning = reasoning;
  const calls = callsOf(message.tool_calls);
  if (calls.length) Object.assign(found, { calls, finish: "tool_calls" });
  return content || reasoning || calls.length ? found : null;
}

/// The words of a message, and the files in it.
function contentOf({ content }) {
  if (typeof content === "string") return { content, files: [] };
  const parts = list(content).map(object);
  return {
    content: parts.map((part) => text(part.text)).filter(Boolean).join("\n\n"),
    files: parts.flatMap((part, index) => fileOf(part, index) ?? []),
  };
}

function fileOf(part, index) {
  const address = text(object(part.image_url).url ?? part.image_url);
  if (/^data:image\/[\w.+-]+;base64,/.test(address)) return { kind: "picture", name: `picture ${index + 1}`, data: address };
  const sound = object(part.input_audio);
  if (text(sound.data) && /^[\w-]{1,20}$/.test(text(sound.format))) return { kind: "sound", name: `sound ${index + 1}`, data: `data:audio/${sound.format};base64,${sound.data}` };
  return null;
}

const callsOf = (calls) => list(calls).map(object).filter((call) => text(object(call.function).name)).map((call) => ({
  id: text(call.id), type: "function", function: { name: call.function.name, arguments: text(call.function.arguments) },
}));

// MARK: The page's own

/// The kinds of what a message of the page may have; others are left out.
const kinds = {
  content: "string", model: "string", reasoning: "string", thought: "number", finish: "string", error: "string", callId: "string", schema: "object", mayCall: "boolean",
  isEdited: "boolean", leftOut: "number", rev: "number",
};

function ownConversation(entry) {
  const conversation = start(entry);
  const nodes = list(object(entry.tree).nodes).slice(0, maxNodes).map(object);
  const known = new Map(nodes.map((node) => [text(node.id), node]));
  const children = Map.groupBy(nodes, (node) => (known.has(text(node.parent)) ? text(node.parent) : null));
  // From the first messages on, so that none is its own beginning.
  const waiting = [...children.get(null) ?? []];
  for (let at = 0; at < waiting.length && at <= nodes.length; at += 1) {
    const id = text(waiting[at].id);
    if (!/^[\w-]{1,100}$/.test(id) || id in conversation.nodes) continue;
    const node = ownNode(waiting[at]);
    if (node) conversation.nodes[id] = { id, parent: known.has(text(waiting[at].parent)) ? text(waiting[at].parent) : null, ...node };
    if (node) waiting.push(...children.get(id) ?? []);
  }
  conversation.leaf = text(object(entry.tree).leaf) in conversation.nodes ? entry.tree.leaf : lastOf(conversation);
  if (text(entry.folder)) Object.assign(conversation, { folder: text(entry.folder).slice(0, 80), moved: conversation.updated });
  if (isObject(entry.setup)) Object.assign(conversation, { setup: ownSetup(entry.setup), arranged: conversation.updated });
  attach(conversation, list(entry.messages).map(object));
  return conversation;
}

function ownNode(source) {
  if (!["user", "assistant", "tool"].includes(source.role)) return null;
  const node = { role: source.role, content: "", rev: 1 };
  for (const [key, kind] of Object.entries(kinds)) if (typeof source[key] === kind && source[key] !== null && !Array.isArray(source[key])) node[key] = source[key];
  const calls = callsOf(source.calls);
  if (calls.length) node.calls = calls;
  const stats = object(source.stats);
  if (["prompt", "cached", "generated", "speed"].every((key) => Number.isFinite(stats[key]))) node.stats = { prompt: stats.prompt, cached: stats.cached, generated: stats.generated, speed: stats.speed };
  const files = list(source.files).map(object).filter((file) => ["picture", "sound", "text"].includes(file.kind)).map((file) => ({
    kind: file.kind, name: text(file.name).slice(0, 200) || "file", ...text(file.note) ? { note: text(file.note).slice(0, 80) } : {},
    ...file.kind === "text" ? { text: text(file.text) } : /^data:(?:image|audio)\/[\w.+-]+;base64,/.test(text(file.data)) ? { data: file.data } : {},
  }));
  if (files.length) node.files = files;
  const takenOut = list(source.takenOut).filter((name) => typeof name === "string");
  if (takenOut.length) node.takenOut = takenOut;
  return node;
}

/// What belongs to a conversation; the page leaves out values of other kinds when it is opened.
function ownSetup(source) {
  const tools = list(source.tools).flatMap((tool) => {
    try { return [readDefinition(JSON.stringify(tool))]; } catch { return []; }
  });
  const names = (value) => list(value).filter((name) => typeof name === "string");
  const sampling = Object.fromEntries(Object.entries(object(source.sampling)).filter(([, value]) => Number.isFinite(value)));
  return { ...source, sampling, tools, builtins: names(source.builtins), serverTools: names(source.serverTools) };
}

/// Gives the messages that are shown their files back, which the export has in the API's messages alone.
function attach(conversation, messages) {
  const said = messages.filter((message) => message.role === "user");
  const isEmpty = (file) => file.kind !== "text" && !file.data;
  for (const [index, node] of path(conversation).filter((one) => one.role === "user").entries()) {
    const { files } = contentOf(said[index] ?? {});
    for (const file of (node.files ?? []).filter(isEmpty)) {
      const place = files.findIndex((other) => other.kind === file.kind);
      if (place >= 0) file.data = files.splice(place, 1)[0].data;
    }
  }
  // A file without what was in it is only a name.
  for (const node of Object.values(conversation.nodes)) {
    const empty = (node.files ?? []).filter(isEmpty);
    if (empty.length === 0) continue;
    node.takenOut = [...node.takenOut ?? [], ...empty.map((file) => file.name)];
    node.files = node.files.filter((file) => !isEmpty(file));
  }
}
