import { createInterface } from "node:readline/promises";
import type { HostEvents, PosixPath, Selection } from "@idewire/core";
import { baseName, type DiffRequest, type EditorHost, Emitter, ToolFailure } from "@idewire/core";
import { listenIde } from "@idewire/node-server";

/** Whether the agent may write its proposal; the signal aborts an obsolete question. */
async function askOnTerminal({ path, proposed }: DiffRequest, signal: AbortSignal) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `Write ${proposed.length} characters to ${JSON.stringify(path)}? (y/n) `;
  const answer = await terminal.question(question, { signal }).finally(() => terminal.close());
  return answer === "y";
}

/** Offers a folder (its real path) to agents; call `show` when the selection changes. */
export async function openCustomIde(folder: PosixPath, ask = askOnTerminal) {
  const events = new Emitter<HostEvents>();
  let shown: { selection: Selection; text: string } | undefined;
  const host: EditorHost = {
    name: "Custom IDE",
    version: "1.0.0",
    workspace: () => ({ folders: [{ path: folder, name: baseName(folder) }], trusted: true }),
    documents: () => [],
    selection: () => shown?.selection,
    async read(path) {
      if (shown?.selection.path === path) return shown.text;
      throw new ToolFailure(`${path} is not open`);
    },
    async openDiff(request, signal) {
      if (!(await ask(request, signal))) return { kind: "rejected" };
      return { kind: "accepted", text: request.proposed, edited: false };
    },
    on: (event, listener) => events.on(event, listener),
  };
  const show = (selection: Selection, text: string) => {
    shown = { selection, text };
    events.emit("selection");
  };
  return { listener: await listenIde(host), show };
}
