import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "./reference-clients/serve-context.ts";
import { listenAsClaudeModel } from "./scripted-claude.ts";
import type { ScriptedHttpServer } from "./scripted-http-server.ts";

/** Claude Code itself, which is not among our packages: IDEWIRE_CLAUDE=<path of its executable>. */
export const claude: string | undefined = process.env["IDEWIRE_CLAUDE"];
const missing = "IDEWIRE_CLAUDE names no executable of it";
if (claude === undefined) console.info(`not tried: Claude Code (${missing})`);

/** The name of a test of Claude Code; where it is missing, the reason. */
export function claudeTestName(name: string): string {
  return claude === undefined ? `Claude Code is missing: ${missing}` : name;
}

export interface ClaudeHome {
  readonly workspace: Workspace;
  /** The environment of Claude Code. */
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedHttpServer;
}

/** A folder with a home in which Claude Code asks nothing at its start, and a model of our own. */
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
  const model = await listenAsClaudeModel();
  const agentEnv = {
    ...env,
    ...{ ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: "of-no-use-00000000000000000000" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", TERM: "xterm" },
  };
  return { workspace, env: agentEnv, model };
}
