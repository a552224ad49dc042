import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { createCodeMirrorHost, type Review } from "@idewire/codemirror/host";
import { addReview, follow, part, root, save, start, texts } from "./notes.ts";

const common: Extension = [lineNumbers(), EditorView.lineWrapping, keymap.of(defaultKeymap)];
/** The editors of the files, each with its history; one is in the page. */
const editors = new Map<string, EditorView>();

const { host, file, mention, diffs, fileChanged } = createCodeMirrorHost({
  name: "Notes",
  folders: [root],
  languageOf: () => "markdown",
  read: async (path) => texts.get(path),
  open: (path) => show(path),
  save,
  showReview,
});

function show(path: string): void {
  const view = editors.get(path) ?? createEditor(path, texts.get(path) ?? "");
  editors.set(path, view);
  part("editor").replaceChildren(view.dom);
  view.focus();
}

function createEditor(path: string, doc: string): EditorView {
  const run = () => {
    void host.save?.(path as never);
    return true;
  };
  const keys = keymap.of([
    { key: "Mod-s", preventDefault: true, run },
    { key: "Mod-Alt-m", run: mention },
  ]);
  const extensions = [keys, common, history(), keymap.of(historyKeymap), file(path, doc)];
  return new EditorView({ state: EditorState.create({ doc, extensions }) });
}

function showReview(review: Review): void {
  const { doc, extension } = review;
  const state = EditorState.create({ doc, extensions: [common, extension] });
  const view = new EditorView({ state });
  addReview(review, view.dom);
  review.signal.addEventListener("abort", () => view.destroy());
}

follow(diffs, fileChanged);
start(host, show);
