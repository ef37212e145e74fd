// An empty conversation.

import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { senseMarks } from "/page/senses.js";
import { can, on, session } from "/page/session.js";
import { offered, start } from "/page/starters.js";
import { onSettings, settings } from "/page/store.js";

export function startWelcome() {
  on("conversation", draw);
  on("model", draw);
  onSettings(draw);
  draw();
}

function draw() {
  const isEmpty = Object.keys(session.conversation.nodes).length === 0;
  const node = byId("welcome");
  node.hidden = !isEmpty;
  byId("messages").hidden = isEmpty;
  document.body.classList.toggle("is-empty", isEmpty);
  title();
  if (!isEmpty) return;
  const fresh = node.cloneNode(false);
  fill(fresh, el("img", { src: "/page/icon.svg", alt: "", width: "56", height: "56" }), content());
  // What shows the same stays: a button that takes the place of a pressed one gets no click.
  if (fresh.isEqualNode(node)) return;
  const at = [...node.querySelectorAll("button")].indexOf(document.activeElement);
  node.replaceChildren(...fresh.childNodes);
  // What had the focus keeps it where it is still there.
  if (at >= 0) node.querySelectorAll("button")[at]?.focus();
}

/// The conversation's title, where browsers and screen readers look for it.
export function title() {
  document.title = session.conversation.title ? `${session.conversation.title} – Open Leap` : "Open Leap";
  byId("title").textContent = session.conversation.title || "New conversation";
}

function content() {
  const name = settings.model ?? "The model";
  const model = session.models.find((other) => other.id === settings.model);
  if (!session.isListed) return null;
  if (session.models.length === 0) return [el("h2", {}, "No model yet"), note("Fetch one to begin; it stays on this machine."), choose("Choose a model")];
  if (session.modelError) return [el("h2", {}, "This model cannot be used"), el("p", { class: "note error" }, `${name}: ${session.modelError}`), choose("Choose another model")];
  if (!session.abilities) return [el("h2", {}, "What shall we talk about?"), note(`${name} is being loaded…`)];
  if (!can("completion") && can("decisions")) {
    return [el("h2", {}, "This model does not chat"), note(`${name} answers typed questions, with a probability for every option.`), el("button", { type: "button", class: "button primary", on: { click: () => byId("decide-button").click() } }, "Ask typed questions"), choose("Choose another model")];
  }
  if (!can("completion")) {
    return [el("h2", {}, "This model does not chat"), note(can("reranking") ? `${name} sorts texts by how well they answer a question, for programs that ask /v1/rerank.` : `${name} makes vectors of texts, for programs that ask /v1/embeddings.`), choose("Choose another model")];
  }
  return [
    el("h2", {}, "What shall we talk about?"), model && hasSenses() ? senseMarks(model) : null,
    note(`${name} answers on the machine of this server. Nothing goes elsewhere.`),
    el("ul", { class: "ideas" }, offered().map((starter) => el("li", {}, el("button", {
      type: "button", class: "idea", on: { click: () => start(starter) },
    }, icon(starter.drawing), el("span", {}, el("strong", {}, starter.title), el("span", { class: "note" }, starter.hint ?? starter.text)))))),
  ];
}

/// Whether there is more to say of the model than that it reads and writes.
const hasSenses = () => ["vision", "audio", "speech"].some(can);

const note = (text) => el("p", { class: "note" }, text);

const choose = (text) => el("button", { type: "button", class: "button primary", on: { click: () => byId("model-button").click() } }, text);
