// The button that attaches files: phones drop nothing, and keyboards neither.

import { byId } from "/page/dom.js";
import { kinds, take, takenKinds } from "/page/files.js";
import { on } from "/page/session.js";

/// Files of text, by what browsers and systems call them; a system need not know a type for each name.
const texts = ["text/*", "application/pdf", "application/json", "application/xml", ".md", ".json", ".jsonl", ".csv", ".log", ".yaml", ".yml", ".toml", ".xml"];

/// Called with the files that are chosen next; null for what the button does.
let then = null;

export function startAttach() {
  const field = byId("file-input");
  byId("attach").addEventListener("click", () => pick());
  field.addEventListener("change", async () => {
    const files = [...field.files];
    // So that the same file can be chosen again.
    field.value = "";
    const afterwards = then;
    then = null;
    await take(files);
    if (files.length) afterwards?.();
    byId("input").focus();
  });
  on("model", label);
  label();
}

/// Lets the person choose files.
///
/// - types: the kinds that are offered; text and what the model takes without them.
/// - afterwards: called when some were chosen and taken.
export function pick(types, afterwards = null) {
  const field = byId("file-input");
  then = afterwards;
  field.accept = types ? types.map((type) => `${type}/*`).join(",") : [...takenKinds().map((type) => `${type}/*`), ...texts].join(",");
  field.click();
}

function label() {
  const taken = [...takenKinds().map((type) => kinds[type].plural), "text", "PDF files"];
  byId("attach").title = `Attach ${taken.join(", ").replace(/, (?=[^,]*$)/, " or ")}`;
}
