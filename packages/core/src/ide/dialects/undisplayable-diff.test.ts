import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import type { Dialect } from "../dialect.ts";
import { claudeCode } from "./claude-code.ts";
import { copilot } from "./copilot.ts";
import { gemini, qwen } from "./gemini.ts";

// An editor that cannot display a text has made no decision: the person answers in the agent's terminal.

const REASON = "the editor cannot display this text";

async function propose(dialect: Dialect, tool: string, args: object) {
  const host = fakeEditorHost({
    async openDiff() {
      throw new ToolFailure(REASON);
    },
  });
  const agent = ideFixture({ dialect }, host).connect();
  await agent.getReady();
  const id = agent.start(tool, args);
  const received = await agent.take();
  const others = received.filter((message) => message.id !== id);
  return { answer: received.find((message) => message.id === id)?.result, others };
}

const titled = { new_file_contents: "new\n", tab_name: "t" };

test.each([
  {
    ...{ dialect: claudeCode, tool: "openDiff" },
    args: { old_file_path: "/vault/a", new_file_path: "/vault/a", ...titled },
  },
  {
    ...{ dialect: copilot, tool: "open_diff" },
    args: { original_file_path: "/vault/a", ...titled },
  },
])("$dialect.id gets the error of a diff that cannot be displayed", async (row) => {
  const { answer, others } = await propose(row.dialect, row.tool, row.args);
  expect(answer).toMatchObject({ isError: true, content: [{ type: "text", text: REASON }] });
  expect(others).toEqual([]);
});

test.each([gemini, qwen])(
  "$id is sent nothing about a diff that cannot be displayed",
  async (dialect) => {
    const args = { filePath: "/vault/a", newContent: "new\n" };
    const { answer, others } = await propose(dialect, "openDiff", args);
    expect(answer).toMatchObject({ content: [] });
    expect(others).toEqual([]);
  },
);
