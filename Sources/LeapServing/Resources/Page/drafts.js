// What was written and not sent, kept for each conversation.

const prefix = "open-leap-draft-";
/// Characters of a draft that are kept.
const most = 200_000;

/// A conversation without messages is of this tab alone.
const placeOf = (conversation) => (Object.keys(conversation.nodes).length ? [localStorage, prefix + conversation.id] : [sessionStorage, `${prefix}new`]);

export function readDraft(conversation) {
  const [storage, key] = placeOf(conversation);
  try { return storage.getItem(key) ?? ""; } catch { return ""; }
}

export function writeDraft(conversation, text) {
  const [storage, key] = placeOf(conversation);
  try {
    if (text) storage.setItem(key, text.slice(0, most));
    else storage.removeItem(key);
  } catch {
    // Full or forbidden: it lasts as long as the page.
  }
}

export function forgetDraft(id) {
  try { localStorage.removeItem(prefix + id); } catch {
    // There is none then.
  }
}
