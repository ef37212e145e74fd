// What can be done with a conversation of the list.

import { byId, el, fill } from "/page/dom.js";
import { exportConversation } from "/page/export.js";
import { icon } from "/page/icons.js";

/// The button that the menu belongs to, and the conversation that it is of: the list may be drawn anew meanwhile.
let opener = null;
let owner = "";

const home = () => opener?.isConnected ? opener : document.querySelector(`#conversations [data-id="${CSS.escape(owner)}"] .more`);

export function startMenu() {
  const menu = byId("conversation-menu");
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) items.at(next % items.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    // Escape closes the menu alone.
    event.stopPropagation();
  });
  menu.addEventListener("toggle", ({ newState }) => {
    opener?.setAttribute("aria-expanded", String(newState === "open"));
    if (newState === "open") return;
    menu.removeAttribute("style");
    if (document.activeElement === document.body) home()?.focus();
  });
}

/// Opens the menu under a button; `rename`, `move`, `print` and `remove` are called for what the page's list does itself.
export function openMenu(button, conversation, { rename, move, print, remove }) {
  const menu = byId("conversation-menu");
  const item = (drawing, label, body, kind = "") => el("button", {
    type: "button", role: "menuitem", class: kind, tabindex: "-1", on: { click: () => { close(); body(); } },
  }, icon(drawing), label);
  fill(menu,
    item("edit", "Rename", rename),
    item("folder", "Move to a folder", move),
    item("download", "Export as Markdown", () => exportConversation(conversation, "markdown")),
    item("download", "Export as JSON", () => exportConversation(conversation, "json")),
    item("print", "Print", print),
    item("trash", "Delete", remove, "danger"));
  opener = button;
  owner = conversation.id;
  menu.showPopover();
  const box = button.getBoundingClientRect();
  // Under the button, or over it where there is no room.
  const isLow = box.bottom + menu.offsetHeight + 8 > innerHeight;
  menu.style.top = `${Math.max(8, isLow ? box.top - menu.offsetHeight - 4 : box.bottom + 4)}px`;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.querySelector("button").focus();
}

function close() {
  byId("conversation-menu").hidePopover();
  home()?.focus();
}
