// Everything by keyboard.

import { pick } from "/page/attach.js";
import { openDecisions } from "/page/decisions-view.js";
import { byId, el, fill } from "/page/dom.js";
import { latest, step, toEnd } from "/page/messages.js";
import { openModels } from "/page/models-view.js";
import { regenerate, session, stop } from "/page/session.js";
import { toggle } from "/page/settings-view.js";
import { begin, open, search } from "/page/sidebar.js";
import { openVoice } from "/page/voice-view.js";

/// All of them need Alt or Control, so that no letter of a text is taken for one.
const shortcuts = [
  { keys: "Enter", text: "Send the message; during a reply, it waits for the reply's end" },
  { keys: "Shift+Enter", text: "A new line" },
  { keys: "Escape", text: "Stop the reply; close what is open" },
  { keys: "Alt+N", text: "New conversation", code: "KeyN", run: begin },
  { keys: "Alt+K", text: "Search the conversations", code: "KeyK", run: search },
  { keys: "F2", text: "Rename a conversation, in the list" },
  { keys: "Alt+A", text: "Attach files", code: "KeyA", run: () => pick() },
  { keys: "Alt+M", text: "Choose a model", code: "KeyM", run: openModels },
  { keys: "Alt+S", text: "Settings", code: "KeyS", run: () => toggle() },
  { keys: "Alt+I", text: "Go to the message field", code: "KeyI", run: () => byId("input").focus() },
  { keys: "Alt+V", text: "Speak, if the model can hear", code: "KeyV", run: openVoice },
  { keys: "Alt+D", text: "Ask typed questions", code: "KeyD", run: () => { if (!byId("decide-button").hidden) openDecisions(); } },
  { keys: "Space", text: "While you speak with the model: hold to be heard" },
  { keys: "↑", text: "Edit the latest message, in an empty field" },
  { keys: "Alt+R", text: "Regenerate the latest reply", code: "KeyR", run: () => { const node = latest("assistant"); if (node && !session.running) regenerate(node); } },
  { keys: "Alt+↑", text: "Go to the previous message", code: "ArrowUp", run: () => step(-1) },
  { keys: "Alt+↓", text: "Go to the next message", code: "ArrowDown", run: () => step(1) },
  { keys: "Alt+End", text: "Go to the end of the conversation", code: "End", run: toEnd },
  { keys: "Control+/", text: "This list" },
];

export function startKeyboard() {
  fill(byId("shortcuts"), shortcuts.map(({ keys, text }) => el("div", {}, el("dt", {}, keys.split("+").map((key) => el("kbd", {}, key))), el("dd", {}, text))));
  byId("help-button").addEventListener("click", help);
  byId("close-help").addEventListener("click", () => byId("help").close());
  document.addEventListener("keydown", press);
}

function help() { byId("help").showModal(); }

function press(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const isModal = document.querySelector("dialog:modal") !== null;
  if (event.key === "Escape") {
    if (isModal) return;
    if (document.body.classList.contains("with-sidebar")) open(false);
    else if (session.running) { stop(); byId("input").focus(); }
    else if (byId("settings").open) toggle(false);
    else return;
    event.preventDefault();
  } else if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
    if (!isModal) help();
    event.preventDefault();
  } else if (event.altKey && !event.ctrlKey && !event.metaKey) {
    const shortcut = shortcuts.find((other) => other.code === event.code && other.run);
    if (!shortcut || (isModal && !(byId("settings").open && shortcut.code === "KeyS"))) return;
    event.preventDefault();
    shortcut.run();
  }
}
