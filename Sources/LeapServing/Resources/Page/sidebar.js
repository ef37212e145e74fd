// The list of conversations.

import { openMenu, startMenu } from "/page/conversation-menu.js";
import { byId, el, fill, uniqueId } from "/page/dom.js";
import { askFolder, grouped } from "/page/folders.js";
import * as history from "/page/history.js";
import { icon } from "/page/icons.js";
import { reveal } from "/page/messages.js";
import { announce, confirm } from "/page/notices.js";
import { adopt, moveConversation, newConversation, on, openConversation, removeConversation, renameConversation, session, switchTo } from "/page/session.js";
import { find, searchWords } from "/page/search.js";
import { path } from "/page/tree.js";

/// All conversations, as they were read last.
let conversations = [];
/// The folders that are closed.
const closed = new Set();
/// The identifier of the one whose name is being written.
let renamed = null;

export async function startSidebar() {
  byId("new-chat").addEventListener("click", begin);
  byId("open-sidebar").addEventListener("click", () => open(true));
  byId("close-sidebar").addEventListener("click", () => open(false));
  byId("scrim").addEventListener("click", () => open(false));
  matchMedia("(max-width: 800px)").addEventListener("change", (event) => { if (!event.matches) open(false); });
  startMenu();
  startSearch();
  byId("cancel-folder").addEventListener("click", () => byId("folder").close());
  on("history", async (id, isOther) => {
    if (!id) { draw(); return; }
    const stored = await refresh(id);
    if (isOther && stored && id === session.conversation.id) adopt(stored);
  });
  history.onChange(async (id) => {
    const stored = await refresh(id);
    if (id === session.conversation.id) adopt(stored);
  });
  if (!await history.isKept()) byId("sidebar-note").textContent = "This browser stores nothing: conversations are lost when you close the page.";
  await draw();
  const latest = conversations[0];
  // Back to where the person was, unless that is long ago.
  if (latest && Date.now() - latest.updated < 12 * 3_600_000) openConversation(latest);
}

export function begin() {
  newConversation();
  open(false);
  byId("input").focus();
}

/// Opens and closes the list on narrow screens; what is behind it cannot be reached meanwhile.
export function open(isOpen) {
  const was = document.body.classList.contains("with-sidebar");
  document.body.classList.toggle("with-sidebar", isOpen);
  byId("scrim").hidden = !isOpen;
  byId("frame").inert = isOpen;
  if (isOpen) byId("close-sidebar").focus();
  else if (was) byId("open-sidebar").focus();
}

// MARK: Searching

function startSearch() {
  const field = byId("search");
  field.addEventListener("input", () => { show(); announceCount(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") byId("conversations").querySelector(".conversation")?.focus();
    else if (event.key === "Escape" && field.value) clearSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId("clear-search").addEventListener("click", () => { clearSearch(); field.focus(); });
}

function clearSearch() {
  byId("search").value = "";
  show();
}

/// Goes to the field for searching.
export function search() {
  if (matchMedia("(max-width: 800px)").matches) open(true);
  byId("search").focus();
  byId("search").select();
}

let counting;

function announceCount() {
  clearTimeout(counting);
  counting = setTimeout(() => {
    const count = byId("conversations").querySelectorAll("li").length;
    if (byId("search").value.trim()) announce(count === 0 ? "No conversation found." : count === 1 ? "One conversation found." : `${count} conversations found.`);
  }, 600);
}

// MARK: The list

async function draw() {
  conversations = await history.all();
  show();
}

/// Reads one of them again.
async function refresh(id) {
  const found = await history.one(id);
  conversations = [...conversations.filter((other) => other.id !== id), ...found ? [found] : []].sort((a, b) => b.updated - a.updated);
  show();
  return found;
}

function show() {
  // The field that a name is written in is not drawn anew.
  if (renamed && byId("conversations").contains(document.activeElement)) return;
  const words = searchWords(byId("search").value);
  const rows = conversations.map((conversation) => ({ conversation, found: words.length ? find(conversation, words) : { node: null, snippet: null } })).filter(({ found }) => found);
  const focused = document.activeElement?.closest?.("#conversations li")?.dataset.id;
  const part = document.activeElement?.matches?.(".more") ? "more" : "conversation";
  // What was found is in one list.
  const groups = words.length || rows.length === 0 ? [{ name: null, rows }] : grouped(rows);
  fill(byId("conversations"), groups.map(group));
  if (focused) inRow(focused, part)?.focus();
  byId("search-box").hidden = conversations.length === 0;
  byId("clear-search").hidden = words.length === 0;
  byId("search-note").hidden = words.length === 0 || rows.length > 0;
  byId("search-note").textContent = `No conversation has “${byId("search").value.trim()}”.`;
}

function group({ isFolder, name, rows }) {
  if (name === null) return el("ul", { "aria-label": "Conversations" }, rows.map(row));
  const id = uniqueId("group");
  const list = el("ul", { "aria-labelledby": id }, rows.map(row));
  if (!isFolder) return el("div", { class: "group" }, el("p", { id, class: "group-name" }, name), list);
  return el("details", {
    class: "group folder", open: !closed.has(name) || rows.some(({ conversation }) => conversation.id === renamed),
    on: { toggle: (event) => (event.target.open ? closed.delete(name) : closed.add(name)) },
  }, el("summary", { class: "group-name" }, icon("folder"), el("span", { id }, name), icon("down")), list);
}

/// A part of a conversation's row.
const inRow = (id, part) => byId("conversations").querySelector(`[data-id="${CSS.escape(id)}"] .${part}`);

function row({ conversation, found }) {
  const isCurrent = conversation.id === session.conversation.id;
  const name = conversation.title || "Conversation";
  if (conversation.id === renamed) return el("li", { "data-id": conversation.id, class: isCurrent ? "current" : "" }, nameField(conversation));
  const more = el("button", {
    type: "button", class: "icon-button small more", "aria-label": `More of “${name}”`, title: "Rename, move, export, print, delete", "aria-haspopup": "menu", "aria-expanded": "false",
    on: { click: () => openMenu(more, current(conversation), {
      rename: () => rename(conversation), move: () => move(conversation), print: () => print(conversation), remove: () => remove(conversation, name),
    }) },
  }, icon("more"));
  return el("li", { "data-id": conversation.id, class: isCurrent ? "current" : "" },
    el("button", {
      type: "button", class: "conversation", "aria-current": isCurrent ? "true" : undefined, title: name,
      on: {
        click: () => visit(conversation, found.node), dblclick: () => rename(conversation),
        keydown: (event) => { if (event.key === "F2") { event.preventDefault(); rename(conversation); } },
      },
    }, el("span", { class: "conversation-name" }, name),
    found.snippet ? el("span", { class: "snippet" }, found.snippet.map(([text, isFound]) => (isFound ? el("mark", {}, text) : text))) : null),
    more);
}

/// The conversation as it is now: what is kept of the one that is open may be a moment older.
const current = (conversation) => (conversation.id === session.conversation.id ? session.conversation : conversation);

/// Opens a conversation, at a message that was found.
function visit(conversation, node) {
  openConversation(conversation);
  open(false);
  if (!node) return;
  const own = session.conversation.nodes[node.id];
  if (!own) return;
  if (!path(session.conversation).includes(own)) switchTo(own);
  reveal(own);
}

async function move(conversation) {
  const names = [...new Set(conversations.map(({ folder }) => folder).filter(Boolean))].sort((a, b) => a.localeCompare(b));
  const folder = await askFolder(current(conversation), names);
  if (folder === null) return;
  closed.delete(folder);
  await moveConversation(current(conversation), folder);
  announce(folder ? `Moved to ${folder}.` : "Moved out of its folder.");
}

/// Prints a conversation, or keeps it as PDF, as the browser offers it.
function print(conversation) {
  openConversation(conversation);
  open(false);
  requestAnimationFrame(() => window.print());
}

async function remove(conversation, name) {
  if (!await confirm(`Delete “${name}”?`)) return;
  await removeConversation(conversation.id);
  byId("new-chat").focus();
}

// MARK: Naming

function rename(conversation) {
  renamed = conversation.id;
  document.activeElement?.blur();
  show();
  const field = inRow(conversation.id, "name-field");
  field?.focus();
  field?.select();
}

function nameField(conversation) {
  const field = el("input", { class: "name-field", "aria-label": "Name of the conversation", maxlength: "200", autocomplete: "off", value: conversation.title });
  let isOver = false;
  const end = (isKept, returnsFocus) => {
    if (isOver) return;
    isOver = true;
    renamed = null;
    const title = field.value.replace(/\s+/g, " ").trim();
    if (isKept && title && title !== conversation.title) {
      conversation.title = title;
      renameConversation(current(conversation), title);
    }
    if (returnsFocus) {
      field.blur();
      show();
      inRow(conversation.id, "conversation")?.focus();
    } else {
      // This row alone: a press on another one, which may be what ended it, goes on.
      field.closest("li")?.replaceWith(row({ conversation, found: { node: null, snippet: null } }));
    }
  };
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === "Enter", true);
  });
  field.addEventListener("blur", () => end(true, false));
  return field;
}
