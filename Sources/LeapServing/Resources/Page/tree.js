// A conversation as a tree: an edited message and a second answer are branches beside the first.

import { attachedText } from "/page/attached-text.js";

let last = 0;

/// What tells the identifiers of this tab from those that others make at the same time.
const tab = crypto.getRandomValues(new Uint32Array(1))[0].toString(36).padStart(7, "0");

/// An identifier that sorts by time.
function makeId() {
  last = Math.max(Date.now(), last + 1);
  return `${last.toString(36)}-${tab}`;
}

export function makeConversation() {
  const now = Date.now();
  return { id: makeId(), title: "", created: now, updated: now, nodes: {}, leaf: null };
}

/// Adds a message under another one and goes to it.
export function addNode(conversation, parent, fields) {
  const node = { id: makeId(), parent, content: "", rev: 1, ...fields };
  conversation.nodes[node.id] = node;
  conversation.leaf = node.id;
  return node;
}

/// Notes that a message has changed, so that it counts for more than what others have of it.
export function touch(node) { node.rev = (node.rev ?? 0) + 1; }

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

/// A message and all that came of it.
export function subtree(conversation, node) {
  const found = [node];
  for (const one of found) found.push(...Object.values(conversation.nodes).filter((other) => other.parent === one.id));
  return found;
}

/// Removes a message and all that came of it; goes to the branch beside it, or to what was before.
export function removeNode(conversation, node) {
  const gone = subtree(conversation, node).map(({ id }) => id);
  const beside = siblings(conversation, node).filter((other) => other !== node).at(-1);
  const isShown = gone.includes(conversation.leaf);
  for (const id of gone) delete conversation.nodes[id];
  // So that another tab does not bring them back.
  conversation.removed = [...conversation.removed ?? [], ...gone];
  if (!isShown) return;
  if (beside) goTo(conversation, beside);
  else conversation.leaf = node.parent;
}

// MARK: Two versions of one conversation

/// The parts of a conversation of which the later one counts, and when each was set.
const dated = { title: "titled", folder: "moved", setup: "arranged" };

/// Takes over what another version of a conversation has: messages that are missing, later ones of those that are there, and what was removed.
///
/// Returns the identifiers of the messages that it brought or changed.
export function merge(own, other) {
  const changed = new Set();
  own.removed = [...new Set([...own.removed ?? [], ...other.removed ?? []])];
  for (const [id, node] of Object.entries(other.nodes)) {
    const known = own.nodes[id];
    if (known && (node.rev ?? 0) <= (known.rev ?? 0)) continue;
    changed.add(id);
    if (!known) { own.nodes[id] = node; continue; }
    // The message stays the same object: replies are written into it.
    for (const key of Object.keys(known)) delete known[key];
    Object.assign(known, node);
  }
  for (const id of own.removed) delete own.nodes[id];
  for (const [key, time] of Object.entries(dated)) {
    if ((other[time] ?? 0) > (own[time] ?? 0)) {
      own[key] = other[key];
      own[time] = other[time];
    }
  }
  own.updated = Math.max(own.updated, other.updated);
  if (!own.nodes[own.leaf]) own.leaf = own.nodes[other.leaf] ? other.leaf : Object.keys(own.nodes).at(-1) ?? null;
  return changed;
}

/// Goes to the end of another version, where that is behind the end of this one.
export function follow(own, other) {
  for (let node = own.nodes[other.leaf]; node; node = own.nodes[node.parent]) {
    if (node.id === own.leaf || own.leaf === null) {
      own.leaf = other.leaf;
      return;
    }
  }
}

// MARK: Requests

/// The messages as requests carry them, each with the node that it is of.
export function requestEntries(conversation) {
  const entries = [];
  const add = (node, message) => entries.push({ node, message });
  for (const node of path(conversation)) {
    if (node.role === "tool") add(node, { role: "tool", tool_call_id: node.callId, content: node.content });
    else if (node.role === "user") add(node, { role: "user", content: userContent(node) });
    else if (node.content || node.reasoning || callsOf(node).length) {
      const message = { role: "assistant", content: node.content };
      if (node.reasoning) message.reasoning_content = node.reasoning;
      // Which server has the tool is the page's affair.
      if (callsOf(node).length) message.tool_calls = callsOf(node).map(({ id, type, function: called }) => ({ id, type, function: called }));
      add(node, message);
    }
  }
  return entries;
}

/// The messages as requests carry them.
export const requestMessages = (conversation) => requestEntries(conversation).map(({ message }) => message);

/// The name of a sound's format, by the type in its address.
const soundFormat = (address) => address.slice("data:audio/".length, address.indexOf(";"));

/// A picture or a sound as a part of a message.
export const mediaPart = (file) => (file.kind === "picture"
  ? { type: "image_url", image_url: { url: file.data } }
  : { type: "input_audio", input_audio: { data: file.data.split(",")[1], format: soundFormat(file.data) } });

/// Pictures and sounds; texts are words of the message.
export const mediaOf = (node) => (node.files ?? []).filter((file) => file.data);

/// Text alone, or parts where pictures or sounds go with it.
function userContent(node) {
  const text = attachedText(node);
  const parts = mediaOf(node).map(mediaPart);
  if (parts.length === 0) return text;
  return text ? [...parts, { type: "text", text }] : parts;
}

/// The calls of a message, but for one that the limit of tokens cut off.
const callsOf = (node) => (node.finish === "length" ? [] : node.calls ?? []);

/// The calls of an assistant's message that have no result yet on the way to the leaf.
export function openCalls(conversation, node) {
  const answered = new Set(path(conversation).filter((other) => other.role === "tool").map((other) => other.callId));
  return callsOf(node).filter((call) => !answered.has(call.id));
}
