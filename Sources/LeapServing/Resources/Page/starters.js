// What an empty conversation offers: what the chosen model can do, the particular first.

import { pick } from "/page/attach.js";
import { write } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { schemaText } from "/page/examples.js";
import { can, send } from "/page/session.js";
import { change, settings } from "/page/store.js";
import { openVoice } from "/page/voice-view.js";

const most = 4;

/// `needs` is an ability of the model, `fits` what else has to be so. One without `run` sends its text, with `set` set before.
const starters = [
  {
    needs: "vision", drawing: "picture", title: "Ask about a picture", text: "What is in the picture?", hint: "Choose one, then ask what is in it.",
    run: ({ text }) => pick(["image"], () => write(text)),
  },
  {
    needs: "audio", drawing: "wave", title: "Send a recording", hint: "Choose a sound file, and send it.",
    run: () => pick(["audio"]),
  },
  { needs: "audio", drawing: "microphone", title: "Speak", hint: "Say something, and listen to the answer.", fits: () => can("speech"), run: openVoice },
  {
    needs: "tools", drawing: "clock", title: "Let it use a tool", text: "What time is it in Lisbon?",
    set: () => ({ toolsOn: true, schemaOn: false, builtins: [...new Set([...settings.builtins, "clock"])] }),
  },
  {
    needs: "thinking", drawing: "thought", title: "Let it think", text: "Tom has 5 books and buys 2 more. How many books does he have?",
    set: () => ({ thinking: true, schemaOn: false }),
  },
  {
    needs: "completion", drawing: "form", title: "Fill a form", text: "Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.",
    // A schema of the person's own stays.
    fits: () => !settings.schema.trim() || settings.schema === schemaText("Person"),
    set: () => ({ schemaOn: true, toolsOn: false, schema: schemaText("Person") }),
  },
  { needs: "completion", drawing: "text", title: "Tell a story", text: "Tell me a story about a fox.", set: () => ({ schemaOn: false }) },
  { needs: "completion", drawing: "text", title: "Ask a question", text: "What is the capital of Portugal?", set: () => ({ schemaOn: false }) },
  { needs: "completion", drawing: "text", title: "Hear a joke", text: "Tell me a joke.", set: () => ({ schemaOn: false }) },
];

/// Those for the chosen model.
export const offered = () => starters.filter((starter) => can(starter.needs) && (starter.fits?.() ?? true)).slice(0, most);

/// Begins with one.
export function start(starter) {
  if (starter.run) { starter.run(starter); return; }
  change(starter.set());
  send(starter.text);
  byId("input").focus();
}
