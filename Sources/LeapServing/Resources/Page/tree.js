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
      // Which server has the tool is the page's affair.
      if (callsOf(node).length) message.tool_calls = callsOf(node).map(({ id, type, function: called }) => ({ id, type, function: called }));
      messages.push(message);
    }
  }
  return messages;
}

/// The name of a sound's format, by the type in its address.
const soundFormat = (address) => address.slice("data:audio/".length, address.indexOf(";"));

/// Text alone, or parts where files go with it.
function userContent(node) {
  if (!node.files?.length) return node.content;
  const parts = node.files.map((file) => (file.kind === "picture"
    ? { type: "image_url", image_url: { url: file.data } }
    : { type: "input_audio", input_audio: { data: file.data.split(",")[1], format: soundFormat(file.data) } }));
  return node.content ? [...parts, { type: "text", text: node.content }] : parts;
}

/// The calls of a message, but for one that the limit of tokens cut off.
const callsOf = (node) => (node.finish === "length" ? [] : node.calls ?? []);

/// The calls of an assistant's message that have no result yet on the way to the leaf.
export function openCalls(conversation, node) {
  const answered = new Set(path(conversation).filter((other) => other.role === "tool").map((other) => other.callId));
  return callsOf(node).filter((call) => !answered.has(call.id));
}
