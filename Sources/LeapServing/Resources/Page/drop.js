// Files that are dropped on the page or pasted into the field.

import { byId } from "/page/dom.js";
import { kinds, modelName, take, takenKinds } from "/page/files.js";

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

function accepted() {
  const taken = takenKinds().map((type) => kinds[type].plural);
  return taken.length ? `Drop ${taken.join(", ")} or text files` : `${modelName()} reads text: drop text files`;
}
