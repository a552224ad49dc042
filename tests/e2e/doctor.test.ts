import { expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { examine } from "../src/doctor-report.ts";
import { startServe } from "../src/reference-clients/serve-context.ts";

test("an editor stopped by Ctrl-Z is distinguished from one that has ended", async () => {
  const context = new AgentContext();
  const { fixture, folder } = context;
  const serve = startServe({ fixture, folder, env: fixture.env });
  await serve.event("listening");
  serve.kill("SIGSTOP");
  const stopped = await examine(context);
  expect([stopped.fault, stopped.advice]).toEqual(["port", expect.stringContaining("fg in its")]);
  expect(stopped.detail).toMatch(
    /answers TCP, not MCP, .*: its window may be waiting for an answer$/,
  );
  serve.kill("SIGCONT");
  await expect.poll(async () => (await examine(context)).ok).toBe(true);
});
