import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { RawClient } from "../src/raw-client.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { propose } from "../src/terminal-context.ts";

test("a stalled reader of events costs at most 16 MiB and an event, and its agents are disconnected", async () => {
  const fixture = openFixture();
  const run = new CliRun(fixture, { args: ["serve", "--script"] });
  const { lockFile } = await run.event("listening");
  const agent = await RawClient.ready(String(lockFile));
  await run.event("initialized");
  run.stdout.pause();
  for (let number = 0; number < 8; number++) {
    void propose(agent, join(fixture.workspace, `${number}.txt`), "x".repeat(4 << 20)).catch(
      () => {},
    );
  }
  expect(await agent.closed).toEqual({ code: 1013, reason: "the reader of our events is slow" });
  expect(run.stdout.writableLength).toBeLessThan(21 << 20);
  const another = await RawClient.open(String(lockFile));
  expect((await another.closed).code).toBe(1013);
  run.stdout.resume();
  const { message } = await run.event("error");
  expect(message).toMatch(/^the reader of our events is slow: \d+ events were dropped/);
  await RawClient.ready(String(lockFile));
  expect(run.events.map((event) => event["seq"])).toEqual(run.events.map((_, at) => at + 1));
});

test("the command ends within 2 s even when its output is not read", async () => {
  const fixture = openFixture();
  const run = new CliRun(fixture, { args: ["serve", "--script"] });
  const { lockFile } = await run.event("listening");
  const agent = await RawClient.ready(String(lockFile));
  run.stdout.pause();
  void propose(agent, join(fixture.workspace, "a.txt"), "x".repeat(4 << 20)).catch(() => {});
  await expect.poll(() => run.stdout.writableLength).toBeGreaterThan(4 << 20);
  const start = performance.now();
  run.type({ do: "stop" });
  expect(await run.exited).toBe(0);
  await expect.poll(() => run.exits).toEqual([0]);
  // Ten times the limit, as the machine may be busy.
  expect(performance.now() - start).toBeLessThan(TIMEOUT_MS);
  expect(readdirSync(dirname(String(lockFile)))).toEqual([]);
});
