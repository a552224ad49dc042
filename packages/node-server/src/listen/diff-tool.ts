import { join } from "node:path";
import { isObject, parseJson } from "@idewire/core/internal";
import { type Environment, homeDirectory } from "../files/directories.ts";
import { readSmallFile } from "../files/small-file.ts";

/** It has the history of all projects in it. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Whether the person has chosen that Claude Code shows its changes in its own terminal (`diffTool`,
 * docs/clients/claude-code.md, Diffs): then it asks there, and calls no editor.
 */
export async function asksInTerminal(env: Environment): Promise<boolean> {
  const folder = env["CLAUDE_CONFIG_DIR"] || homeDirectory(env);
  try {
    const settings: unknown = parseJson(
      await readSmallFile(join(folder, ".claude.json"), { maxBytes: MAX_BYTES }),
      { maxValues: MAX_BYTES },
    );
    return isObject(settings) && settings["diffTool"] === "terminal";
  } catch {
    return false;
  }
}
