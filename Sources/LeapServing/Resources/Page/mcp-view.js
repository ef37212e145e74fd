// The MCP servers in the settings: a box for each tool.

import { el, fill, uniqueId } from "/page/dom.js";
import { keyOf, mcp, onServers } from "/page/mcp.js";
import { printable } from "/page/printable.js";
import { change, onSettings, settings } from "/page/store.js";
import { ownNames } from "/page/tools.js";

/// The words for a server that does not run.
const states = { ended: "has ended", left_out: "left out" };

/// Characters of a description that are shown.
const maxDescription = 300;

/// The boxes of all servers, which follow what the server tells.
export function serverBoxes() {
  const node = el("div", { class: "servers" });
  let drawn = null;
  let rows = [];
  const redraw = () => {
    const state = JSON.stringify(mcp);
    if (state !== drawn) {
      drawn = state;
      rows = mcp.tools.map(row);
      fill(node, mcp.problem ? el("p", { class: "error note", role: "status" }, `The tools of MCP servers are not known: ${printable(mcp.problem)}`) : null,
        mcp.servers.map((server) => group(server, rows.filter(({ tool }) => tool.server === server.name))));
    }
    const taken = ownNames();
    for (const { tool, box, hint } of rows) {
      box.checked = settings.serverTools.includes(keyOf(tool));
      hint.hidden = !(box.checked && taken.has(tool.name));
    }
  };
  onServers(redraw);
  onSettings(redraw);
  redraw();
  return node;
}

function group(server, rows) {
  const id = uniqueId("server");
  const state = states[server.state];
  return el("div", { class: "server", role: "group", "aria-labelledby": id }, el("h4", { id }, `MCP server ${server.name}${state ? `: ${state}` : ""}`),
    server.error ? el("p", { class: "error note", role: "status" }, printable(server.error)) : null,
    rows.map(({ node }) => node));
}

function row(tool) {
  const id = uniqueId("server-tool");
  const key = keyOf(tool);
  const box = el("input", {
    id, type: "checkbox", "aria-describedby": `${id}-note`,
    on: {
      change: () => {
        const others = settings.serverTools.filter((other) => other !== key);
        change(box.checked ? { serverTools: [...others, key], toolsOn: true } : { serverTools: others });
      },
    },
  });
  const text = printable(tool.description);
  const hint = el("p", { class: "error note", hidden: true }, "A function above has this name, and is the one that is called.");
  return {
    tool, box, hint,
    node: el("div", {}, el("div", { class: "setting check" }, box, el("label", { for: id }, el("code", {}, tool.name))),
      el("p", { id: `${id}-note`, class: "note" }, text.length > maxDescription ? `${text.slice(0, maxDescription)}…` : text), hint),
  };
}
