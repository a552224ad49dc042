import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic, PosixPath } from "@idewire/core";
import {
  type DiagnosticsProvider,
  type FolderHost,
  type LanguageServerOptions,
  type LinterOptions,
  languageServerProvider,
  linterProvider,
  openFolderHost,
} from "idewire/folder-host";
import { onTestFinished, vi } from "vitest";
import { TIMEOUT_MS } from "../reference-clients/transcript.ts";
import { removeFolder } from "../remove-folder.ts";

const FAKE = fileURLToPath(new URL("./fake-language-server.mjs", import.meta.url));

/** The command line of the fake language server. */
export function fakeServer(how: object = {}): string {
  return `'${process.execPath}' '${FAKE}' '${JSON.stringify(how)}'`;
}

/** A folder with a diagnostics provider, and the notices, log lines and events that it caused. */
export interface ProviderContext {
  readonly folder: string;
  readonly host: FolderHost;
  readonly notices: string[];
  readonly lines: string[];
  readonly events: string[];
  path(name: string): PosixPath;
  write(name: string, text: string): Promise<PosixPath>;
  /** `line:character message` of a file; requests the whole folder, as an agent does after a change. */
  problems(name: string): Promise<readonly string[]>;
  /** Retries until the check passes, for up to {@link TIMEOUT_MS}. */
  until(check: () => Promise<void> | void): Promise<void>;
}

type Callbacks = Pick<LinterOptions, "onNotice" | "onLine">;

/** @param files are written before the provider starts */
export async function openProviderContext(
  createProvider: (callbacks: Callbacks) => Promise<DiagnosticsProvider>,
  files: Readonly<Record<string, string>> = {},
): Promise<ProviderContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-provider-")));
  const path = (name: string) => join(folder, name) as PosixPath;
  const parts = await mkdtemp(join(tmpdir(), "idewire-provider-parts-"));
  /** Atomic by a rename: a provider must not read a partial file. */
  const write = async (name: string, text: string) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(join(parts, "part"), text);
    await rename(join(parts, "part"), path(name));
    return path(name);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const [notices, lines, events]: string[][] = [[], [], []];
  const provider = await createProvider({
    onNotice: (words) => void notices?.push(words),
    onLine: (line) => void lines?.push(line),
  });
  const host = await openFolderHost(folder, {
    diagnosticSources: [],
    diagnosticsProviders: [provider],
  });
  host.on("diagnostics", (paths) => {
    events?.push(...paths.map((one) => one.slice(folder.length + 1)));
  });
  onTestFinished(async () => {
    await host.close();
    for (const each of [folder, parts]) {
      await removeFolder(each);
    }
  });
  const problems = async (name: string) => {
    const found = (await host.diagnostics?.())?.find((file) => file.path === path(name));
    return (found?.diagnostics ?? []).map(describeProblem);
  };
  const until = (check: () => Promise<void> | void) => vi.waitFor(check, TIMEOUT_MS);
  return {
    folder,
    host,
    notices: notices ?? [],
    lines: lines ?? [],
    events: events ?? [],
    path,
    write,
    problems,
    until,
  };
}

/** A folder with the fake language server. */
export function openFakeServer(
  how: object = {},
  { files, ...options }: Partial<LanguageServerOptions> & { files?: Record<string, string> } = {},
): Promise<ProviderContext> {
  const command = fakeServer(how);
  return openProviderContext(
    (callbacks) => languageServerProvider({ command, ...options, ...callbacks }),
    files,
  );
}

/** A folder with a linter. */
export function openLinter(
  options: LinterOptions,
  files: Readonly<Record<string, string>> = {},
): Promise<ProviderContext> {
  return openProviderContext(
    (callbacks) => linterProvider({ delayMs: 50, ...options, ...callbacks }),
    files,
  );
}

/** Whether a process runs; a zombie counts as exited. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) Z/.test(readFileSync(stat, "utf8"));
}

function describeProblem({ range: { start }, message }: Diagnostic): string {
  return `${start.line}:${start.character} ${message}`;
}
