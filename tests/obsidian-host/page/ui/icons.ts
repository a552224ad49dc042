/** Simple drawings; any other icon is a rounded square, so that it takes the same space. */
const drawings: Readonly<Record<string, string>> = {
  check: '<path d="M20 6 9 17l-5-5"/>',
  x: '<path d="M18 6 6 18M6 6l12 12"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  minus: '<path d="M5 12h14"/>',
  trash: '<path d="M3 6h18M8 6V4h8v2M6 6l1 14h10l1-14"/>',
  "trash-2": '<path d="M3 6h18M8 6V4h8v2M6 6l1 14h10l1-14M10 11v5M14 11v5"/>',
  send: '<path d="m22 2-7 20-4-9-9-4z M22 2 11 13"/>',
  bot: '<rect x="4" y="8" width="16" height="12" rx="2"/><path d="M12 8V4M8 14h.01M16 14h.01"/>',
  file: '<path d="M6 2h8l5 5v15H6zM14 2v5h5"/>',
  "file-text": '<path d="M6 2h8l5 5v15H6zM14 2v5h5M9 13h7M9 17h7"/>',
  "file-diff": '<path d="M6 2h8l5 5v15H6zM12 9v6M9 12h6M9 18h6"/>',
  "git-compare":
    '<circle cx="5" cy="6" r="3"/><circle cx="19" cy="18" r="3"/><path d="M12 6h5a2 2 0 0 1 2 2v7M12 18H7a2 2 0 0 1-2-2V9"/>',
  eye: '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>',
  "eye-off": '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM3 3l18 18"/>',
  pause: '<path d="M8 5v14M16 5v14"/>',
  play: '<path d="m6 4 14 8-14 8z"/>',
  link: '<path d="M10 14a5 5 0 0 0 7 0l3-3a5 5 0 0 0-7-7l-1 1M14 10a5 5 0 0 0-7 0l-3 3a5 5 0 0 0 7 7l1-1"/>',
  plug: '<path d="M9 2v6M15 2v6M6 8h12v4a6 6 0 0 1-12 0zM12 18v4"/>',
  settings:
    '<circle cx="12" cy="12" r="3"/><path d="M12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M19 5l-3 3M8 16l-3 3"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="m21 21-5-5"/>',
  copy: '<rect x="9" y="9" width="12" height="12" rx="2"/><path d="M5 15V5a2 2 0 0 1 2-2h10"/>',
  history: '<path d="M3 12a9 9 0 1 0 3-7L3 8M3 3v5h5M12 7v5l4 2"/>',
  "arrow-up": '<path d="M12 19V5M5 12l7-7 7 7"/>',
  "arrow-down": '<path d="M12 5v14M5 12l7 7 7-7"/>',
  "chevron-right": '<path d="m9 6 6 6-6 6"/>',
  "chevron-down": '<path d="m6 9 6 6 6-6"/>',
  "chevron-left": '<path d="m15 6-6 6 6 6"/>',
  columns: '<rect x="3" y="3" width="18" height="18" rx="2"/><path d="M12 3v18"/>',
  "rotate-ccw": '<path d="M3 12a9 9 0 1 0 3-7L3 8M3 3v5h5"/>',
  "alert-triangle": '<path d="m12 3 10 18H2zM12 10v4M12 17h.01"/>',
  "circle-alert": '<circle cx="12" cy="12" r="9"/><path d="M12 8v4M12 16h.01"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8h.01"/>',
  "book-open": '<path d="M12 6c-2-2-6-2-9-1v14c3-1 7-1 9 1 2-2 6-2 9-1V5c-3-1-7-1-9 1zM12 6v14"/>',
  folder: '<path d="M3 6h6l2 3h10v11H3z"/>',
  "columns-2": '<rect x="3" y="3" width="18" height="18" rx="2"/><path d="M12 3v18"/>',
  "fold-vertical":
    '<path d="M12 22v-6M12 8V2M4 12H2M10 12H8M16 12h-2M22 12h-2M15 19l-3-3-3 3M15 5l-3 3-3-3"/>',
  "undo-2": '<path d="M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11"/>',
  undo: '<path d="M3 7v6h6M21 17a9 9 0 0 0-9-9 9 9 0 0 0-6 2.3L3 13"/>',
  "triangle-alert": '<path d="m12 3 10 18H2zM12 10v4M12 17h.01"/>',
  "circle-x": '<circle cx="12" cy="12" r="9"/><path d="m15 9-6 6M9 9l6 6"/>',
  unplug:
    '<path d="m19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4zM7.5 13.5 10 11M10.5 16.5 13 14M12 6l6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0z"/>',
  terminal: '<path d="m4 17 6-6-6-6M12 19h8"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  "clock-alert": '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2M20 20h.01"/>',
  "check-check": '<path d="M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16"/>',
  reply: '<path d="m9 15-6-6 6-6M3 9h11a6 6 0 0 1 6 6v5"/>',
  "message-square": '<path d="M4 4h16v13H9l-5 4z"/>',
  pencil: '<path d="m4 16 12-12 4 4L8 20H4zM14 6l4 4"/>',
};

const plain = (iconId: string) => iconId.replace(/^lucide-/, "");

export function getIcon(iconId: string): SVGSVGElement | null {
  const svg = createSvg("svg", {
    cls: ["svg-icon", `lucide-${plain(iconId)}`],
    attr: {
      viewBox: "0 0 24 24",
      width: 16,
      height: 16,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    },
  });
  svg.innerHTML = drawings[plain(iconId)] ?? '<rect x="5" y="5" width="14" height="14" rx="3"/>';
  return svg;
}

export function setIcon(parent: HTMLElement, iconId: string): void {
  const icon = getIcon(iconId);
  parent.querySelector(":scope > svg")?.remove();
  if (icon !== null) parent.prepend(parent.doc.importNode(icon, true));
}
