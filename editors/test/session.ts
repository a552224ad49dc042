import type { ClaudeClient } from "../../tests/src/reference-clients/claude-client.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../../tests/src/reference-clients/serve-context.ts";
import type { Editor } from "./editor.ts";

/** An editor with a file, and the reference client connected to it. */
export interface EditorSession<Driven extends Editor> {
  readonly workspace: Workspace;
  /** The path of the file. */
  readonly path: string;
  readonly editor: Driven;
  readonly client: ClaudeClient;
  /** Waits until the client has received a text as the selection. */
  selected(text: string): Promise<void>;
}

/** Starts an editor with a file, waits until agents can find it, and connects the reference client. */
export async function openSession<Driven extends Editor>(
  start: (workspace: Workspace, file: string) => Driven,
  text: string,
  file = "a.txt",
): Promise<EditorSession<Driven>> {
  const workspace = openWorkspace();
  const path = write(workspace, file, text);
  const editor = start(workspace, file);
  await editor.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const selected = async (wanted: string) => {
    await client.until(`the selection ${wanted}`, () => client.inbox.context?.text === wanted);
  };
  return { workspace, path, editor, client, selected };
}
