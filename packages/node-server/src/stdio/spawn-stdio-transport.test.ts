import { PassThrough } from "node:stream";
import type { CloseReason } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { spawnMcp } from "./spawn-mcp.ts";
import { type SpawnStdioOptions, spawnStdioTransport } from "./spawn-stdio-transport.ts";

/** A child that runs a line of JavaScript, and its output. */
function startChild(code: string, options: SpawnStdioOptions = {}) {
  const transport = spawnStdioTransport(process.execPath, ["-e", code], options);
  const frames: string[] = [];
  let received: (frame: string) => void = () => {};
  const firstFrame = new Promise<string>((resolve) => {
    received = resolve;
  });
  transport.onframe = (frame) => {
    frames.push(frame);
    received(frame);
  };
  const closed = new Promise<CloseReason>((resolve) => {
    transport.onclose = resolve;
  });
  return { transport, frames, firstFrame, closed };
}

const READY = 'console.log("ready");';
const STAY = "setInterval(() => {}, 1000);";
const IGNORE_TERM = 'process.on("SIGTERM", () => {});';

test("a child that exits is reported with its exit code", async () => {
  const good = startChild('console.log("1"); process.stdout.write("2")');
  expect(await good.closed).toEqual({ code: 1000, reason: "exit code 0" });
  expect(good.frames).toEqual(["1", "2"]);
  const bad = startChild("process.exit(3)");
  expect(await bad.closed).toEqual({ code: 1006, reason: "exit code 3" });
  const killed = startChild('process.kill(process.pid, "SIGKILL")');
  expect(await killed.closed).toEqual({ code: 1006, reason: "ended by SIGKILL" });
});

test("a program that is missing is reported with its name", async () => {
  const transport = spawnStdioTransport("idewire-no-such-program");
  transport.send("lost");
  const reason = await new Promise<CloseReason>((resolve) => {
    transport.onclose = resolve;
  });
  const words = '"idewire-no-such-program" cannot be started (ENOENT)';
  expect(reason).toEqual({ code: 1006, reason: words });
});

test("a command that contains its arguments, or is not a string, is refused with the remedy", async () => {
  const client = { name: "client", version: "1.0.0" };
  const joined = spawnMcp({ command: "node server.js" }, client);
  await expect(joined).rejects.toThrow(
    '"node server.js" cannot be started (ENOENT): pass its arguments separately',
  );
  const bare = spawnMcp("node" as never, client);
  await expect(bare).rejects.toThrow("spawnMcp, command: expected a text, got nothing");
});

test("a server that exits before it answers is named, with how it exited", async () => {
  const client = { name: "client", version: "1.0.0" };
  const early = spawnMcp({ command: process.execPath, args: ["-e", "process.exit(3)"] }, client);
  const words = `${JSON.stringify(process.execPath)} exited before it answered: exit code 3`;
  await expect(early).rejects.toThrow(words);
});

test("closing ends the input first, and waits for the child's reaction", async () => {
  const { transport, firstFrame, closed } = startChild(
    `${READY} process.stdin.resume().on("end", () => setTimeout(() => process.exit(0), 200))`,
    { endTimeoutMs: 20_000 },
  );
  await firstFrame;
  transport.close();
  expect(await closed).toEqual({ code: 1000, reason: "exit code 0" });
});

test("a child that ignores the end of its input gets SIGTERM", async () => {
  const { transport, firstFrame, closed } = startChild(`${STAY} ${READY}`, { endTimeoutMs: 100 });
  await firstFrame;
  transport.close();
  expect(await closed).toEqual({ code: 1000, reason: "ended by SIGTERM" });
});

test("a child that also ignores SIGTERM gets SIGKILL", async () => {
  const { transport, firstFrame, closed } = startChild(`${IGNORE_TERM} ${STAY} ${READY}`, {
    endTimeoutMs: 100,
    terminateTimeoutMs: 100,
  });
  await firstFrame;
  transport.close();
  expect(await closed).toEqual({ code: 1000, reason: "ended by SIGKILL" });
});

test("a grandchild may hold the output open: the end of the child counts", async () => {
  const { closed, frames } = startChild(
    `const heir = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(STAY)}],
      { stdio: ["ignore", "inherit", "ignore"], detached: true });
    heir.unref();
    console.log(heir.pid);
    process.exit(0)`,
  );
  // The child that inherits the output lives until it is asked to end.
  expect(await closed).toEqual({ code: 1000, reason: "exit code 0" });
  expect(frames).toEqual([expect.stringMatching(/^\d+$/)]);
  expect(process.kill(Number(frames[0]), "SIGKILL")).toBe(true);
});

test("stderr is passed on unchanged, and never read as frames", async () => {
  const stderr = new PassThrough();
  const { closed, frames } = startChild('console.error("{}"); console.log("1")', { stderr });
  await closed;
  expect(String(stderr.read())).toBe("{}\n");
  expect(frames).toEqual(["1"]);
});
