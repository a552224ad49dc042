import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { RawIde } from "../src/hostile/raw-ide.ts";
import { builtBin } from "../src/line-program.ts";
import { wireFrame } from "../src/wire-frame.ts";

/** Five times the limit of two seconds after a signal. */
const AT_ONCE_MS = 10_000;

const selected = JSON.stringify({
  jsonrpc: "2.0",
  method: "selection_changed",
  params: {
    ...{ text: "x".repeat(500), filePath: "/a.txt", fileUrl: "file:///a.txt" },
    selection: {
      start: { line: 0, character: 0 },
      end: { line: 0, character: 1 },
      isEmpty: false,
    },
  },
});
const logged = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "error", data: "y".repeat(200) },
});
const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
const FLOOD = Buffer.concat(
  Array.from({ length: 200 }, (_, index) =>
    wireFrame({ opcode: 1, payload: Buffer.from([selected, logged, ping][index % 3] ?? "") }),
  ),
);

/** Sends endlessly, as fast as it is read. */
function flood(socket: Socket): void {
  const push = () => {
    while (!socket.destroyed && socket.write(FLOOD));
  };
  socket.on("drain", push);
  push();
}

/** How an editor treats its clients. */
const editors = {
  "accepts and is silent": { answer: undefined, act: () => undefined },
  "does not answer the upgrade": { answer: "", act: () => undefined },
  "sends without end": { answer: undefined, act: flood },
};
type Editor = keyof typeof editors;

const commands = {
  "inspect --as-agent": ["inspect", "--as-agent", "--no-web"],
  "inspect --as-agent --json": ["inspect", "--as-agent", "--no-web", "--json"],
  tail: ["tail"],
  "tail --json": ["tail", "--json"],
  check: ["check"],
  call: ["call", "getDiagnostics"],
};

async function start(command: keyof typeof commands, editor: Editor): Promise<ChildProcess> {
  const context = new AgentContext();
  const { answer, act } = editors[editor];
  const ide = await RawIde.open(context, answer);
  const child = run(context, commands[command]);
  act((await ide.connection(0)).socket);
  return child;
}

function run({ folder, fixture }: AgentContext, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [builtBin, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...fixture.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function exitOf(child: ChildProcess): Promise<unknown> {
  const exited = once(child, "exit");
  const timer = AbortSignal.timeout(AT_ONCE_MS);
  return Promise.race([
    exited.then(([code, signal]) => code ?? signal),
    once(timer, "abort").then(() => "still running"),
  ]);
}

const names = Object.keys(commands) as (keyof typeof commands)[];

/** How each command ends; in parallel, as they mostly wait. */
async function endingsOf(
  editor: Editor,
  end: (child: ChildProcess) => Promise<void>,
): Promise<object> {
  const endings = names.map(async (name) => {
    const child = await start(name, editor);
    await end(child);
    return [name, await exitOf(child)] as const;
  });
  return Object.fromEntries(await Promise.all(endings));
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const allWith = (code: number) => Object.fromEntries(names.map((name) => [name, code]));

test.each(Object.keys(editors) as Editor[])(
  "a signal ends every command at once whose editor %s, although its output is not read",
  async (editor) => {
    const ended = await endingsOf(editor, async (child) => {
      // Long enough to fill all pipes.
      await sleep(1_500);
      child.kill("SIGINT");
    });
    expect(ended).toEqual(allWith(130));
  },
);

test("SIGTERM ends every command at once whose editor sends without end, while that is read", async () => {
  const ended = await endingsOf("sends without end", async (child) => {
    child.stdout?.resume();
    child.stderr?.resume();
    await sleep(500);
    child.kill("SIGTERM");
  });
  expect(ended).toEqual(allWith(143));
});

test("a closed stdout ends each command that prints messages of its editor", async () => {
  const context = new AgentContext();
  const { host } = await context.serve();
  const printing = names.filter((name) => /^(?:inspect|tail)/.test(name));
  const children = printing.map((name) => run(context, commands[name]));
  await Promise.all(children.map(({ stdout }) => stdout && once(stdout, "data")));
  const flooding = setInterval(() => host.mention({ path: posixPath(context.folder) }), 1);
  onTestFinished(() => clearInterval(flooding));
  for (const { stdout } of children) stdout?.destroy();
  expect(await Promise.all(children.map(exitOf))).toEqual(printing.map(() => 0));
});

test("a server whose log is not read does not block its call", async () => {
  const context = new AgentContext();
  const server = `
    process.stdin.on("data", (data) => {
      for (const line of String(data).split("\\n").filter(Boolean)) {
        const { id, method } = JSON.parse(line);
        if (id === undefined) continue;
        for (let n = 0; n < 50_000; n += 1) process.stderr.write("x".repeat(100) + "\\n");
        const result = method === "initialize"
          ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
          : { content: [{ type: "text", text: "answered" }] };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      }
    });`;
  const file = join(context.folder, "server.cjs");
  writeFileSync(file, server);
  const args = ["mcp", "call", "t", "--era", "legacy", "--", process.execPath, file];
  const child = run(context, args);
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += String(chunk);
  });
  const [code] = (await once(child, "exit")) as [number | null];
  expect([output, code]).toEqual(["answered\n", 0]);
});
