// Files that are dropped or pasted: text joins the message; pictures and sound are taken where the model takes them.

import { addFile, write } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { notice } from "/page/notices.js";
import { can, session } from "/page/session.js";
import { settings } from "/page/store.js";

const maxText = 200_000;
const maxFile = 20_000_000;
const kinds = { image: { kind: "picture", ability: "vision", plural: "pictures" }, audio: { kind: "sound", ability: "audio", plural: "sound" } };

export function startDrop() {
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const show = (isOver) => {
    byId("drop").hidden = !isOver;
    byId("drop-text").textContent = accepted();
  };
  document.addEventListener("dragenter", (event) => { if (hasFiles(event)) { event.preventDefault(); depth += 1; show(true); } });
  document.addEventListener("dragleave", (event) => { if (hasFiles(event)) { depth = Math.max(0, depth - 1); if (depth === 0) show(false); } });
  document.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    take([...event.dataTransfer.files]);
  });
  byId("input").addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}

const model = () => settings.model ?? "This model";

function accepted() {
  const taken = Object.values(kinds).filter((kind) => can(kind.ability)).map((kind) => kind.plural);
  return taken.length ? `Drop ${taken.join(", ")} or text files` : `${model()} reads text: drop text files`;
}

export async function take(files) {
  for (const file of files) {
    const kind = kinds[file.type.split("/")[0]];
    if (kind && !can(kind.ability)) {
      notice(session.abilities
        ? `${model()} takes no ${kind.plural}, so “${file.name}” was left out. It reads text: text files can be dropped here.`
        : `“${file.name}” was left out: the server has not said yet what ${model()} takes.`);
    } else if (kind) {
      if (file.size > maxFile) notice(`“${file.name}” is too large: ${maxFile / 1e6} MB are taken.`);
      else addFile({ kind: kind.kind, name: file.name, data: await dataAddress(file) });
    } else if (file.size > maxText) {
      notice(`“${file.name}” is too large for a message: ${maxText / 1000} kB of text are taken.`);
    } else {
      await addText(file);
    }
  }
}

async function addText(file) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new TypeError("not text");
  } catch {
    notice(`“${file.name}” is not a text, and ${model()} takes no other files of its kind.`);
    return;
  }
  const mark = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((found) => found[0].length + 1)));
  const before = byId("input").value;
  write(`${before}${before && !before.endsWith("\n") ? "\n" : ""}${file.name}:\n${mark}\n${text.trimEnd()}\n${mark}\n`);
}

function dataAddress(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
