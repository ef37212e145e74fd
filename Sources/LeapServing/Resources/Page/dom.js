// Makes nodes. Text only ever becomes a text node: nothing in this page parses HTML.

const asProperty = new Set(["value", "checked", "disabled", "hidden", "open", "readOnly", "selected", "indeterminate"]);
const allowed = /^(?:aria-[a-z]+|data-[a-z-]+|class|id|for|type|name|role|href|rel|target|title|src|alt|width|height|rows|cols|min|max|step|placeholder|tabindex|lang|dir|start|scope|download|autocomplete|spellcheck|inputmode|list|align|accept|colspan|maxlength)$/;

/// An element with properties, attributes, listeners (`on: {click}`) and children, which are nodes, text or nothing.
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (asProperty.has(name)) {
      node[name] = value;
    } else if (allowed.test(name)) {
      if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
    } else {
      throw new TypeError(`el: ${name} is no attribute of this page`);
    }
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(node, child);
    else if (child !== undefined && child !== null && child !== false) node.append(child);
  }
}

/// The element with an id, which the page has.
export const byId = (id) => document.getElementById(id);

/// Gives the person a file that was made in the page.
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  // Some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/// Puts children in the place of those there are.
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
}

/// An id that no other element has.
let count = 0;
export const uniqueId = (prefix) => `${prefix}-${++count}`;

/// Calls a function once per frame, however often it is asked to.
export function framed(body) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    // A page in the background has no frames, and still takes what arrives.
    const run = () => {
      if (!waits) return;
      waits = false;
      body();
    };
    if (document.hidden) setTimeout(run, 100);
    else requestAnimationFrame(run);
  };
}
