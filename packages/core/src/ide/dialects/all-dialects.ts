import type { Dialect } from "../dialect.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini, qwen } from "./gemini.ts";

/**
 * A dialect for each family of agents, as the command serves them. Profiles of one family are not among them:
 * an agent connects on its own only where it finds one lock file for its folder.
 */
export const allDialects: readonly Dialect[] = [claudeCode, gemini, qwen, copilot, codex];
