import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { listenIde } from "@idewire/node-server";
import { type DiagnosticSource, type FolderHost, openFolderHost } from "idewire/folder-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { RawClient } from "../src/raw-client.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const CANARY = "canary-51c9";
const CLIENTS = 4;
const ROUNDS = 60;

/** Alternates a file with links out of the folder and to `.env`, as fast as it can. */
const swapFile = `
  const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
  const [folder, outside] = process.argv.slice(1);
  for (let turn = 0; ; turn++) {
    const draft = folder + "/../draft";
    if (turn % 2) symlinkSync(turn % 4 === 1 ? outside + "/a.json" : folder + "/.env", draft);
    else writeFileSync(draft, '{"mine": 1}');
    renameSync(draft, folder + "/sub/a.json");
    if (turn === 0) console.log("ready");
  }`;

/** The same with the folder that contains the file. */
const swapFolder = `
  const { renameSync, symlinkSync } = require("node:fs");
  const [folder, outside] = process.argv.slice(1);
  const [here, away] = [folder + "/sub", folder + "/../away"];
  console.log("ready");
  for (let turn = 0; ; turn++) {
    symlinkSync(turn % 2 ? outside : folder + "/.env.d", away + "-link");
    renameSync(here, away);
    renameSync(away + "-link", here);
    renameSync(here, away + "-old");
    renameSync(away, here);
    require("node:fs").unlinkSync(away + "-old");
  }`;

/** A check that reveals as much as possible: its message is the whole text. */
const quoting: DiagnosticSource = {
  name: "quoting",
  accepts: () => true,
  check: async (_path, message) => {
    const start = { line: 0, character: 0 };
    return [{ range: { start, end: start }, severity: "error", message }];
  },
};

interface Place {
  readonly host: FolderHost;
  readonly clients: readonly RawClient[];
  readonly file: string;
}

async function openPlace(program: string): Promise<Place> {
  const root = temporaryFolder("idewire-swaps-");
  const folder = join(root, "work");
  for (const name of ["sub", ".env.d", "../outside"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "sub", "a.json"), '{"mine": 1}');
  for (const name of [".env", ".env.d/a.json", "../outside/a.json"]) {
    writeFileSync(join(folder, name), `{"${CANARY}": 1}`);
  }
  const host = await openFolderHost(folder, { diagnosticSources: [quoting] });
  const listener = await listenIde(host, {
    share: { level: "all" },
    env: {
      HOME: root,
      CLAUDE_CONFIG_DIR: join(root, "claude"),
      XDG_STATE_HOME: join(root, "state"),
    },
  });
  const swapper: ChildProcess = spawn(
    process.execPath,
    ["-e", program, folder, join(root, "outside")],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(async () => {
    const ended = once(swapper, "exit");
    swapper.kill("SIGKILL");
    await ended;
    await listener.close();
    await host.close();
  });
  if (swapper.stdout !== null) await once(swapper.stdout, "data");
  const lockFile = listener.endpoints[0]?.lockFile ?? "";
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => RawClient.ready(lockFile)),
  );
  return { host, clients, file: join(folder, "sub", "a.json") };
}

/** Every tool that may reveal a text in its answer or by an event. */
function callsOf(filePath: string): readonly (readonly [string, object])[] {
  return [
    ["openFile", { filePath, startText: "{", endText: "}" }],
    ["getLatestSelection", {}],
    ["getDiagnostics", { uri: `file://${filePath}` }],
    ["getCurrentSelection", {}],
    ["openFile", { filePath, makeFrontmost: false, startText: '"', endText: '"' }],
    ["getOpenEditors", {}],
    ["checkDocumentDirty", { filePath }],
    ["saveDocument", { filePath }],
    ["getDiagnostics", {}],
  ];
}

describe("nothing outside, and no secret, is read or written, whatever takes the place of a file", () => {
  test.each([
    ["a file", swapFile],
    ["a folder", swapFolder],
  ])("%s, swapped with links while thousands of calls are made", async (_what, program) => {
    const { host, clients, file } = await openPlace(program);
    let mine = 0;
    const ask = async (client: RawClient) => {
      // At least one read finds the proper file.
      for (let round = 0; round < ROUNDS || mine === 0; round++) {
        for (const [name, args] of callsOf(file)) {
          const answer = JSON.stringify(await client.callTool(name, args));
          if (answer.includes("mine")) mine += 1;
          expect(answer).not.toContain(CANARY);
        }
        const text = await host.read(file as PosixPath).catch(() => "");
        expect(text).not.toContain(CANARY);
      }
    };
    const write = async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await host.edit(file as PosixPath, `{"mine": ${round}}`).catch(() => undefined);
        await host.save?.(file as PosixPath).catch(() => undefined);
      }
    };
    await Promise.all([...clients.map(ask), write()]);
    // Nothing is written there either.
    const foreign = [join(host.folder, "../outside"), join(host.folder, ".env.d")];
    for (const folder of foreign) {
      expect(readdirSync(folder)).toEqual(["a.json"]);
      expect(readFileSync(join(folder, "a.json"), "utf8")).toBe(`{"${CANARY}": 1}`);
    }
    for (const { received } of clients) expect(JSON.stringify(received)).not.toContain(CANARY);
  });
});
