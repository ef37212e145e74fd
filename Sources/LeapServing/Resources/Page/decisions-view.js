// The pane of typed questions: a state, questions, and the probability of every option as a bar.

import * as api from "/page/api.js";
import { readQuestions, readState, shares, types } from "/page/decisions.js";
import { byId, el, fill, uniqueId } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { announce } from "/page/notices.js";
import { can, on } from "/page/session.js";
import { settings } from "/page/store.js";

/// The questions on the screen: functions that give what is written in them.
const questions = new Map();
let running = null;

export function startDecisions() {
  byId("decide-button").addEventListener("click", openDecisions);
  byId("close-decisions").addEventListener("click", () => byId("decisions").close());
  byId("add-question").addEventListener("click", () => addQuestion().focus());
  byId("decisions-form").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  byId("decisions").addEventListener("close", () => running?.abort());
  addQuestion("choice", "Which team should read it?", "billing: invoices and payments\nsales\nsupport");
  on("model", draw);
  draw();
}

function draw() { byId("decide-button").hidden = !(can("completion") || can("decisions")); }

export function openDecisions() {
  byId("decisions").showModal();
  byId("decisions-state").focus();
}

/// Adds a question, and gives its field.
function addQuestion(type = "noul", text = "", options = "") {
  const [typeId, textId, optionsId] = [uniqueId("type"), uniqueId("question"), uniqueId("options")];
  const select = el("select", { id: typeId, on: { change: hint } }, types.map(({ id, label }) => el("option", { value: id, selected: id === type }, label)));
  const field = el("input", { id: textId, autocomplete: "off", value: text });
  const list = el("textarea", { id: optionsId, rows: "3", spellcheck: "false", value: options });
  const label = el("label", { for: optionsId, class: "note" });
  const item = el("li", { class: "question" },
    el("div", { class: "row" },
      el("label", { for: typeId, class: "hidden" }, "Type of the question"), select,
      el("button", { type: "button", class: "icon-button small", "aria-label": "Remove the question", on: { click: remove } }, icon("trash"))),
    el("label", { for: textId }, "Question"), field, label, list);
  function hint() { label.textContent = types.find(({ id }) => id === select.value).hint; }
  function remove() {
    questions.delete(item);
    item.remove();
    byId("add-question").focus();
  }
  hint();
  questions.set(item, () => ({ type: select.value, text: field.value, options: list.value }));
  byId("questions").append(item);
  return field;
}

async function ask() {
  const problem = byId("decisions-problem");
  problem.hidden = true;
  running?.abort();
  const abort = new AbortController();
  running = abort;
  byId("decide").disabled = true;
  try {
    const asked = readQuestions([...questions.values()].map((read) => read()));
    const found = await api.decide({ model: settings.model, state: readState(byId("decisions-state").value), questions: asked }, abort.signal);
    if (running === abort) show(found);
  } catch (error) {
    if (abort.signal.aborted) return;
    problem.textContent = error.message;
    problem.hidden = false;
  } finally {
    if (running === abort) {
      running = null;
      byId("decide").disabled = false;
    }
  }
}

function show({ answers, reading, usage }) {
  const found = Object.entries(answers).map(([name, answer]) => ({ name, ...shares(answer) }));
  fill(byId("decisions-answers"), found.map(({ name, result, options }) => el("section", { class: "decision" },
    el("h3", {}, name), el("p", { class: "decision-result" }, result),
    el("ul", {}, options.map(([option, share]) => el("li", {},
      el("span", { class: "decision-option" }, option),
      el("progress", { max: "1", value: share, "aria-label": `${option}: probability` }),
      el("span", { class: "decision-share" }, share.toFixed(3))))))),
  el("p", { class: "note" }, reading === "readout" ? "Read from a chat model: the probabilities are not calibrated." : "The model was trained for decisions."),
  el("p", { class: "note" }, `${usage.input_tokens.toLocaleString("en")} tokens, of which ${usage.cached_tokens.toLocaleString("en")} were computed once for several prompts`));
  announce(found.map(({ name, result }) => `${name}: ${result}`).join(". "));
}
