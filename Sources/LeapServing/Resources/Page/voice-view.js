// The panel of a spoken conversation.

import { attachedText } from "/page/attached-text.js";
import { byId, el, fill } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { notice } from "/page/notices.js";
import { addSpoken, can, on, session, stop } from "/page/session.js";
import { change, settings } from "/page/store.js";
import { path } from "/page/tree.js";
import { missingAudio } from "/page/voice-audio.js";
import { VoiceAssistant } from "/page/voice.js";
import { actionText, hintText, problemText, statusText } from "/page/voice-labels.js";
import { Orb, orbColor } from "/page/voice-orb.js";

/// A press that is shorter begins what another one ends; a longer one ends with itself. In milliseconds.
const longest = 350;

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

let assistant = null;
let orb = null;
/// When the button went down, and whether that sends what was said; null while it is up.
let press = null;

export function startVoice() {
  orb = new Orb(byId("voice-orb"));
  on("model", () => { byId("voice-button").hidden = !can("audio"); });
  byId("voice-button").addEventListener("click", openVoice);
  byId("close-voice").addEventListener("click", () => byId("voice").close());
  // The event may come when the panel is open again.
  byId("voice").addEventListener("close", () => { if (!byId("voice").open) end(); });
  byId("voice-stop").addEventListener("click", () => { assistant.cancel(); byId("voice-talk").focus(); });
  byId("voice-hands-free").addEventListener("change", ({ target }) => {
    change({ handsFree: target.checked });
    assistant?.setHandsFree(target.checked);
  });
  startPressing();
  stillness.addEventListener("change", draw);
}

export function openVoice() {
  if (byId("voice").open) return;
  if (!can("audio")) {
    notice(`${settings.model ?? "This model"} takes no sound: choose a model that hears.`);
    return;
  }
  end();
  stop();
  byId("voice-title").textContent = `Speak with ${settings.model}`;
  assistant = new VoiceAssistant({
    model: settings.model, speaks: can("speech"), isHandsFree: settings.handsFree, instructions: settings.system,
    temperature: settings.sampling.temperature,
    messages: () => path(session.conversation).filter((node) => node.role !== "tool")
      .map((node) => ({ role: node.role, content: node.role === "user" ? attachedText(node) : node.content })).filter(({ content }) => content),
    onChange: draw,
    onTurn: (turn) => {
      if (turn.heard || turn.said) addSpoken(turn.heard || "(not understood)", turn.said, !turn.isInterrupted);
    },
  });
  byId("voice").showModal();
  byId("voice-talk").focus();
  const missing = missingAudio();
  if (missing) {
    assistant.problem = { kind: missing };
    draw();
  } else {
    assistant.open();
  }
  let last = performance.now();
  const frame = (now) => {
    if (!assistant) return;
    if (!stillness.matches) orb.move(assistant, Math.min(0.1, (now - last) / 1000));
    meter();
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function end() {
  const ended = assistant;
  assistant = null;
  press = null;
  ended?.close();
}

// MARK: Pressing

function startPressing() {
  const talk = byId("voice-talk");
  talk.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    talk.setPointerCapture(event.pointerId);
    down();
  });
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) talk.addEventListener(kind, up);
  // Enter, and what screen readers press; a pointer's own clicks are counted.
  talk.addEventListener("click", (event) => { if (event.detail === 0) assistant?.toggle(); });
  byId("voice").addEventListener("keydown", (event) => {
    if (event.key !== " " || isControl(event.target)) return;
    event.preventDefault();
    if (!event.repeat) down();
  });
  byId("voice").addEventListener("keyup", (event) => {
    if (event.key !== " " || isControl(event.target)) return;
    event.preventDefault();
    up();
  });
  // Where the release of a key goes elsewhere.
  window.addEventListener("blur", up);
}

/// Whether the space key means something else there.
const isControl = (node) => node.id !== "voice-talk" && node.closest("button, input") !== null;

function down() {
  if (!assistant || press) return;
  const sends = assistant.state === "listening";
  press = { at: performance.now(), sends };
  if (assistant.isHandsFree) assistant.toggle();
  else if (["opening", "taking"].includes(assistant.state)) assistant.cancel();
  else if (!sends) assistant.startListening();
}

function up() {
  if (!assistant || !press) return;
  const { at, sends } = press;
  press = null;
  if (assistant.isHandsFree) return;
  if (sends || performance.now() - at >= longest) assistant.stopListening();
}

// MARK: Showing

function draw() {
  if (!assistant) return;
  const { state, isHandsFree, problem, turn } = assistant;
  const panel = byId("voice");
  panel.dataset.state = state;
  panel.dataset.color = orbColor(assistant);
  say(byId("voice-status"), statusText(assistant));
  say(byId("voice-hint"), hintText(assistant));
  caption(byId("voice-heard"), turn?.heard, turn?.isHeard);
  caption(byId("voice-said"), turn?.said, turn?.isWritten);
  byId("voice-said").toggleAttribute("data-cut", Boolean(turn?.isInterrupted));
  showProblem(problem);
  const talk = byId("voice-talk");
  const label = actionText(assistant);
  if (talk.getAttribute("aria-label") !== label) {
    talk.setAttribute("aria-label", label);
    talk.title = label;
    fill(talk, icon(state === "listening" ? "send" : "microphone"));
  }
  // Not disabled, or it would lose the focus.
  talk.setAttribute("aria-disabled", String(state === "unavailable" || (isHandsFree && state === "idle")));
  talk.setAttribute("aria-pressed", String(state === "listening"));
  byId("voice-stop").disabled = ["unavailable", "idle"].includes(state);
  byId("voice-hands-free").checked = isHandsFree;
  byId("voice-meter").hidden = !stillness.matches;
  if (stillness.matches) orb.rest(assistant);
}

/// Screen readers say a text again that is set again.
function say(node, text) { if (node.textContent !== text) node.textContent = text; }

/// Busy while it grows, so that screen readers wait for all of it.
function caption(node, text = "", isWhole = true) {
  node.hidden = !text;
  node.setAttribute("aria-busy", String(!isWhole));
  if (node.textContent === text) return;
  node.textContent = text;
  byId("voice-captions").scrollTop = byId("voice-captions").scrollHeight;
}

function showProblem(problem) {
  const node = byId("voice-problem");
  node.hidden = problem === null;
  const text = problem ? problemText(problem) : "";
  if ((node.firstElementChild?.textContent ?? "") === text) return;
  if (!problem) return fill(node);
  const again = el("button", { type: "button", class: "button", on: { click: () => { byId("voice-talk").focus(); assistant.retry(); } } }, "Try again");
  fill(node, el("p", {}, text), missingAudio() ? null : again);
}

/// How loud it is, in steps, for those who want nothing to move.
function meter() {
  if (!stillness.matches) return;
  const parts = byId("voice-meter").children;
  const lit = Math.ceil(assistant.level * parts.length - 0.25);
  [...parts].forEach((part, index) => part.classList.toggle("lit", index < lit));
}
