import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { RawIde } from "../src/hostile/raw-ide.ts";
import { beginInspect, eventsOf, openAgent } from "../src/inspect-context.ts";
import { RawClient } from "../src/raw-client.ts";
import { openWorkspace, startServe } from "../src/reference-clients/serve-context.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { wireFrame } from "../src/wire-frame.ts";

const MB = 1_000_000;
/** Slow answers take much less than this, and a hang takes much more. */
const MAX_ANSWER_MS = 10_000;

describe("an observer can neither end nor delay the connection that it observes", () => {
  test.each([6, 15])(
    "serve --web answers others while one client sends a frame of %i MB",
    async (size) => {
      const workspace = openWorkspace();
      const serve = startServe(workspace, { flags: ["--web", "--no-open"] });
      const lockFile = String((await serve.event("listening"))["lockFile"]);
      const otherClient = await RawClient.ready(lockFile);
      const hostile = await RawClient.ready(lockFile);
      hostile.send({ jsonrpc: "2.0", method: "word", params: { text: "x".repeat(size * MB) } });
      const before = performance.now();
      for (let count = 0; count < 20; count += 1) {
        expect(await otherClient.request("ping")).toMatchObject({ result: {} });
      }
      expect(performance.now() - before).toBeLessThan(MAX_ANSWER_MS);
      expect(await hostile.request("ping")).toMatchObject({ result: {} });
    },
  );

  test("inspect --record forwards frames of 6 and 15 MB, and keeps their beginning", async () => {
    const context = new AgentContext();
    const ide = await RawIde.open(context);
    const { run, port, token } = await beginInspect(context, "--record", "trace.jsonl");
    const socket = openAgent({ port, token }, { maxPayload: 1 << 25 });
    await once(socket, "open");
    const { socket: connection } = await ide.connection();
    for (const size of [6, 15]) {
      const received = once(socket, "message");
      connection.write(wireFrame({ opcode: 1, payload: Buffer.alloc(size * MB, "x") }));
      const [data] = (await received) as [Buffer];
      expect(data.length).toBe(size * MB);
    }
    await until("both are shown", () => eventsOf(run, "frame").length === 2);
    run.signal("SIGTERM");
    await run.exited;
    const lines = readFileSync(join(context.folder, "trace.jsonl"), "utf8").trim().split("\n");
    const frames = lines.map((line) => JSON.parse(line) as { ev?: string; cut?: number });
    expect(frames.filter(({ ev }) => ev === "frame").map(({ cut }) => cut)).toEqual([
      6 * MB,
      15 * MB,
    ]);
  });
});
