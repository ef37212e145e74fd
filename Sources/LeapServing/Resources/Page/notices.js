// What the page tells people: short notices, a banner, and what screen readers say.

import { byId, el, fill } from "/page/dom.js";

let timer;

/// A notice that goes away by itself.
export function notice(text) {
  const node = byId("notice");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { node.hidden = true; }, 6000);
}

/// Says under a field that was left empty what is missing, until something is written.
export function missing(field, line, text) {
  line.textContent = text;
  line.hidden = false;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", line.id);
  field.focus();
  field.addEventListener("input", () => {
    line.hidden = true;
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }, { once: true });
}

/// A line that stays until it is taken back; with a button where there is something to do.
export function banner(text, action, body) {
  const node = byId("banner");
  node.hidden = !text;
  fill(node, text ? el("span", {}, text) : null, action ? el("button", { type: "button", class: "button", on: { click: body } }, action) : null);
}

/// Says something to screen readers, after what they are saying.
export function announce(text) {
  if (!text.trim()) return;
  const node = byId("announcer");
  node.append(el("p", {}, text));
  while (node.childElementCount > 20) node.firstElementChild.remove();
}

/// Asks before something is gone; `text` says what else goes with it.
export function confirm(question, text = "") {
  const dialog = byId("confirm");
  byId("confirm-title").textContent = question;
  byId("confirm-text").textContent = text;
  byId("confirm-text").hidden = !text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}
