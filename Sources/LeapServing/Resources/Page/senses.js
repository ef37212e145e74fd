// What models see, hear and say, as the lists of models show it.

import { el } from "/page/dom.js";
import { icon } from "/page/icons.js";
import { session } from "/page/session.js";
import { settings } from "/page/store.js";

const labels = {
  text: ["text", "Text only"], vision: ["eye", "Sees pictures"], audio: ["wave", "Hears sound"], speech: ["speaker", "Speaks"],
  vectors: ["vector", "Makes vectors, does not chat"],
};

/// What a model does besides reading and writing text; undefined where the server does not tell.
function senses(model) {
  const { capabilities } = (model.id === settings.model && session.abilities) || {};
  const { input_modalities: takes, output_modalities: gives } = model.architecture ?? {};
  if (!capabilities && !takes) return undefined;
  const isText = capabilities ? capabilities.includes("completion") : gives?.includes("text") ?? true;
  if (!isText) return ["vectors"];
  const found = capabilities ? ["vision", "audio", "speech"].filter((name) => capabilities.includes(name))
    : [takes.includes("image") && "vision", takes.includes("audio") && "audio", gives?.includes("audio") && "speech"].filter(Boolean);
  return found.length ? found : ["text"];
}

/// That in words.
export const senseWords = (model) => (senses(model) ?? []).map((name) => labels[name][1]).join(" ");

/// That as small marks with words; nothing where it is not known.
export function senseMarks(model) {
  const found = senses(model);
  return found ? el("span", { class: "senses" }, found.map((name) => el("span", { class: "sense", "data-sense": name }, icon(labels[name][0]), labels[name][1]))) : null;
}
