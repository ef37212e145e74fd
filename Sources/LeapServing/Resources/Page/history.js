// Keeps conversations in this browser's IndexedDB; in memory where the browser refuses. What several tabs write is merged.

import { merge } from "/page/tree.js";

const memory = new Map();
/// Those that are known to be kept: one of them that is missing was removed by another tab.
const kept = new Set();
let opening;

function open() {
  opening ??= new Promise((resolve) => {
    let request;
    try { request = indexedDB.open("open-leap", 1); } catch { resolve(null); return; }
    request.onupgradeneeded = () => request.result.createObjectStore("conversations", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
  return opening;
}

/// Runs a transaction; its value is what `body` returns, called when all is done.
async function run(mode, body) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("conversations", mode);
    const value = body(transaction.objectStore("conversations"));
    transaction.oncomplete = () => resolve(value());
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

const channel = new BroadcastChannel("open-leap");

/// Calls back with the identifier of a conversation that another tab has changed or removed.
export function onChange(body) { channel.onmessage = ({ data }) => body(data.id); }

/// Whether conversations outlive the page.
export const isKept = async () => (await open()) !== null;

/// All conversations, the latest first.
export async function all() {
  const found = (await run("readonly", (store) => {
    const request = store.getAll();
    return () => request.result;
  })) ?? [...memory.values()];
  for (const { id } of found) kept.add(id);
  return found.sort((a, b) => b.updated - a.updated);
}

/// One of them; undefined where there is none.
export async function one(id) {
  const found = await run("readonly", (store) => {
    const request = store.get(id);
    return () => request.result;
  });
  return found ?? memory.get(id);
}

/// Merges a conversation with what is kept of it, and keeps that.
///
/// Returns whether it is kept: one that another tab has removed is not brought back.
export async function save(conversation) {
  const copy = structuredClone(conversation);
  const isThere = await run("readwrite", (store) => {
    const request = store.get(copy.id);
    let isGone = false;
    request.onsuccess = () => {
      if (request.result) merge(copy, request.result);
      isGone = !request.result && kept.has(copy.id);
      if (!isGone) store.put(copy);
    };
    return () => !isGone;
  });
  if (isThere === undefined) memory.set(copy.id, copy);
  if (isThere === false) return false;
  kept.add(copy.id);
  channel.postMessage({ id: copy.id });
  return true;
}

/// Keeps a conversation of a file, also one that was removed.
export function bring(conversation) {
  kept.delete(conversation.id);
  return save(conversation);
}

export async function remove(id) {
  memory.delete(id);
  await run("readwrite", (store) => {
    store.delete(id);
    return () => true;
  });
  // Only now: what was read before has it once more.
  kept.delete(id);
  channel.postMessage({ id });
}
