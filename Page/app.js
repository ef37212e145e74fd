// Puts the page together.

import * as api from "/page/api.js";
import { needs, startComposer, write } from "/page/composer.js";
import { byId, el, fill } from "/page/dom.js";
import { startDrop } from "/page/drop.js";
import { drawIcons, icon } from "/page/icons.js";
import { startKeyboard } from "/page/keyboard.js";
import { startMessages } from "/page/messages.js";
import { startModels } from "/page/models-view.js";
import { announce, banner } from "/page/notices.js";
import { chooseModel, loadModels, on, send, session } from "/page/session.js";
import { startSettings, toggle } from "/page/settings-view.js";
import { startSidebar } from "/page/sidebar.js";
import { settings } from "/page/store.js";
import { startVoice } from "/page/voice-view.js";

// MARK: The server

let isGone = false;
let asking = null;

api.hooks.askForKey = (wasGiven) => {
  asking ??= new Promise((resolve) => {
    const dialog = byId("key-dialog");
    const error = byId("key-error");
    error.hidden = !wasGiven;
    error.textContent = wasGiven ? "The server does not know this key." : "";
    byId("key").value = "";
    byId("key-form").onsubmit = (event) => {
      event.preventDefault();
      api.setKey(byId("key").value.trim());
      dialog.close("given");
    };
    dialog.returnValue = "";
    dialog.showModal();
    dialog.addEventListener("close", () => { asking = null; resolve(dialog.returnValue === "given"); }, { once: true });
  });
  return asking;
};

api.hooks.gone = () => {
  if (isGone) return;
  isGone = true;
  banner(`The server at ${location.host} does not answer. Is “leap serve” still running?`, "Try again", look);
  look();
};

api.hooks.back = () => {
  if (!isGone) return;
  isGone = false;
  banner("");
  announce("The server answers again.");
};

async function look() {
  if (await api.isThere()) start();
  else if (isGone) setTimeout(look, 3000);
}

async function start() {
  try {
    await loadModels();
    if (!session.abilities && !session.modelError) await chooseModel(settings.model);
  } catch (error) {
    if (!error.isGone) banner(error.message, "Try again", () => { banner(""); start(); });
  }
}

// MARK: An empty conversation

const ideas = ["Tell me a story about a fox.", "What is the capital of Portugal?", "Tom has 5 books and buys 2 more. How many books does he have?", "Tell me a joke."];

function welcome() {
  const isEmpty = Object.keys(session.conversation.nodes).length === 0;
  const node = byId("welcome");
  node.hidden = !isEmpty;
  byId("messages").hidden = isEmpty;
  document.body.classList.toggle("is-empty", isEmpty);
  document.title = session.conversation.title ? `${session.conversation.title} – Open Leap` : "Open Leap";
  byId("title").textContent = session.conversation.title || "New conversation";
  if (!isEmpty) return;
  const head = [el("img", { src: "/page/icon.svg", alt: "", width: "56", height: "56" })];
  if (session.models.length === 0) {
    fill(node, head, el("h2", {}, "No model yet"), el("p", { class: "note" }, "Fetch one to begin; it stays on this machine."),
      el("button", { type: "button", class: "button primary", on: { click: () => byId("model-button").click() } }, "Choose a model"));
    return;
  }
  fill(node, head, el("h2", {}, "What shall we talk about?"),
    el("p", { class: "note" }, `${settings.model ?? "The model"} answers on the machine of this server. Nothing goes elsewhere.`),
    el("ul", { class: "ideas" }, ideas.map((text) => el("li", {}, el("button", {
      type: "button", class: "idea", on: { click: () => { if (settings.schemaOn) write(text); else send(text); byId("input").focus(); } },
    }, el("span", {}, text), icon("right"))))));
}

drawIcons();
startSettings();
startMessages();
startModels();
startComposer();
startDrop();
startVoice();
startKeyboard();
needs.settings = (section) => toggle(true, section);
on("conversation", welcome);
on("model", welcome);
welcome();
startSidebar();
start();
if (matchMedia("(hover: hover)").matches) byId("input").focus();
