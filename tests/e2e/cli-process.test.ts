import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { exitOf } from "../src/exit-of.ts";
import { RawClient } from "../src/raw-client.ts";
import {
  openWorkspace,
  startServe,
  type Workspace,
} from "../src/reference-clients/serve-context.ts";

// The built command in a separate process.

test("each signal ends it with its own code, and removes the lock file", async () => {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const serve = startServe(openWorkspace());
    const { lockFile } = await serve.event("listening");
    serve.kill(signal);
    expect(await serve.exited).toEqual({ code: codes[signal], signal: null });
    expect(existsSync(String(lockFile))).toBe(false);
  }
});

test("a second signal ends it at once, even if a client does not disconnect", async () => {
  const serve = startServe(openWorkspace());
  const { lockFile } = await serve.event("listening");
  const client = await RawClient.ready(String(lockFile));
  // serve waits for a client that does not answer the close frame.
  client.socket.pause();
  // Simultaneous signals of one kind count once; of two kinds the system delivers the lower number first.
  serve.kill("SIGTERM");
  serve.kill("SIGINT");
  // During a file system call, the signal itself ends the process.
  const { code, signal } = await serve.exited;
  expect([130, 143, "SIGINT", "SIGTERM"]).toContain(signal ?? code);
  expect(existsSync(String(lockFile))).toBe(false);
  // An orderly end would disconnect the client after a second, and report it.
  expect(serve.events.map(({ event }) => event)).not.toContain("disconnected");
});

test("it ends in order when its output is closed", async () => {
  const { folder, env } = openWorkspace();
  const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
  const serve = spawn(process.execPath, [bin, "serve", folder, "--script"], { env: { ...env } });
  const exited = exitOf(serve);
  const [line] = (await once(serve.stdout, "data")) as [Buffer];
  const { lockFile } = JSON.parse(line.toString()) as { readonly lockFile: string };
  serve.stdout.destroy();
  serve.stdin.write('{"do":"clearSelection"}\n{"do":"clearSelection"}\n');
  expect(await exited).toEqual([0, null]);
  expect(existsSync(lockFile)).toBe(false);
});

test("if a process that cannot be joined serves the folder already, the error names it and its port", async () => {
  const workspace = openWorkspace();
  const first = startServe(workspace);
  const { port } = await first.event("listening");
  // As with an older idewire, which has no such socket.
  const state = join(workspace.env.HOME, ".local/state/idewire");
  for (const name of readdirSync(state)) if (name.endsWith(".sock")) rmSync(join(state, name));
  const second = startServe(workspace);
  expect((await second.exited).code).toBe(1);
  const { message } = await second.event("error");
  expect(message).toContain(`by process ${first.pid} on port ${String(port)}; stop that one first`);
  expect(second.output).toContain(`idewire: ${String(message)}\n`);
});

test("an occupied port has an exit code of its own", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { readonly port: number };
  const serve = startServe(openWorkspace(), { flags: ["--port", String(port)] });
  expect((await serve.exited).code).toBe(1);
  expect(serve.output).toContain(`Port ${port} of 127.0.0.1 is in use by another program`);
  expect(serve.output).toContain("Without --port, any free port is used.");
});

/** Puts a file in place of the directory of lock files, which fails whatever the permissions. */
function blockLockFolder(workspace: Workspace): string {
  const folder = join(workspace.env.CLAUDE_CONFIG_DIR ?? "", "ide");
  mkdirSync(join(folder, ".."), { recursive: true });
  writeFileSync(folder, "not a directory");
  return folder;
}

test("a lock file that cannot be written is named, with the remedy, and nothing is deleted", async () => {
  const workspace = openWorkspace();
  const folder = blockLockFolder(workspace);
  const serve = startServe(workspace);
  expect((await serve.exited).code).toBe(1);
  expect(serve.output).toContain(folder);
  expect(serve.output).toContain("move that away");
  expect(readFileSync(folder, "utf8")).toBe("not a directory");
});

test("an address other than loopback requires --allow-host, and causes a warning", async () => {
  const workspace = openWorkspace();
  const serve = startServe(workspace, {
    flags: ["--host", "0.0.0.0", "--allow-host", "editor.lan"],
  });
  await serve.event("listening");
  expect(serve.output).toContain("warning: 0.0.0.0 is reachable from the network.");
  expect(readdirSync(join(workspace.env.CLAUDE_CONFIG_DIR ?? "", "ide"))).toHaveLength(1);
});
