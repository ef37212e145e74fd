// Line drawings on a grid of 24, and their nodes.

const paths = {
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h10",
  down: "M7 10l5 5 5-5",
  left: "M14 7l-5 5 5 5",
  right: "M10 7l5 5-5 5",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M8 8h8v8H8z",
  sliders: "M4 8h9M19 8h1M4 16h1M11 16h9M16 5.500v5M8 13.500v5",
  keyboard: "M3 7h18v10H3zM7 10.500h.01M11 10.500h.01M15 10.500h.01M8 14h8",
  copy: "M9 9h10v10H9zM5 15V5h10",
  check: "M5 12.500l4.500 4.500L19 7.500",
  edit: "M5 19l1-4L16 5l3 3L9 18l-4 1zM14 7l3 3",
  again: "M19 12a7 7 0 1 1-2-5M19 4v4h-4",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.500 11v4.500M13.500 11v4.500",
  tool: "M14.500 6.500a4 4 0 0 0-5 5L4.500 16.500l3 3 5-5a4 4 0 0 0 5-5l-2.500 2.500-2.500-.5-.5-2.500z",
  form: "M5 5h14v14H5zM8 9.500h2M12.500 9.500H16M8 14.500h2M12.500 14.500H16",
  thought: "M9 17a6 6 0 1 1 6 0v1H9zM10 21h4",
  file: "M7 4h7l4 4v12H7zM14 4v4h4",
  microphone: "M9.500 6a2.500 2.500 0 0 1 5 0v5a2.500 2.500 0 0 1-5 0zM6 11a6 6 0 0 0 12 0M12 17v3.500",
  attach: "M19 11.500l-7.200 7.200a4.400 4.400 0 0 1-6.200-6.200l7.600-7.600a2.900 2.900 0 0 1 4.100 4.100l-7.500 7.500a1.450 1.450 0 0 1-2.100-2.100l6.600-6.600",
  picture: "M4 5h16v14H4zM4 16.500l4.500-4.500 4 4 2.500-2.500 5 4.500M15.500 9h.01",
  eye: "M3 12s3.300-6 9-6 9 6 9 6-3.300 6-9 6-9-6-9-6zM12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5",
  wave: "M4 10.500v3M8 7.500v9M12 4.500v15M16 8v8M20 10.500v3",
  speaker: "M4 10v4h3l4 3.500v-11L7 10zM14.500 9.500a3.500 3.500 0 0 1 0 5M17 7a7 7 0 0 1 0 10",
  text: "M5 6h14M5 10.500h14M5 15h9",
  vector: "M5 19V5M5 19h14M5 19l9-9M14 14v-4h-4",
  clock: "M12 4.500a7.500 7.500 0 1 0 0 15a7.500 7.500 0 1 0 0-15zM12 8v4.500l3 2",
  end: "M12 4v12M6.500 10.500L12 16l5.500-5.500M6 20h12",
  upload: "M12 15V4M7.500 8.500L12 4l4.500 4.500M5 19.500h14",
  folder: "M4 6h6l2 2.500h8V18.500H4z",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  search: "M11 5a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM15.500 15.500L20 20",
  more: "M5.800 11.800h.4v.4h-.4zM11.800 11.800h.4v.4h-.4zM17.800 11.800h.4v.4h-.4z",
  download: "M12 4v11M7.500 10.500L12 15l4.500-4.500M5 19.500h14",
  bars: "M5 6h13M5 11h7M5 16h10",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17.300h.01",
};

/// A drawing, hidden from screen readers: the button around it has a label.
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/// Draws what the document's own elements ask for.
export function drawIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.prepend(icon(node.dataset.icon));
}
