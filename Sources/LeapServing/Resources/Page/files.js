// Files for a message, however they come: text joins the message; pictures and sound are taken where the model takes them.

import { addFile, write } from "/page/composer.js";
import { byId } from "/page/dom.js";
import { fenced } from "/page/markdown.js";
import { mediaAddress } from "/page/media.js";
import { notice } from "/page/notices.js";
import { can, session } from "/page/session.js";
import { settings } from "/page/store.js";

const maxText = 200_000;

/// What files may be besides text, by the first part of their type.
export const kinds = {
  image: { kind: "picture", ability: "vision", plural: "pictures" }, audio: { kind: "sound", ability: "audio", plural: "sound" },
};

export const modelName = () => settings.model ?? "This model";

/// What besides text the model takes.
export const takenKinds = () => Object.keys(kinds).filter((type) => can(kinds[type].ability));

/// Takes files, in their order. What cannot be taken is told.
export async function take(files) {
  for (const file of files) {
    const kind = kinds[file.type.split("/")[0]];
    if (kind && !can(kind.ability)) {
      notice(session.abilities
        ? `${modelName()} takes no ${kind.plural}, so “${file.name}” was left out. ${others(kind)}`
        : `“${file.name}” was left out: the server has not said yet what ${modelName()} takes.`);
    } else if (kind) {
      await addMedia(file, kind.kind);
    } else if (file.size > maxText) {
      notice(`“${file.name}” is too large for a message: ${maxText / 1000} kB of text are taken.`);
    } else {
      await addText(file);
    }
  }
}

/// What helps where a model takes no files of a kind.
function others({ ability, plural }) {
  const able = session.models.find((model) => model.architecture?.input_modalities?.includes(ability === "vision" ? "image" : "audio"));
  return able ? `Choose a model that takes ${plural}, such as ${able.id}.` : "It reads text: text files can be attached.";
}

async function addMedia(file, kind) {
  try {
    addFile({ kind, name: file.name, data: await mediaAddress(file, kind) });
  } catch (error) {
    notice(`“${file.name}” ${error.message}`);
  }
}

async function addText(file) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new TypeError("not text");
  } catch {
    notice(`“${file.name}” is not a text, and ${modelName()} takes no other files of its kind.`);
    return;
  }
  const before = byId("input").value;
  write(`${before}${before && !before.endsWith("\n") ? "\n" : ""}${file.name}:\n${fenced(text, "")}\n`);
}
