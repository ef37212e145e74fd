// Shows JSON that is still being written as a form, by its schema.

import { el, uniqueId } from "/page/dom.js";

const maxDepth = 12;

/// A form that fills: `update` takes the value as far as it is known.
export class SchemaForm {
  constructor(schema) {
    this.schema = schema;
    this.node = el("div", { class: "filled", role: "group", "aria-label": "Reply as a form" });
    this.root = {};
    this.note = el("p", { class: "note filled-note", hidden: true });
    this.node.append(this.note);
  }

  /// Shows a value; `open` is the path of what is being written, or null.
  update(value, open) {
    this.open = open === null ? undefined : open.join("\u0000");
    if (value !== undefined) this.show(this.root, this.node, this.schema, value, [], "", 0);
  }

  /// Says which fields there is no value of: what is waited for, or what is missing at the end.
  judge(value, isRunning) {
    const labels = missingLabels(this.schema, this.schema, value, "", 0);
    const isEmpty = value === undefined || (value !== null && typeof value === "object" && Object.keys(value).length === 0);
    if (isRunning) this.say(isEmpty && labels.length ? `Waiting for ${list(labels)}.` : "");
    else if (labels.length) this.say(isEmpty ? `The form is empty: ${list(labels)} ${labels.length === 1 ? "is" : "are"} missing.` : `Missing: ${list(labels)}.`);
    else this.say(isEmpty ? value === undefined ? "The form is empty: no value came." : "The form is empty: the schema requires no field." : "");
  }

  /// Says that what came fills no form.
  refuse() { this.say("This is not JSON, so it fills no form."); }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  /// Shows a value in a place, whose node is kept as long as the value is of one kind.
  show(place, parent, schema, value, path, label, depth) {
    const plain = resolve(schema, this.schema, value);
    const kind = kindOf(value, depth);
    if (place.kind !== kind) {
      place.node?.remove();
      Object.assign(place, { kind, parts: new Map(), ...makeControl(kind, plain, label) });
      parent.append(place.node);
    }
    place.node.toggleAttribute("data-open", this.open !== undefined && this.open === path.join("\u0000"));
    if (kind === "object") {
      const known = plain.properties ?? {};
      // The fields of the schema first, so that the form has its order.
      const keys = [...Object.keys(known).filter((key) => key in value), ...Object.keys(value).filter((key) => !Object.hasOwn(known, key))];
      for (const key of keys) this.part(place, key, Object.hasOwn(known, key) ? known[key] : plain.additionalProperties, value[key], path, title(known[key], key), depth);
    } else if (kind === "array") {
      value.forEach((item, index) => {
        const inner = plain.prefixItems?.[index] ?? plain.items;
        this.part(place, index, inner, item, path, `${index + 1}`, depth);
      });
    } else {
      write(place, kind, value);
    }
  }

  part(place, key, schema, value, path, label, depth) {
    if (!place.parts.has(key)) place.parts.set(key, {});
    this.show(place.parts.get(key), place.body, schema, value, [...path, key], label, depth + 1);
  }
}

/// A schema from what a person wrote; null where nothing is written. Throws what is wrong with it.
export function readSchema(text) {
  if (!text.trim()) return null;
  let schema;
  try { schema = JSON.parse(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}`); }
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new Error("A schema is a JSON object, such as {\"type\": \"object\", …}.");
  return schema;
}

/// The fields that a schema promises, before there are values.
export function describe(schema) {
  return Object.keys(resolve(schema, schema).properties ?? {});
}

/// The names of fields that a schema requires and a value has not, at most a few.
function missingLabels(schema, root, value, prefix, depth) {
  if (depth > maxDepth) return [];
  const plain = resolve(schema, root, value);
  const result = [];
  if (value === undefined || (value !== null && typeof value === "object" && !Array.isArray(value))) {
    const known = plain.properties ?? {};
    const required = Array.isArray(plain.required) ? plain.required.filter((key) => typeof key === "string") : [];
    for (const key of new Set([...required, ...Object.keys(value ?? {})])) {
      const inner = Object.hasOwn(known, key) ? known[key] : undefined;
      const label = `${prefix}${title(inner, key)}`;
      if (value === undefined || !Object.hasOwn(value, key)) result.push(label);
      else result.push(...missingLabels(inner, root, value[key], `${label}, `, depth + 1));
    }
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => result.push(...missingLabels(plain.prefixItems?.[index] ?? plain.items, root, item, `${prefix}${index + 1}, `, depth + 1)));
  }
  return result;
}

/// Names as a sentence has them, the first few.
function list(names) {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function kindOf(value, depth) {
  if (depth > maxDepth) return "text";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return { boolean: "boolean", number: "number", object: "object" }[typeof value] ?? "text";
}

/// The schema itself, behind references and alternatives as far as the value tells.
function resolve(schema, root, value) {
  let found = schema;
  for (let step = 0; step < 16; step += 1) {
    if (typeof found !== "object" || found === null) return {};
    if (typeof found.$ref === "string" && found.$ref.startsWith("#")) {
      found = found.$ref.slice(1).split("/").slice(1)
        .reduce((place, key) => (place !== null && typeof place === "object" ? place[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), root);
    } else if (Array.isArray(found.anyOf ?? found.oneOf)) {
      const options = (found.anyOf ?? found.oneOf).map((option) => resolve(option, root));
      const keys = value !== null && typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [];
      return options.find((option) => option.properties && keys.every((key) => Object.hasOwn(option.properties, key)))
        ?? options.find((option) => option.type !== "null") ?? {};
    } else {
      return found;
    }
  }
  return {};
}

/// A name for people: `cookingTimeMinutes` is “Cooking time minutes”.
function title(schema, key) {
  if (typeof schema?.title === "string") return schema.title;
  const words = key.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ").trim().toLowerCase();
  return words ? words[0].toUpperCase() + words.slice(1) : key;
}

function makeControl(kind, schema, label) {
  const id = uniqueId("field");
  const hint = typeof schema.description === "string" ? el("small", { id: `${id}-hint`, class: "note" }, schema.description) : null;
  const described = hint ? `${id}-hint` : undefined;
  if (kind === "object" || kind === "array") {
    const body = el("div", { class: `filled-${kind}` });
    if (!label) return { node: body, body };
    return { node: el("fieldset", {}, el("legend", {}, label), hint, body), body };
  }
  if (kind === "boolean") {
    // Not disabled, so that it can be reached and read; it cannot be changed.
    const control = el("input", { id, type: "checkbox", "aria-readonly": "true", "aria-describedby": described, on: { click: (event) => event.preventDefault() } });
    return { node: el("div", { class: "field check" }, control, el("label", { for: id }, label || "Value"), hint), control };
  }
  const control = kind === "text"
    ? el("textarea", { id, rows: "1", readOnly: true, "aria-describedby": described })
    : el("input", { id, readOnly: true, "aria-describedby": described });
  return { node: el("div", { class: `field ${kind}` }, el("label", { for: id }, label || "Value"), control, hint), control };
}

function write(place, kind, value) {
  if (kind === "boolean") { place.control.checked = value; return; }
  const text = kind === "null" ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value);
  if (place.control.value !== text) place.control.value = text;
}
