// Why a request failed, in words that say what a person can do.

import { mediaOf, mediaPart } from "/page/tree.js";

/// What fields of a request are called in the settings, and the section that they are in.
const fields = {
  temperature: ["Temperature", "sampling"], top_p: ["Top-p", "sampling"], top_k: ["Top-k", "sampling"], min_p: ["Min-p", "sampling"],
  repetition_penalty: ["Repetition penalty", "sampling"], max_tokens: ["Tokens, at most", "sampling"], seed: ["Seed", "sampling"],
  response_format: ["the schema of Form", "schema"], tools: ["the functions of Tools", "tools"],
};

/// What happened and what helps, as `text`; `fault` is what can be changed for it: `{node, name}` for a file of a message, `{section}` for a setting.
///
/// - error: of api.js. context: the tokens of the model's context. nodes: the message behind each message of the request, or null.
export async function explain(error, { model, context, nodes, checkAttachment }) {
  if (error.isGone || error.status === undefined) return { text: error.message };
  if (error.code === "context_length_exceeded") return tooLong(error, model, context, nodes);
  const place = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/.exec(error.param ?? "");
  const node = place && nodes[Number(place[1])];
  if (node) return ofMessage(error, model, node, place[2] === undefined ? undefined : mediaOf(node)[Number(place[2])], nodes);
  if (error.status === 400 && !error.param) {
    const broken = await brokenFile(nodes, checkAttachment);
    if (broken) return broken;
  }
  const [label, section] = fields[error.param?.split(/[.[]/)[0]] ?? [];
  if (label) return { text: `The server does not take ${label}: ${error.message}. Change it in the settings.`, fault: { section } };
  switch (error.status) {
  case 401: case 403: return { text: `The server does not allow it: ${error.message}.` };
  case 404: return { text: `The server no longer has the model ${model}: choose another one.` };
  case 413: return { text: "The conversation is too large for the server: remove pictures or sound from it, or begin a new one." };
  case 429: return { text: `The server is busy: try again in a moment. (${error.message})` };
  case 503: return { text: `${model} cannot be loaded: ${error.message}. Choose another model.` };
  default: return { text: error.status >= 500 ? `The server failed: ${error.message}` : error.message };
  }
}

/// The latest message alone does not fit: the oldest are left out before that is told.
function tooLong(error, model, context, nodes) {
  const needed = Math.max(0, ...(error.message.replace(/(\d),(?=\d{3})/g, "$1").match(/\d+/g) ?? []).map(Number));
  const sizes = context ? ` It needs ${needed > context ? `${needed.toLocaleString("en")} tokens` : "more tokens than there are"}, and ${model} holds ${context.toLocaleString("en")}.` : "";
  const node = nodes.findLast((other) => other?.role === "user");
  const files = node?.files ?? [];
  const advice = files.length ? `Shorten it, or take out ${list(files)}.` : "Shorten it, or choose a model with a larger context.";
  return { text: `${nameOf(node, nodes)} is too long.${sizes} ${advice}`, fault: files.length ? { node: node.id, name: files[0].name } : undefined };
}

function ofMessage(error, model, node, file, nodes) {
  const kind = file?.kind === "picture" ? "pictures" : "sound";
  const where = lower(nameOf(node, nodes));
  if (file && error.code === "unsupported_content") {
    return { text: `${model} takes no ${kind}, and “${file.name}” is in ${where}: take it out, or choose another model.`, fault: { node: node.id, name: file.name } };
  }
  if (file) return { text: `“${file.name}” in ${where} cannot be read: ${error.message}. Take it out, or attach another file.`, fault: { node: node.id, name: file.name } };
  return { text: `The server does not take ${where}: ${error.message}` };
}

/// The first file that the server cannot read, where an error does not say which it is.
async function brokenFile(nodes, checkAttachment) {
  for (const node of nodes) {
    for (const file of node ? mediaOf(node) : []) {
      try { await checkAttachment(mediaPart(file)); } catch (error) {
        if (error.status === 400) return ofMessage(error, "", node, file, nodes);
      }
    }
  }
  return null;
}

/// A message as a sentence begins with it.
function nameOf(node, nodes) {
  if (!node || node === nodes.findLast((other) => other?.role === "user")) return "This message";
  const words = node.content.trim().split("\n")[0];
  const whose = node.role === "user" ? "Your message" : node.role === "tool" ? "The result" : "The reply";
  return words ? `${whose} “${words.length > 40 ? `${words.slice(0, 40)}…` : words}”` : whose;
}

const lower = (text) => text[0].toLowerCase() + text.slice(1);

const list = (files) => files.map(({ name }) => `“${name}”`).join(" or ");
