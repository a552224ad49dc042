import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { EditorHost } from "@idewire/core";
import { type FakeEditorHost, fakeEditorHost, posixPath } from "@idewire/core/testing";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { onTestFinished } from "vitest";
import { CliRun } from "./in-process-cli.ts";
import { openFixture } from "./reference-clients/context.ts";
import type { Fixture } from "./reference-clients/fixture.ts";

/** An editor that serves a folder. */
export interface Served {
  readonly host: FakeEditorHost;
  readonly listener: IdeListener;
  readonly port: number;
  readonly lockFile: string;
}

/** The output of a command, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** A temporary home without installed programs, with editors and commands that look for them. */
export class AgentContext {
  readonly fixture: Fixture = openFixture();
  readonly folder: string = this.fixture.workspace;
  /** The PATH of the commands. */
  readonly programs: string = join(this.fixture.root, "bin");

  constructor() {
    mkdirSync(this.programs);
  }

  async serve(
    folder = this.folder,
    { host: own, ...options }: ListenIdeOptions & { readonly host?: EditorHost } = {},
  ): Promise<Served> {
    const host = fakeEditorHost();
    host.folders = [{ path: posixPath(folder), name: "work" }];
    const listener = await listenIde(own ?? host, {
      env: this.fixture.env,
      resume: false,
      ...options,
    });
    onTestFinished(() => listener.close());
    const { port = 0, lockFile = "" } = listener.endpoints[0] ?? {};
    return { host, listener, port, lockFile };
  }

  /** The lock file of an editor with a running process. */
  lock(port: number | string, members: object = {}, ageSeconds = 0): string {
    const whole = { workspaceFolders: [this.folder], pid: process.pid, ideName: "Editor" };
    const text = { ...whole, transport: "ws", authToken: "secret", ...members };
    return this.fixture.lock(port, text, ageSeconds);
  }

  start(...args: readonly string[]): CliRun {
    return this.startWith({}, ...args);
  }

  startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): CliRun {
    return new CliRun(this.fixture, { args, env: { PATH: this.programs, ...env } });
  }

  /** Runs a command that exits by itself. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.runWith({}, ...args);
  }

  async runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
    const run = this.startWith(env, ...args);
    const code = await run.exited;
    return { code, output: run.output, errors: run.errors };
  }
}

/** Changes members of a lock file. */
export function rewriteLock(lockFile: string, members: object): void {
  const lock = JSON.parse(readFileSync(lockFile, "utf8")) as object;
  writeFileSync(lockFile, JSON.stringify({ ...lock, ...members }));
}

export const DEAD_PID = 2 ** 30;

/** Not an editor: a server that answers HTTP with a page. */
export async function openWebServer(
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status, headers).end("hello"));
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}
