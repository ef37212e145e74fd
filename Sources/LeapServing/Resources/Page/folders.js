// Folders of the list of conversations, and the days that the others are put under.

import { byId, el, fill } from "/page/dom.js";

/// Asks for a folder; null where the person leaves it, empty for none.
export function askFolder(conversation, names) {
  const dialog = byId("folder");
  const field = byId("folder-name");
  fill(byId("folder-names"), names.map((name) => el("option", { value: name })));
  field.value = conversation.folder ?? "";
  dialog.returnValue = "";
  dialog.showModal();
  field.select();
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    resolve(dialog.returnValue === "move" ? field.value.replace(/\s+/g, " ").trim() : null);
  }, { once: true }));
}

const day = 86_400_000;

/// The name of the time that a conversation was last used in.
export function dayName(time, now = Date.now()) {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (time >= today) return "Today";
  // Days of 23 and 25 hours are days.
  if (time >= new Date(today - day / 2).setHours(0, 0, 0, 0)) return "Yesterday";
  if (time >= today - 7 * day) return "Last 7 days";
  if (time >= today - 30 * day) return "Last 30 days";
  return new Date(time).toLocaleDateString("en", { month: "long", year: "numeric" });
}

/// Conversations in groups: folders by name, then days, the latest first. `{folder, name, rows}` each.
export function grouped(rows) {
  const folders = Map.groupBy(rows.filter(({ conversation }) => conversation.folder), ({ conversation }) => conversation.folder);
  const days = Map.groupBy(rows.filter(({ conversation }) => !conversation.folder), ({ conversation }) => dayName(conversation.updated));
  return [
    ...[...folders].sort(([a], [b]) => a.localeCompare(b)).map(([name, inside]) => ({ isFolder: true, name, rows: inside })),
    ...[...days].map(([name, inside]) => ({ isFolder: false, name, rows: inside })),
  ];
}
