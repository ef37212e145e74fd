// Files for a message, however they come. Each is read when it is attached: pictures and sound by the server, as it will for the reply.

import { addFile, showFiles } from "/page/composer.js";
import { readable } from "/page/media.js";
import { announce, notice } from "/page/notices.js";
import { isPDF, pdfText } from "/page/pdf.js";
import { can, session } from "/page/session.js";
import { settings } from "/page/store.js";

/// Bytes of a text, and of a PDF file, at most.
const maxText = 500_000;
const maxPDF = 30_000_000;

/// What files may be besides text, by the first part of their type.
export const kinds = {
  image: { kind: "picture", ability: "vision", plural: "pictures" }, audio: { kind: "sound", ability: "audio", plural: "sound" },
};

export const modelName = () => settings.model ?? "This model";

/// What besides text the model takes.
export const takenKinds = () => Object.keys(kinds).filter((type) => can(kinds[type].ability));

/// Takes files, in their order. What cannot be taken is told; what cannot be read stays with its reason, and keeps the message from being sent.
export async function take(files) {
  const reading = [];
  for (const file of files) {
    const kind = kinds[file.type.split("/")[0]];
    if (kind && !can(kind.ability)) {
      notice(session.abilities
        ? `${modelName()} takes no ${kind.plural}, so “${file.name}” was left out. ${others(kind)}`
        : `“${file.name}” was left out: the server has not said yet what ${modelName()} takes.`);
    } else if (kind) {
      reading.push(attach(file, kind.kind, async () => readable(file, kind.kind)));
    } else if (await isPDF(file)) {
      reading.push(attach(file, "text", async () => textOfPDF(file)));
    } else {
      reading.push(attach(file, "text", async () => textOf(file)));
    }
  }
  await Promise.all(reading);
}

/// What helps where a model takes no files of a kind.
function others({ ability, plural }) {
  const able = session.models.find((model) => model.architecture?.input_modalities?.includes(ability === "vision" ? "image" : "audio"));
  return able ? `Choose a model that takes ${plural}, such as ${able.id}.` : "It reads text: text and PDF files can be attached.";
}

/// Shows a file at once, and what comes of reading it.
async function attach(file, kind, read) {
  const entry = { kind, name: file.name, state: "reading", note: "being read…" };
  addFile(entry);
  try {
    Object.assign(entry, await read(), { state: "ready" });
    announce(`${file.name} is attached.`);
  } catch (error) {
    Object.assign(entry, { state: "broken", note: error.message });
    announce(`${file.name}: ${error.message}`);
  }
  showFiles();
}

async function textOf(file) {
  if (file.size > maxText) throw new Error(`is too large: ${maxText / 1000} kB of text are taken.`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes("\0")) throw new TypeError("not text");
  } catch {
    throw new Error(`is not a text, and ${modelName()} takes no other files of its kind.`);
  }
  if (!text.trim()) throw new Error("is empty.");
  return { text, note: lines(text) };
}

async function textOfPDF(file) {
  if (file.size > maxPDF) throw new Error(`is too large: ${maxPDF / 1e6} MB of PDF are taken.`);
  const { text, pages } = await pdfText(new Uint8Array(await file.arrayBuffer()), maxText);
  if (!text.trim()) throw new Error("has no text in it: its pages are pictures, or their letters have no names.");
  return { text, note: `${pages === 1 ? "1 page" : `${pages} pages`}, ${lines(text)}` };
}

function lines(text) {
  const count = text.trimEnd().split("\n").length;
  return count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
}
