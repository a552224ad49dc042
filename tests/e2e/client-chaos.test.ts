import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { resumeTask } from "@idewire/core/client";
import type { OpenTransport } from "@idewire/core/internal";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { bundleProgram } from "../src/bundled-program.ts";
import {
  type ChaosClientOptions,
  connectInChaos,
  openHttp,
  type Way,
  ways,
} from "../src/chaos/chaos-client.ts";
import { WATCHED } from "../src/chaos/chaos-server.ts";
import { expectRuns, expectUsable, type Operation, outcomeOf } from "../src/chaos/outcomes.ts";
import { isAlive } from "../src/is-alive.ts";
import { removeFolder } from "../src/remove-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "idewire-chaos-"));
const serverProgram = join(folder, "server.mjs");
const callerProgram = join(folder, "caller.mjs");

beforeAll(async () => {
  await Promise.all([
    bundleProgram(new URL("../src/chaos/chaos-program.ts", import.meta.url), serverProgram),
    bundleProgram(new URL("../src/chaos/chaos-caller.ts", import.meta.url), callerProgram),
  ]);
});
afterAll(() => removeFolder(folder));

/** The records of a server and its restarts. */
class Notes {
  static #count = 0;
  readonly file: string;

  constructor() {
    Notes.#count += 1;
    this.file = join(folder, `notes-${Notes.#count}`);
  }

  /** How often the call of a key has run. */
  runs(key: string): number {
    return this.#lines.filter((each) => each === key).length;
  }

  /** The process id of the latest server. */
  get pid(): number {
    return Number(this.#lines.findLast((each) => each.startsWith("pid "))?.slice(4));
  }

  get #lines(): readonly string[] {
    try {
      return readFileSync(this.file, "utf8").split("\n");
    } catch {
      return [];
    }
  }
}

function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("no output");
  const [line] = (await once(createInterface({ input: stdout }), "line")) as [string];
  return line;
}

/** A server that a test kills. */
interface Victim {
  readonly notes: Notes;
  /** What a caller in a separate process needs to reach it. */
  readonly address: readonly string[];
  readonly open: OpenTransport;
  /** Starts it again; on stdio the client does so. */
  restart(): Promise<void>;
}

async function serve(way: Way): Promise<Victim> {
  const notes = new Notes();
  const { file } = notes;
  if (way.endsWith("stdio")) {
    const [command, args] = [process.execPath, [serverProgram, file]] as const;
    const open = () => spawnStdioTransport(command, args);
    return { notes, open, address: [command, ...args], restart: async () => {} };
  }
  const port = await firstLine(start(serverProgram, [file, "0"]));
  return {
    notes,
    address: [port],
    open: openHttp(way, Number(port)),
    async restart() {
      await firstLine(start(serverProgram, [file, port]));
    },
  };
}

const kill = ({ notes }: Victim) => process.kill(notes.pid, "SIGKILL");

async function connect(way: Way, { open }: Victim, options: ChaosClientOptions = {}) {
  const client = await connectInChaos(way, open, options);
  onTestFinished(() => client.close());
  return client;
}

/** The ways in which a server can be reached; for tasks, those that support them. */
const waysOf = (operation: Operation): readonly Way[] =>
  operation === "task" ? ways.filter((way) => way.startsWith("modern")) : ways;

const operations = ["call", "question", "task"] as const;

test.each(operations)(
  "a %s whose server is killed in it is answered or reported as lost, and never run twice",
  async (operation) => {
    const kills = waysOf(operation).map(async (way) => {
      const victim = await serve(way);
      const { notes } = victim;
      const isAsked = operation === "question";
      const client = await connect(way, victim, { onquestion: () => void kill(victim) });
      const options = { onProgress: () => {} };
      const call = outcomeOf(client.callTool(operation, { key: "k", wait: !isAsked }, options));
      if (!isAsked) {
        await expect.poll(() => notes.runs("k"), { message: way }).toBe(1);
        kill(victim);
      }
      await expect.poll(() => isAlive(notes.pid), { message: way }).toBe(false);
      await victim.restart();
      const outcome = await call;
      expectRuns(notes.runs("k"), outcome, way);
      await expectUsable(client);
      return outcome;
    });
    expect(new Set(await Promise.all(kills))).toEqual(new Set(["lost"]));
  },
);

test("a listener whose server is killed is notified of possible changes", async () => {
  const kills = ways.map(async (way) => {
    const victim = await serve(way);
    const client = await connect(way, victim);
    const onUpdated = vi.fn();
    await client.subscribeResource(WATCHED, onUpdated);
    kill(victim);
    await expect.poll(() => isAlive(victim.notes.pid), { message: way }).toBe(false);
    await victim.restart();
    await expect.poll(() => onUpdated.mock.calls.length, { message: way }).toBeGreaterThan(0);
  });
  await Promise.all(kills);
  expect(kills).toHaveLength(ways.length);
});

test.each(operations)(
  "a client that is killed in a %s leaves its server to the others, and nothing is run twice",
  async (operation) => {
    const kills = waysOf(operation).map(async (way) => {
      const { notes, address, open } = await serve(way);
      const caller = start(callerProgram, [way, operation, "k", ...address]);
      if (operation === "question") expect(await firstLine(caller)).toBe("asked");
      const taskId = operation === "task" ? (await firstLine(caller)).split(" ")[1] : undefined;
      const runs = operation === "question" ? 0 : 1;
      await expect.poll(() => notes.runs("k"), { message: way }).toBe(runs);
      caller.kill("SIGKILL");
      await once(caller, "exit");
      if (way.endsWith("stdio")) {
        await expect.poll(() => isAlive(notes.pid), { message: way }).toBe(false);
      } else {
        const client = await connectInChaos(way, open);
        await expectUsable(client);
        if (taskId !== undefined) {
          await client.callTool("release", { key: "k" });
          const done = { content: [{ type: "text", text: "k" }] };
          expect(await resumeTask(client, taskId)).toMatchObject(done);
        }
        client.close();
      }
      expect(notes.runs("k"), way).toBe(runs);
    });
    await Promise.all(kills);
    expect(kills.length).toBeGreaterThan(0);
  },
);
