import { expect, test } from "vitest";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { ideFixture } from "../../testing/ide-fixture.ts";
import type { Dialect } from "../dialect.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeCodeSpec } from "./claude-code-spec.ts";
import { copilot } from "./copilot.ts";
import { jetBrains } from "./jetbrains.ts";
import { neovim } from "./neovim.ts";

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly annotations: { readonly readOnlyHint: boolean };
}

async function listed(dialect: Dialect): Promise<readonly Listed[]> {
  const agent = ideFixture({ dialect }, fakeEditorHost()).connect();
  await agent.getReady();
  agent.request("tools/list");
  const [answer] = await agent.take();
  const result = answer?.result as { readonly tools: readonly Listed[] } | undefined;
  return result?.tools ?? [];
}

test.each<[string, Dialect, string]>([
  ["claude-code", claudeCode, "close_tab closeAllDiffTabs saveDocument"],
  ["neovim", neovim, "close_tab closeAllDiffTabs saveDocument"],
  ["jetbrains", jetBrains, "close_tab reformat_file"],
  ["copilot", copilot, "close_diff update_session_name"],
  ["claude-code-spec", claudeCodeSpec, "reformat_file close_tab"],
])("%s describes every tool, and names those that change something", async (_, dialect, names) => {
  const tools = await listed(dialect);
  for (const { name, description } of tools) expect(description, name).toMatch(/\w+ \w+/);
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(changing.map(({ name }) => name).join(" ")).toBe(names);
});
