import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "./published-agents/agent-terminal.ts";
import { openWorkspace, type Workspace } from "./reference-clients/serve-context.ts";
import { anthropicWire } from "./scripted-model/anthropic-wire.ts";
import { ScriptedModel } from "./scripted-model/scripted-model.ts";

/** The real Claude Code, which is not a dependency. */
export const claude: string | undefined = programOf("claude");
const missing = "IDEWIRE_AGENTS names no folder in which it is installed";
if (claude === undefined) console.info(`not tried: Claude Code (${missing})`);

/** The name of a test of Claude Code; if it is not installed, the name says so. */
export function claudeTestName(name: string): string {
  return claude === undefined ? `Claude Code is missing: ${missing}` : name;
}

export interface ClaudeHome {
  readonly workspace: Workspace;
  /** The environment of Claude Code. */
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedModel;
}

/** A folder, a home in which Claude Code asks nothing at its start, and a scripted model. */
export async function openClaudeHome(): Promise<ClaudeHome> {
  const workspace = openWorkspace("config-dir", "project");
  const { folder, env } = workspace;
  const config = env.CLAUDE_CONFIG_DIR ?? "";
  mkdirSync(config, { recursive: true });
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const settings = {
    ...{ hasCompletedOnboarding: true, theme: "dark", projects: { [folder]: trusted } },
    customApiKeyResponses: { approved: ["00000000000000000000"], rejected: [] },
  };
  writeFileSync(join(config, ".claude.json"), JSON.stringify(settings));
  const model = await new ScriptedModel(anthropicWire).listen();
  const agentEnv = {
    ...env,
    ...{ ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: "of-no-use-00000000000000000000" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", TERM: "xterm" },
  };
  return { workspace, env: agentEnv, model };
}
