// The tools of the MCP servers that the server was started with; a person allows each call.

import * as api from "/page/api.js";
import { settings } from "/page/store.js";

/// The servers and their tools, as the server last told them; `problem` is why it did not.
export const mcp = { servers: [], tools: [], problem: null };

const listeners = new Set();

/// Calls back when the tools are others.
export function onServers(body) { listeners.add(body); }

/// Asks for the tools, where the server was started with MCP servers.
export async function loadServers() {
  if (document.documentElement.dataset.mcp === undefined) return;
  try {
    const { servers, data } = await api.serverTools();
    Object.assign(mcp, { servers, tools: data, problem: null });
  } catch (error) {
    mcp.problem = error.message;
  }
  for (const body of listeners) body();
}

/// What the settings call a tool.
export const keyOf = (tool) => `${tool.server} ${tool.name}`;

/// The tools that a person has ticked, but for those with a name that others have.
export const chosenTools = (taken) => mcp.tools.filter((tool) => settings.serverTools.includes(keyOf(tool)) && !taken.has(tool.name));

// MARK: Calls

/// What stops each call that runs.
const running = new Map();

export const isCalling = (call) => running.has(call);

/// What the model is told of a call that was not allowed, or that was stopped.
export const refused = "Error: the user did not allow this call.";
const stopped = "Error: the user stopped this call.";

/// Why a call cannot be run; undefined where it can.
export function problemOf(call) {
  try {
    const value = JSON.parse(call.function.arguments || "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return undefined;
  } catch {
    // As for a value of another kind.
  }
  return "Error: the arguments are not a JSON object.";
}

/// Has a server run a call; the text for the model, or undefined where the person has gone elsewhere meanwhile, or the server of the page.
export async function callServer(call, maxBytes) {
  const abort = new AbortController();
  running.set(call, abort);
  try {
    const result = await api.callTool({
      server: call.server, name: call.function.name, arguments: JSON.parse(call.function.arguments || "{}"), max_bytes: maxBytes,
    }, abort.signal);
    return String(result.content);
  } catch (error) {
    // Where nobody answers, whether it ran is not known: the person decides again.
    if (!abort.signal.aborted) return error.isGone ? undefined : `Error: ${error.message}`;
    return abort.signal.reason === stopped ? stopped : undefined;
  } finally {
    running.delete(call);
  }
}

/// Stops a call, and lets the model know.
export function stopCall(call) { running.get(call)?.abort(stopped); }

/// Stops all calls without a result, as the person goes elsewhere.
export function leaveCalls() { for (const abort of running.values()) abort.abort("left"); }
