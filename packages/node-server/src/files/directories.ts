import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";

/** The variables that say where a user's files are. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home, as the agents find it. */
export function homeDirectory(env: Environment): string {
  const named = process.platform === "win32" ? env["USERPROFILE"] : env["HOME"];
  // An empty HOME makes homedir() empty too; a token must not land in the working directory.
  return resolve(named || homedir() || userInfo().homedir);
}

/**
 * Where we publish for Claude Code: `$CLAUDE_CONFIG_DIR/ide`, else `~/.claude/ide`, which is also
 * where opencode looks, whatever the variable says (docs/clients, Discovery of either).
 */
export function claudeIdeDirectory(env: Environment): string {
  return claudeIdeDirectories(env)[0];
}

/** Where Claude Code looks: in both, when `CLAUDE_CONFIG_DIR` is set. */
export function claudeIdeDirectories(env: Environment): readonly [string, ...string[]] {
  const home = join(homeDirectory(env), ".claude", "ide");
  const configured = env["CLAUDE_CONFIG_DIR"];
  return configured ? [resolve(configured, "ide"), home] : [home];
}

/** Where idewire remembers things between two runs, by the rules of each system. */
export function stateDirectory(env: Environment): string {
  const home = homeDirectory(env);
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "idewire");
  if (process.platform === "win32") {
    return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "idewire");
  }
  const state = env["XDG_STATE_HOME"];
  // A relative one is invalid by the XDG base directory specification.
  return state?.startsWith("/") === true
    ? join(state, "idewire")
    : join(home, ".local", "state", "idewire");
}
