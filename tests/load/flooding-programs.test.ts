import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { linesOfClient } from "../src/calling-client.ts";
import { floodsFor } from "../src/floods-for.ts";
import { LOG_BYTES, MeasuredCommand, MOST_BYTES, MOST_EXIT_MS } from "../src/measured-command.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const MIB = 2 ** 20;
const program = fileURLToPath(new URL("../src/flooding-program.mjs", import.meta.url));

/** The repeated output of a server: the options of `flooding-program.mjs`. */
interface Flood {
  readonly text: string;
  readonly fill?: number;
  readonly end?: string;
  readonly times?: number;
  readonly reads?: boolean;
  readonly mark?: string;
}

const message = (value: object) => `${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`;
const ping = message({ id: 1, method: "ping" });
const logged = message({ method: "notifications/message", params: { level: "info", data: "hi" } });
const LOGS = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"';

const floods: readonly (readonly [what: string, flood: Flood])[] = [
  ["a line without end", { text: "x" }],
  ["pings", { text: ping, reads: true }],
  ["log messages", { text: logged }],
  ["log messages of 8 MiB", { text: LOGS, fill: 8 * MIB, end: '"}}\n', times: 20 }],
];

const server = (flood: Flood, method: string) => [
  ...["--", process.execPath, program, JSON.stringify({ ...flood, method })],
];

/** The commands that start a server, with their arguments, and whether their output is read. */
const commands: Readonly<Record<string, (flood: Flood) => MeasuredCommand>> = {
  "mcp connect, whose output is not read": (flood) => {
    const args = ["mcp", "connect", ...server(flood, "tools/call")];
    const command = new MeasuredCommand(args, false);
    command.child.stdin?.write(linesOfClient());
    return command;
  },
  inspect: (flood) =>
    new MeasuredCommand(["inspect", "--no-web", ...server(flood, "tools/list")], true),
};

const idle: Flood = { text: "\n", times: 0 };

/** Runs a command against a flood; returns its peak memory. */
async function run(name: string, flood: Flood): Promise<readonly [MeasuredCommand, number]> {
  const mark = join(temporaryFolder("idewire-flood-"), "begun");
  const command = commands[name]?.({ ...flood, mark });
  if (command === undefined) throw new Error(name);
  const begun = (async () => {
    while (!existsSync(mark)) await sleep(20);
  })();
  return [command, await command.settled(begun)];
}

test.each(
  Object.keys(commands).map((name, at, all) => [name, floodsFor(floods, at, all.length)] as const),
)(
  "a program that floods its client costs at most four times the limit and 50 MB, and a signal ends it: %s",
  { skip: process.platform !== "linux", timeout: 900_000 },
  async (name, floods) => {
    const [, without] = await run(name, idle);
    const most = MOST_BYTES + (name === "inspect" ? LOG_BYTES : 0);
    for (const [what, flood] of floods) {
      const [command, peak] = await run(name, flood);
      expect(peak - without, what).toBeLessThan(most);
      expect(await command.interrupt(), what).toBeLessThan(MOST_EXIT_MS);
    }
  },
);
