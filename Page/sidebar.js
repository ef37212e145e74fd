// The list of conversations.

import { byId, el, fill } from "/page/dom.js";
import * as history from "/page/history.js";
import { icon } from "/page/icons.js";
import { confirm } from "/page/notices.js";
import { newConversation, on, openConversation, removeConversation, session } from "/page/session.js";

let turn = 0;

export async function startSidebar() {
  byId("new-chat").addEventListener("click", begin);
  byId("open-sidebar").addEventListener("click", () => open(true));
  byId("close-sidebar").addEventListener("click", () => open(false));
  byId("scrim").addEventListener("click", () => open(false));
  matchMedia("(max-width: 800px)").addEventListener("change", (event) => { if (!event.matches) open(false); });
  on("history", draw);
  history.onChange(draw);
  if (!await history.isKept()) byId("sidebar-note").textContent = "This browser keeps nothing: conversations end with the page.";
  const conversations = await draw();
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

async function draw() {
  const own = ++turn;
  const conversations = await history.all();
  if (own !== turn) return conversations;
  const focused = document.activeElement?.closest?.("#conversations li")?.dataset.id;
  fill(byId("conversations"), conversations.map(row));
  if (focused) byId("conversations").querySelector(`[data-id="${CSS.escape(focused)}"] button`)?.focus();
  return conversations;
}

function row(conversation) {
  const isCurrent = conversation.id === session.conversation.id;
  const name = conversation.title || "Conversation";
  return el("li", { "data-id": conversation.id, class: isCurrent ? "current" : "" },
    el("button", {
      type: "button", class: "conversation", "aria-current": isCurrent ? "true" : undefined, title: name,
      on: { click: () => { openConversation(conversation); open(false); } },
    }, name),
    el("button", {
      type: "button", class: "icon-button small", "aria-label": `Delete “${name}”`,
      on: { click: async () => { if (await confirm(`Delete “${name}”?`)) { await removeConversation(conversation.id); byId("new-chat").focus(); } } },
    }, icon("trash")));
}
