import { Command } from "commander";
import { cwdOption } from "../flags/agent-flags.ts";
import { describe } from "../help/manual.ts";
import { ExitCode, signals, usage } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { offerVaultTools } from "./vault-tools.ts";

/** `idewire vault-tools`; `onExit` gets the exit code. */
export function createVaultToolsCommand(io: CliIo, onExit: (code: number) => void): Command {
  const command = new Command("vault-tools").addOption(cwdOption());
  describe(command, {
    description: [
      "For agents that start MCP servers by a command: it forwards messages to the vault that contains the folder, whose plugin offers the tools. Port and token are found automatically.",
    ],
    exits: [
      [ExitCode.Ok, "the agent has disconnected"],
      [ExitCode.Failed, "no vault around the folder offers tools"],
      usage,
      ...signals,
    ],
    environment: ["HOME", "XDG_STATE_HOME"],
    files: ["~/.local/state/idewire/"],
    examples: [
      [
        "claude mcp add vault -- npx idewire vault-tools --cwd ~/Notes",
        "add a vault's tools to Claude Code",
      ],
    ],
  });
  return command.action(async ({ cwd }: { readonly cwd?: string }) => {
    onExit(await offerVaultTools(cwd, io));
  });
}
