// Puts the page together.

import * as api from "/page/api.js";
import { startAttach } from "/page/attach.js";
import { needs, startComposer } from "/page/composer.js";
import { startDecisions } from "/page/decisions-view.js";
import { byId } from "/page/dom.js";
import { startDrop } from "/page/drop.js";
import { drawIcons } from "/page/icons.js";
import { startKeyboard } from "/page/keyboard.js";
import { loadServers } from "/page/mcp.js";
import { startMessages } from "/page/messages.js";
import { startModels } from "/page/models-view.js";
import { announce, banner, notice } from "/page/notices.js";
import { chooseModel, loadModels, session } from "/page/session.js";
import { startSettings, toggle } from "/page/settings-view.js";
import { startSidebar } from "/page/sidebar.js";
import { settings } from "/page/store.js";
import { startVoice } from "/page/voice-view.js";
import { startWelcome } from "/page/welcome.js";

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
  loadServers();
  try {
    await loadModels();
    if (!session.abilities && !session.modelError) await chooseModel(settings.model);
  } catch (error) {
    if (!error.isGone) banner(error.message, "Try again", () => { banner(""); start(); });
  }
}

// MARK: The parts

drawIcons();
startSettings();
startMessages();
startModels();
startComposer();
startAttach();
startDrop();
startVoice();
startDecisions();
startKeyboard();
startWelcome();
needs.settings = (section) => toggle(true, section);
// First the conversation, whose model is asked for.
startSidebar().catch((error) => notice(`The conversations cannot be read: ${error.message}`)).then(start);
if (matchMedia("(hover: hover)").matches) byId("input").focus();
