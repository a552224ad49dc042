import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { createCodeMirrorHost, type Review } from "@idewire/codemirror/host";
import { serveHost } from "@idewire/core";
import { createWebSocketTransport, Peer } from "@idewire/core/rpc";

const { root, names } = (await (await fetch("/folder")).json()) as {
  readonly root: string;
  readonly names: readonly string[];
};
const texts = new Map<string, string>();
for (const name of names)
  texts.set(`${root}/${name}`, await (await fetch(`/files/${name}`)).text());

const part = (id: string) => document.getElementById(id) ?? document.body;
const common: Extension = [lineNumbers(), EditorView.lineWrapping, keymap.of(defaultKeymap)];
/** The editors of the files, each with its history; one is in the page. */
const editors = new Map<string, EditorView>();

const { host, file, mention, diffs, fileChanged } = createCodeMirrorHost({
  name: "Notes",
  folders: [root],
  languageOf: () => "markdown",
  read: async (path) => texts.get(path),
  open: (path) => show(path),
  async save(path, text) {
    await fetch(`/files/${path.slice(root.length + 1)}`, { method: "PUT", body: text });
    texts.set(path, text);
  },
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
  const place = document.createElement("article");
  const title = document.createElement("h2");
  title.textContent = review.request.title;
  const notes = review.notes.map((note) => {
    const line = document.createElement("p");
    line.className = "note";
    line.textContent = note;
    return line;
  });
  const view = new EditorView({
    state: EditorState.create({ doc: review.doc, extensions: [common, review.extension] }),
  });
  const answers = document.createElement("div");
  answers.className = "answers";
  answers.append(
    button("Accept", () => review.accept()),
    button("Reject", () => review.reject()),
  );
  place.append(title, ...notes, view.dom, answers);
  part("reviews").append(place);
  review.signal.addEventListener("abort", () => {
    view.destroy();
    place.remove();
  });
}

function button(name: string, onclick: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = name;
  made.addEventListener("click", onclick);
  return made;
}

/** The agent writes what was accepted; a server with a watcher would report it. */
async function refresh(path: string): Promise<void> {
  const text = await (await fetch(`/files/${path.slice(root.length + 1)}`)).text();
  texts.set(path, text);
  fileChanged(path, text);
}
diffs.events.on("diffClosed", ({ request: { path } }, { kind }) => {
  if (kind === "accepted") setTimeout(() => void refresh(path), 1_000);
});
addEventListener("focus", () => {
  for (const path of editors.keys()) void refresh(path);
});

part("files").append(...names.map((name) => button(name, () => show(`${root}/${name}`))));
show(`${root}/${names[0]}`);

const webSocket = new WebSocket(`ws://${location.host}/editor`);
const state = (text: string) => {
  part("state").textContent = text;
};
webSocket.addEventListener("close", ({ reason }) => state(`Not connected. ${reason}`));
webSocket.addEventListener("open", () => {
  void serveHost(new Peer(createWebSocketTransport(webSocket)), host).then(() =>
    state(`Agents in ${root} find this page`),
  );
});
