// The words of a person's message, with the texts that are attached to it.

import { fenced } from "/page/markdown.js";

/// What the model is told where a message had nothing but a file that was taken out.
const nothing = (names) => `[${names.join(", ")}: taken out of the conversation]`;

export function attachedText(node) {
  const texts = (node.files ?? []).filter((file) => file.kind === "text").map((file) => `${file.name}:\n${fenced(file.text, "")}`);
  const words = [...texts, node.content].filter(Boolean).join("\n\n");
  return words || node.files?.length || !node.takenOut ? words : nothing(node.takenOut);
}
