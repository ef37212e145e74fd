// The choice of a model, and fetching another.

import * as api from "/page/api.js";
import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { announce, missing, notice } from "/page/notices.js";
import { searchWords } from "/page/search.js";
import { senseMarks, senseWords } from "/page/senses.js";
import { chooseModel, loadModels, on, session } from "/page/session.js";
import { settings } from "/page/store.js";

/// What is being fetched, by name, as the header says it while the list is closed.
const fetching = new Map();

export function startModels() {
  byId("model-button").addEventListener("click", openModels);
  byId("close-models").addEventListener("click", () => byId("models").close());
  byId("pull-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = byId("pull-name");
    const name = field.value.trim();
    if (!name) { missing(field, byId("pull-error"), "The name of a model is missing, such as LFM2-1.2B:Q4_K_M."); return; }
    field.value = "";
    pull(name);
  });
  byId("model-search").addEventListener("input", () => draw());
  byId("models").addEventListener("close", () => { byId("model-search").value = ""; draw(); });
  on("model", draw);
  on("conversation", context);
  draw();
}

export function openModels() {
  byId("models").showModal();
  (byId("model-list").querySelector('[aria-pressed="true"]') ?? byId("pull-name")).focus();
  loadModels().catch(() => {});
}

function draw() {
  byId("model-name").textContent = settings.model ?? "No model";
  byId("model-button").setAttribute("aria-label", `Model: ${settings.model ?? "none"}`);
  const state = !settings.model ? "" : session.modelError ? session.modelError : session.abilities ? "" : "loading…";
  byId("model-state").textContent = session.abilities && !session.abilities.capabilities.includes("completion")
    ? `${session.abilities.capabilities.includes("decisions") ? "answers typed questions about" : session.abilities.capabilities.includes("reranking") ? "sorts" : "makes vectors of"} texts and does not chat` : state || [...fetching.values()].join(", ");
  const focused = document.activeElement?.dataset?.model;
  fill(byId("model-list"), found().map(row));
  if (focused) [...byId("model-list").querySelectorAll("button")].find((button) => button.dataset.model === focused)?.focus();
  context();
}

/// So many models are seen at once.
const fewModels = 5;

/// The models with all words that are looked for, in what the list says of them.
function found() {
  byId("model-search-box").hidden = session.models.length <= fewModels;
  const words = searchWords(byId("model-search").value);
  const models = session.models.filter((model) => {
    const text = searchWords(`${model.id} ${senseWords(model)} ${model.loaded ? "in memory" : ""}`).join(" ");
    return words.every((word) => text.includes(word));
  });
  byId("model-search-note").hidden = words.length === 0 || models.length > 0;
  byId("model-search-note").textContent = `No model here has “${byId("model-search").value.trim()}”. It may be one to fetch.`;
  return models;
}

function row(model) {
  const isChosen = model.id === settings.model;
  return el("li", {}, el("button", {
    type: "button", class: "choice", "aria-pressed": String(isChosen), "data-model": model.id,
    on: { click: () => { chooseModel(model.id); byId("models").close(); byId("input").focus(); } },
  }, el("span", { class: "choice-main" }, el("span", { class: "choice-name" }, model.id), senseMarks(model)),
  el("span", { class: "note choice-size" }, [bytes(model.size), model.loaded ? "in memory" : null].filter(Boolean).map((text) => el("span", {}, text))),
  isChosen ? icon("check") : null));
}

function bytes(count) {
  if (!count) return "";
  const units = ["B", "kB", "MB", "GB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1; }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/// How much of the context the conversation takes.
function context() {
  const nodes = Object.values(session.conversation.nodes);
  let node = session.conversation.nodes[session.conversation.leaf];
  while (node && !node.stats) node = session.conversation.nodes[node.parent];
  const size = session.abilities?.context ?? 0;
  const used = node ? node.stats.prompt + node.stats.generated : 0;
  byId("context").hidden = !size || !used || nodes.length === 0;
  byId("context-text").textContent = `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens`;
  byId("context-bar").value = size ? Math.min(1, used / size) : 0;
}

// MARK: Fetching

async function pull(name) {
  const abort = new AbortController();
  const bar = el("progress", { max: "1", "aria-label": `${name}: fetched` });
  const text = el("span", { class: "note" }, "asking…");
  const stop = el("button", { type: "button", class: "button", on: { click: () => abort.abort() } }, "Stop");
  const item = el("li", { class: "pull" }, el("div", { class: "row" }, el("strong", {}, name), stop), bar, text);
  byId("pulls").append(item);
  const files = new Map();
  let began;
  try {
    for await (const step of api.pull(name, abort.signal)) {
      if (step.completed !== undefined) files.set(step.status, step);
      const have = [...files.values()].reduce((sum, file) => sum + file.completed, 0);
      const total = [...files.values()].reduce((sum, file) => sum + (file.total ?? 0), 0);
      if (total > 0) bar.value = have / total;
      fetching.set(name, `fetching ${name}${total > 0 ? `: ${Math.floor(have / total * 100)}%` : ""}`);
      draw();
      began ??= have > 0 ? { have, at: performance.now() } : undefined;
      const speed = began ? (have - began.have) / Math.max(0.001, (performance.now() - began.at) / 1000) : 0;
      text.textContent = step.completed === undefined ? step.status
        : [`${bytes(have)} of ${bytes(total) || "?"}`, speed > 0 ? `${bytes(speed)}/s` : null].filter(Boolean).join(" · ");
    }
    item.remove();
    fetching.delete(name);
    announce(`${name} is here.`);
    notice(`${name} is here.`);
    await loadModels();
  } catch (error) {
    bar.remove();
    fetching.delete(name);
    draw();
    const isStopped = abort.signal.aborted;
    text.textContent = isStopped ? "Stopped; the fetched part is kept." : error.message;
    text.classList.toggle("error", !isStopped);
    announce(text.textContent);
    stop.textContent = isStopped ? "Continue" : "Try again";
    const fresh = stop.cloneNode(true);
    fresh.addEventListener("click", () => { item.remove(); pull(name); });
    const dismiss = el("button", { type: "button", class: "icon-button small", "aria-label": `Dismiss ${name}`, on: { click: () => item.remove() } }, icon("close"));
    stop.replaceWith(fresh, dismiss);
  }
}
