import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { root } from "../checkout.ts";

/** The command's program. */
export const COMMAND: string = join(root, "packages/cli/bin/idewire.js");

export type Editor = ChildProcessByStdio<Writable, Readable, null>;

/** A folder with `plan.md` that `idewire serve --script` shares at the level `all`. */
export interface ServedFolder {
  readonly editor: Editor;
  /** The environment with which other commands find it. */
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  close(): Promise<void>;
}

/** Serves a new folder in a new home; the caller closes it. */
export async function serveFolder(plan: string): Promise<ServedFolder> {
  const home = mkdtempSync(join(tmpdir(), "idewire-bench-"));
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "plan.md"), plan);
  const options = { cwd, env: { ...process.env, HOME: home } };
  const args = [COMMAND, "serve", "--script", "--share", "all"];
  const editor = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const close = async (): Promise<void> => {
    editor.kill();
    await once(editor, "close");
    rmSync(home, { recursive: true });
  };
  await untilListening(createInterface({ input: editor.stdout }));
  return { editor, options, close };
}

async function untilListening(lines: Interface): Promise<void> {
  for await (const line of lines) if (line.includes('"listening"')) return;
}
