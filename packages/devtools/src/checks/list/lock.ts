import { toPosixPath } from "@idewire/core";
import { describeValue, isObject } from "@idewire/core/internal";
import type { Check } from "../check.ts";
import type { CheckContext } from "../context.ts";
import type { DiscoveryFacts } from "../port.ts";
import { LOOSE_FILE, measured, OPEN_ENDPOINTS, rfc } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";

/** Checks of the discovery file. */
export const lockChecks: readonly Check[] = [
  {
    id: "IDE-LOCK-001",
    level: "must",
    rule: "The lock file is named <port>.lock.",
    source: measured("Discovery"),
    async run(context) {
      const { path, port } = factsOf(context);
      demand(port !== undefined, `${describeValue(path)} names no port from 1 to 65535`);
    },
  },
  {
    id: "IDE-LOCK-002",
    level: "must",
    rule: 'The lock file is a JSON object, and its transport is "ws".',
    source: measured("Discovery"),
    note: "Claude Code treats anything else as an SSE server, and sends it no token.",
    async run(context) {
      const { transport } = contentOf(context);
      demand(transport === "ws", `transport is ${describeValue(transport)}, not "ws"`);
    },
  },
  {
    id: "IDE-LOCK-003",
    level: "must",
    rule: "workspaceFolders is a list of at least one absolute native path.",
    source: measured("Discovery"),
    note: "On Windows Claude Code never matches /c/Users/…",
    async run(context) {
      const folders = foldersOf(context);
      const strange = folders.find((folder) => !isNative(folder, context));
      demand(strange === undefined, `${describeValue(strange)} is not an absolute native path`);
    },
  },
  {
    id: "IDE-LOCK-004",
    level: "must",
    rule: "Each of workspaceFolders is a real path, not one through a symbolic link.",
    source: measured("Discovery"),
    async run(context) {
      const { realPaths } = factsOf(context);
      for (const folder of foldersOf(context)) {
        const real = realPaths[folder];
        if (real === undefined) throw new CheckSkipped(`${folder} does not exist here`);
        const isReal = plain(folder, context) === plain(real, context);
        demand(isReal, `${folder} is really ${real}: no working directory matches it`);
      }
    },
  },
  {
    id: "IDE-LOCK-005",
    level: "must",
    rule: "pid is a running process.",
    source: measured("Discovery"),
    note: "Without a pid Claude Code tries the port; with a dead one it deletes the file.",
    async run(context) {
      const { pidAlive } = factsOf(context);
      const pid = describeValue(contentOf(context)["pid"]);
      demand(pidAlive !== false, `process ${pid} is not running`);
      return pidAlive === undefined ? "it names none" : undefined;
    },
  },
  {
    id: "IDE-LOCK-006",
    level: "must",
    rule: "There is an authToken.",
    source: OPEN_ENDPOINTS,
    note: "Without one, Claude Code connects as well, and omits the header.",
    async run(context) {
      const { tokenLength = 0 } = factsOf(context);
      demand(tokenLength > 0, "there is none: everybody on this machine can connect");
    },
  },
  {
    id: "IDE-LOCK-007",
    level: "should",
    rule: "authToken has at least 22 characters, enough for 128 random bits.",
    source: rfc(6749, "10.10"),
    async run(context) {
      const { tokenLength } = factsOf(context);
      if (tokenLength === undefined) throw new CheckSkipped("there is none");
      demand(tokenLength >= 22, `it has ${tokenLength}`);
    },
  },
  {
    id: "IDE-LOCK-008",
    level: "should",
    rule: "Only its owner can read the lock file: its mode is 0600.",
    source: LOOSE_FILE,
    async run(context) {
      demandPrivate(factsOf(context).mode);
    },
  },
  {
    id: "IDE-LOCK-009",
    level: "should",
    rule: "Only its owner can list the directory of lock files: its mode is 0700.",
    source: LOOSE_FILE,
    async run(context) {
      demandPrivate(factsOf(context).directoryMode);
    },
  },
  {
    id: "IDE-LOCK-010",
    level: "should",
    rule: "ideName is a string that identifies the editor to the person.",
    source: measured("Discovery"),
    note: 'Without it Claude Code shows "IDE".',
    async run(context) {
      const { ideName } = contentOf(context);
      const isName = typeof ideName === "string" && ideName.trim() !== "";
      demand(isName, `ideName is ${describeValue(ideName)}`);
    },
  },
];

function factsOf({ port: { discovery } }: CheckContext): DiscoveryFacts {
  if (discovery === undefined) throw new CheckSkipped("no lock file was read");
  return discovery;
}

function contentOf(context: CheckContext): Readonly<Record<string, unknown>> {
  const { content } = factsOf(context);
  demand(isObject(content), "the lock file is not a JSON object");
  return content;
}

function foldersOf(context: CheckContext): readonly string[] {
  const { workspaceFolders: folders } = contentOf(context);
  const isList = Array.isArray(folders) && folders.length > 0;
  demand(isList, `workspaceFolders is ${describeValue(folders)}`);
  const isOfTexts = folders.every((folder) => typeof folder === "string");
  demand(isOfTexts, `workspaceFolders is ${describeValue(folders)}`);
  return folders;
}

/** Whether a path is absolute in the form of the server's system. */
export function isNative(path: string, { port }: CheckContext): boolean {
  if (port.platform === "posix") return path.startsWith("/");
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** The client ignores a trailing slash, dots, and the spelling of a Windows drive. */
function plain(path: string, { port }: CheckContext): string {
  const parsed = toPosixPath(path, port.platform);
  return parsed.ok ? parsed.value : path;
}

function demandPrivate(mode: number | undefined): void {
  if (mode === undefined) throw new CheckSkipped("this system has no permission bits");
  const seen = (mode & 0o777).toString(8).padStart(4, "0");
  demand((mode & 0o077) === 0, `its mode is ${seen}`);
}
