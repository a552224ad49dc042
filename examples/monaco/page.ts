import * as monaco from "monaco-editor";
import { addReview, follow, part, root, save, start, texts } from "../codemirror/notes.ts";
import { MonacoHost } from "./monaco-host.ts";

// Monaco compares texts in a worker.
globalThis.MonacoEnvironment = { getWorker: () => new Worker("/worker.js", { type: "module" }) };

const host = new MonacoHost(monaco, {
  name: "Notes",
  version: "1.0.0",
  folders: [root],
  read: async (path) => texts.get(path),
  open: (path) => show(path),
  save,
  showReview(review) {
    const place = document.createElement("div");
    place.className = "monaco";
    addReview(review, place);
    review.show(place);
  },
});

const styles = document.createElement("link");
Object.assign(styles, { rel: "stylesheet", href: "/page.css" });
document.head.append(styles);
part("editor").className = "monaco";

const editor = monaco.editor.create(part("editor"), {
  automaticLayout: true,
  minimap: { enabled: false },
  model: null,
});
const { CtrlCmd, Alt } = monaco.KeyMod;
editor.addCommand(CtrlCmd | monaco.KeyCode.KeyS, () => {
  const path = editor.getModel()?.uri.path;
  if (path !== undefined) void host.save(path as never);
});
editor.addCommand(CtrlCmd | Alt | monaco.KeyCode.KeyM, () => host.mention());

function show(path: string): void {
  editor.setModel(host.file(path, texts.get(path) ?? ""));
  editor.focus();
}

follow(host.diffs, (path, text) => host.fileChanged(path, text));
start(host.asHost(), show);
