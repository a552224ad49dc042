import { expect, test } from "vitest";
import { ideFixture } from "../../testing/ide-fixture.ts";
import { neovim, sendLogEvent } from "./neovim.ts";

const event = { eventName: "file_opened", eventData: { languageId: "lua" } };

test("an event is logged on request, once the agent is ready", async () => {
  const agent = ideFixture({ dialect: neovim }).connect();
  expect(sendLogEvent(agent.session, event)).toBe(false);
  expect(await agent.getReady()).toEqual([]);
  expect(sendLogEvent(agent.session, event)).toBe(true);
  expect(await agent.take()).toEqual([{ jsonrpc: "2.0", method: "log_event", params: event }]);
});

test("invalid arguments are protocol errors", async () => {
  const agent = ideFixture({ dialect: neovim }).connect();
  await agent.getReady();
  agent.start("openDiff", { old_file_path: 7 });
  const [answer] = await agent.take();
  expect(answer?.error).toMatchObject({ code: -32602 });
});
