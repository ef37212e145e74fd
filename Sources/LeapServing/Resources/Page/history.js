// Keeps conversations in this browser's IndexedDB; in memory where the browser refuses.

const memory = new Map();
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

async function run(mode, body) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("conversations", mode);
    const request = body(transaction.objectStore("conversations"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

const channel = new BroadcastChannel("open-leap");

/// Calls back when another tab changed something.
export function onChange(body) { channel.onmessage = body; }

/// Whether conversations outlive the page.
export const isKept = async () => (await open()) !== null;

/// All conversations, the latest first.
export async function all() {
  const found = (await run("readonly", (store) => store.getAll())) ?? [...memory.values()];
  return found.sort((a, b) => b.updated - a.updated);
}

export async function save(conversation) {
  memory.set(conversation.id, conversation);
  await run("readwrite", (store) => store.put(conversation));
  channel.postMessage("changed");
}

export async function remove(id) {
  memory.delete(id);
  await run("readwrite", (store) => store.delete(id));
  channel.postMessage("changed");
}
