// Speaks the server's public API.

import { documents, events } from "/page/stream.js";

const storedKey = "open-leap-key";

/// A request that was refused, or got no answer.
class RequestFailure extends Error {
  /// - error: what the server says of it, where it says more than a sentence: `{code, param}`.
  constructor(message, status, error) {
    super(message);
    this.status = status;
    this.code = error?.code ?? null;
    this.param = error?.param ?? null;
  }
  /// Whether nobody answered.
  get isGone() { return this.status === 0; }
}

/// What the page does about a missing key and a server that is gone; set by the page.
export const hooks = { askForKey: async () => false, gone: () => {}, back: () => {} };

export function setKey(key) { sessionStorage.setItem(storedKey, key); }

async function send(path, { body, method = body === undefined ? "GET" : "POST", signal } = {}) {
  for (;;) {
    const headers = {};
    const key = sessionStorage.getItem(storedKey);
    if (key) headers.authorization = `Bearer ${key}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    let response;
    try {
      response = await fetch(path, {
        method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", credentials: "omit",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      hooks.gone();
      throw new RequestFailure("The server does not answer.", 0);
    }
    hooks.back();
    if (response.ok) return response;
    if (response.status === 401) {
      // A key that was given while this answer was on its way has not been tried yet.
      if (sessionStorage.getItem(storedKey) !== key) continue;
      if (await hooks.askForKey(key !== null)) continue;
    }
    let message = `The server answered with status ${response.status}.`;
    let told;
    try {
      const document = await response.json();
      message = document.error?.message ?? document.error ?? message;
      told = document.error;
    } catch {
      // Not JSON; the status has to do.
    }
    throw new RequestFailure(String(message), response.status, told);
  }
}

const json = async (path, options) => (await send(path, options)).json();

export const models = async () => (await json("/v1/models")).data;

/// What a model can do; loads it.
export async function show(model) {
  const found = await json("/api/show", { body: { model } });
  const sampling = {};
  for (const line of (found.parameters ?? "").split("\n")) {
    const [name, value] = line.trim().split(/\s+/);
    if (name && value !== undefined && Number.isFinite(Number(value))) sampling[name] = Number(value);
  }
  return {
    capabilities: found.capabilities ?? [], sampling,
    context: found.model_info?.["general.context_length"] ?? 0,
  };
}

/// The pieces of a reply.
export async function* chat(request, signal) {
  const response = await send("/v1/chat/completions", {
    body: { ...request, stream: true, stream_options: { include_usage: true } }, signal,
  });
  for await (const event of arriving(events(response.body), signal)) {
    if (event.error) throw new RequestFailure(event.error.message ?? "The reply failed.", 500, event.error);
    yield event;
  }
}

/// Ends the reasoning of a reply that is being written.
export const endReasoning = (id) => json("/v1/chat/completions/control", { body: { id, action: "reasoning_end" } });

/// What arrives of a body, or why it ended early.
async function* arriving(pieces, signal) {
  try {
    yield* pieces;
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SyntaxError) throw new RequestFailure("The server sent an invalid reply.", 200);
    hooks.gone();
    throw new RequestFailure("The connection to the server broke.", 0);
  }
}

/// The answers to typed questions about a state.
export const decide = (body, signal) => json("/v1/systemone", { body, signal });

/// Has the server read a picture or a sound as it would for a reply: what it holds. Throws what is wrong with it.
export const checkAttachment = (part) => json("/v1/attachments/check", { body: { part } });

/// A realtime session with a model. A browser lets a page give the key as a subprotocol only.
export function realtime(model) {
  const address = new URL(`/v1/realtime?model=${encodeURIComponent(model)}`, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const key = sessionStorage.getItem(storedKey);
  return new WebSocket(address, key ? ["realtime", `openai-insecure-api-key.${key}`] : ["realtime"]);
}

/// How far the fetching of a model is, in the steps that the server tells.
export async function* pull(model, signal) {
  const response = await send("/api/pull", { body: { model }, signal });
  if (!response.headers.get("content-type")?.includes("ndjson")) {
    yield await response.json();
    return;
  }
  for await (const step of arriving(documents(response.body), signal)) {
    if (step.error) throw new RequestFailure(step.error, response.status);
    yield step;
  }
}

/// The MCP servers that the server was started with, and their tools.
export const serverTools = () => json("/v1/mcp/tools");

/// Has an MCP server run one of its tools.
export const callTool = (body, signal) => json("/v1/mcp/tools/call", { body, signal });

/// Whether the server answers.
export async function isThere() {
  try {
    const there = (await fetch("/health", { cache: "no-store" })).ok;
    if (there) hooks.back();
    return there;
  } catch {
    return false;
  }
}
