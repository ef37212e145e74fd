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
  const { id, title, folder, setup, created, updated, leaf } = conversation;
  const shown = new Set(path(conversation));
  const nodes = Object.values(conversation.nodes).map((node) => (node.files && shown.has(node)
    // What they hold is in the messages already.
    ? { ...node, files: node.files.map(({ data: _, ...file }) => file) } : node));
  return {
    format: "open-leap-conversation", version: 1, id, title, folder, setup, created: new Date(created).toISOString(), updated: new Date(updated).toISOString(),
    messages: requestMessages(conversation), tree: { leaf, nodes },
  };
}

/// The messages that are shown, to read.
export function markdown(conversation) {
  const parts = [`# ${conversation.title.replace(/\s+/g, " ").trim() || "Conversation"}`, `*${new Date(conversation.created).toLocaleString()}*`];
  for (const node of path(conversation)) {
    if (node.role === "user") parts.push("## You");
    else if (node.role === "assistant") parts.push(`## ${node.model ?? "Model"}`);
    for (const file of node.files ?? []) {
      parts.push(`*${{ picture: "Picture", sound: "Sound", text: "File" }[file.kind]}: ${file.name}*`);
      if (file.kind === "text") parts.push(fenced(file.text, ""));
    }
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
