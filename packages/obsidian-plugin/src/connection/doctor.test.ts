import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IdeSession } from "@idewire/core";
import { IdewireError } from "@idewire/core/rpc";
import type { FoundEditor } from "@idewire/node-server";
import type { EditorFile } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import { type DoctorFacts, examine, gatherFacts } from "./doctor.ts";

const lockFile = "/home/me/.claude/ide/4711.lock";
const url = "ws://127.0.0.1:4711";
const kind = "web-socket" as const;
const endpoint = { dialect: "claude-code", kind, port: 4711, url, lockFile, folders: ["/vault"] };
const ownFile: EditorFile = { path: lockFile, modifiedMs: 0, port: 4711, host: "127.0.0.1" };

interface Changes extends Partial<Omit<DoctorFacts, "connection" | "search">> {
  readonly connection?: Partial<DoctorFacts["connection"]>;
  readonly files?: readonly EditorFile[];
  readonly editors?: readonly Partial<FoundEditor>[];
}

function found({ connection, files = [ownFile], editors = [], ...rest }: Changes) {
  const facts: DoctorFacts = {
    connection: {
      state: { kind: "listening" },
      endpoints: [endpoint],
      sessions: [],
      sinceMs: () => 0,
      warnings: [],
      ...connection,
    },
    level: "selection",
    search: { cwd: "/vault", directories: [], files, editors: editors as FoundEditor[] },
    folderMode: 0o700,
    isWindows: false,
    asksInTerminal: false,
    openToOthers: [],
    pid: 1,
    ...rest,
  };
  return examine(facts).map(({ kind, text, advice = "" }) => `${kind}: ${text} ${advice}`);
}

const session = { agent: { name: "claude-code", version: "2" }, pid: 77 } as IdeSession;
const opencode = { agent: { name: "opencode", version: "1" } } as IdeSession;

test("without a fault it shows only the address, the agents and when reviews open", () => {
  expect(found({ connection: { sessions: [session] } })).toEqual([
    `good: Agents can connect on port 4711 of this computer. Published in ${lockFile}`,
    expect.stringMatching(/^good: Claude Code \(process 77\) has been connected since .*\d/),
    expect.stringMatching(
      /^hint: Claude Code opens reviews here only in permission mode default \(called manual since .*Shift\+Tab/,
    ),
  ]);
});

test("a file of another agent that others can read is found, and named with the remedy", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idewire-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "a.lock");
  await writeFile(file, "{}");
  await chmod(file, 0o644);
  const copilot = { ...{ dialect: "copilot", kind: "http-socket" as const, url }, folders: [] };
  const connection = {
    ...{ state: { kind: "closed" as const }, sessions: [], sinceMs: () => 0, warnings: [] },
    endpoints: [{ ...copilot, lockFile: file }],
  };
  const where = { cwd: folder, env: { HOME: folder, TMPDIR: folder } };
  const { openToOthers } = await gatherFacts(connection, "selection", where);
  expect(openToOthers).toMatchObject([{ agent: "Copilot CLI", code: "open", path: file }]);
  const text = `warning: Copilot CLI may not connect: ${file} is open to other users of this computer`;
  expect(found({ openToOthers }).join("\n")).toContain(text);
  expect(found({ openToOthers }).join("\n")).toContain(`chmod 600 ${file}`);
});

test.each<[string, Changes, RegExp]>([
  ["nobody is connected", {}, /^hint: No agent is connected. Run the command below/],
  [
    "Claude Code asks in its terminal",
    { connection: { sessions: [session] }, asksInTerminal: true },
    /^warning: Claude Code is set to show its changes in its terminal.* diffTool/,
  ],
  [
    "an agent has no diffs",
    { connection: { sessions: [opencode] } },
    /^hint: opencode does not support diffs/,
  ],
  ["its file has gone", { files: [] }, /^problem: The discovery file .* is missing.* Reconnect/],
  [
    "agents pass its file over",
    { files: [{ ...ownFile, elsewhere: { code: "linked-folder", why: "x is a link" } }] },
    /^problem: Agents skip this vault: x is a link/,
  ],
  [
    "another editor is open on the folder",
    { editors: [{ name: "VS Code", port: 5, pid: 2 }] },
    /^problem: VS Code is also open on this folder, on port 5. .*\/ide/,
  ],
  [
    "files of dead editors lie about",
    { files: [ownFile, { ...ownFile, port: 5, stale: { code: "dead-process", why: "" } }] },
    /^hint: There is 1 stale lock file/,
  ],
  ["others can read the folder", { folderMode: 0o755 }, /^warning: .* chmod 700 \/home\/me/],
  ["sharing is off", { level: "off" }, /^hint: Sharing is off: agents receive nothing/],
  ["it runs on Windows", { isWindows: true }, /^hint: .*Subsystem for Linux/],
  [
    "something failed on the side",
    { connection: { warnings: [new Error("no state")] } },
    /^warning: .*no state/,
  ],
])("a finding is reported when %s", (_, changes, expected) => {
  expect(found(changes)).toContainEqual(expect.stringMatching(expected));
});

test("idewire's own file is no conflict during the start, and a failure names the remedy", () => {
  const starting = { state: { kind: "starting" }, endpoints: [] } as const;
  const own = found({ connection: starting, editors: [{ name: "Obsidian", port: 4711, pid: 1 }] });
  expect(own).toEqual(["hint: Starting… "]);
  const error = new IdewireError("file-system", "/lock cannot be written");
  expect(found({ connection: { state: { kind: "failed", error }, endpoints: [] } })).toEqual([
    "problem: Agents cannot connect to this vault. /lock cannot be written Make that folder writable, then reconnect.",
  ]);
});
