// What the pages of both examples share: the files of the server, buttons, the connection.
import { type DiffRequest, type EditorHost, type PendingDiffs, serveHost } from "@idewire/core";
import { createWebSocketTransport, Peer } from "@idewire/core/rpc";

const folder = (await (await fetch("/folder")).json()) as {
  readonly root: string;
  readonly names: readonly string[];
};

/** The path of the folder on the server. */
export const { root } = folder;

const addressOf = (path: string) => `/files/${path.slice(root.length + 1)}`;

export const part = (id: string) => document.getElementById(id) ?? document.body;

/** The texts of all files, as they are on the disk of the server. */
export const texts = new Map<string, string>();
for (const name of folder.names) await reload(`${root}/${name}`);

async function reload(path: string): Promise<string> {
  const text = await (await fetch(addressOf(path))).text();
  texts.set(path, text);
  return text;
}

export async function save(path: string, text: string): Promise<void> {
  await fetch(addressOf(path), { method: "PUT", body: text });
  texts.set(path, text);
}

/** A diff as the page shows it, with its answers. */
interface Answerable {
  readonly request: DiffRequest;
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
  accept(): boolean;
  reject(): boolean;
}

/** Shows a diff until it is answered or closed. */
export function addReview(review: Answerable, editor: HTMLElement): void {
  const place = document.createElement("article");
  const title = document.createElement("h2");
  title.textContent = review.request.title;
  const notes = review.notes.map((note) => {
    const line = document.createElement("p");
    line.className = "note";
    line.textContent = note;
    return line;
  });
  const answers = document.createElement("div");
  answers.className = "answers";
  answers.append(
    button("Accept", () => review.accept()),
    button("Reject", () => review.reject()),
  );
  place.append(title, ...notes, editor, answers);
  part("reviews").append(place);
  review.signal.addEventListener("abort", () => place.remove());
}

function button(name: string, onclick: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = name;
  made.addEventListener("click", onclick);
  return made;
}

/** Shows the first file and a button for each, and connects the page to its server. */
export function start(host: EditorHost, show: (path: string) => void): void {
  part("files").append(...folder.names.map((name) => button(name, () => show(`${root}/${name}`))));
  show(`${root}/${folder.names[0]}`);
  const webSocket = new WebSocket(`ws://${location.host}/editor`);
  const state = (text: string) => {
    part("state").textContent = text;
  };
  webSocket.addEventListener("close", ({ reason }) => state(`Not connected. ${reason}`));
  webSocket.addEventListener("open", () => {
    const peer = new Peer(createWebSocketTransport(webSocket));
    peer.handle("host/listening", () => state(`Agents in ${root} find this page`));
    void serveHost(peer, host);
  });
}

/** Shows what agents write; a server with a watcher would report it. */
export function follow(
  { events }: Pick<PendingDiffs<Answerable>, "events">,
  fileChanged: (path: string, text: string) => void,
): void {
  const refresh = async (path: string) => fileChanged(path, await reload(path));
  events.on("diffClosed", ({ request: { path } }, { kind }) => {
    if (kind === "accepted") setTimeout(() => void refresh(path), 1_000);
  });
  addEventListener("focus", () => {
    for (const path of texts.keys()) void refresh(path);
  });
}
