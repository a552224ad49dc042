import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  answerLimits,
  askingModeWords,
  isAskingMode,
  isObject,
  parseJson,
  shellQuote,
} from "@idewire/core/internal";
import type { EditorFile } from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { homeDirectory } from "@idewire/node-server/internal/files";
import {
  type DoctorContext,
  failed,
  ok,
  type StepDefinition,
  type StepFinding,
  type,
  warning,
} from "./step.ts";

/** Older ones do not reconnect when the editor restarts (docs/clients/claude-code.md, Reconnecting). */
const OLDEST_MAJOR = 2;

/** Claude Code, if installed, is new enough. */
export const clientStep: StepDefinition = {
  id: "client",
  title: "Claude Code",
  async run({ env }) {
    const output = await askVersion("claude", env);
    if (output === undefined) {
      return warning(
        "Claude Code was not found on the PATH",
        type("If you use it, install it", "npm install -g @anthropic-ai/claude-code"),
      );
    }
    const version = /\d+(?:\.\d+)*/.exec(output)?.[0];
    if (version === undefined || Number.parseInt(version, 10) >= OLDEST_MAJOR) {
      return ok(version ?? "it does not report its version");
    }
    return failed(
      `version ${version} is too old: it does not reconnect, and counts lines from 0`,
      type("Update it", "claude update"),
      type("Or, where npm has installed it", "npm install -g @anthropic-ai/claude-code"),
    );
  },
};

/** The output of a program's `--version`; undefined if the program is missing. */
function askVersion(program: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: 5_000, windowsHide: true };
    execFile(program, ["--version"], options, (error, stdout) => {
      resolve(error === null ? stdout.slice(0, 200) : undefined);
    });
  });
}

/** Claude Code connects by itself, and shows its changes in the editor. */
export const settingsStep: StepDefinition = {
  id: "settings",
  title: "its settings",
  async run({ env, cwd }) {
    const faults = [...environmentFaults(env), ...(await settingsFaults(env, cwd))];
    if (faults.length === 0) return ok("nothing prevents it from connecting or showing diffs");
    return warning(faults.map(([what]) => what).join("; "), ...faults.map(([, fix]) => fix));
  },
};

/** A setting, and the remedy. */
type SettingsFault = readonly [what: string, fix: string];

function environmentFaults(env: Environment): readonly SettingsFault[] {
  const faults: SettingsFault[] = [];
  if (env["CLAUDE_CODE_AUTO_CONNECT_IDE"] === "false") {
    const fix = "Unset CLAUDE_CODE_AUTO_CONNECT_IDE: it overrides --ide. Or type /ide.";
    faults.push(["CLAUDE_CODE_AUTO_CONNECT_IDE is false", fix]);
  }
  if (env["FORCE_CODE_TERMINAL"] && !env["CLAUDE_CODE_SSE_PORT"]) {
    const fix = "Unset FORCE_CODE_TERMINAL: it requires that the editor started the agent.";
    faults.push(["FORCE_CODE_TERMINAL is set", fix]);
  }
  return faults;
}

async function settingsFaults(env: Environment, cwd: string): Promise<readonly SettingsFault[]> {
  const faults: SettingsFault[] = [];
  const home = homeDirectory(env);
  const config = env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  const global = await readObject(
    env["CLAUDE_CONFIG_DIR"] ? join(config, ".claude.json") : join(home, ".claude.json"),
  );
  const tool = global["diffTool"];
  if (tool !== undefined && tool !== "auto") {
    const fix = "To review diffs in the editor, set diffTool to auto (/config in Claude Code).";
    faults.push([`diffTool is ${JSON.stringify(tool)}: diffs are shown in the terminal only`, fix]);
  }
  const files = [
    join(cwd, ".claude", "settings.local.json"),
    join(cwd, ".claude", "settings.json"),
    join(config, "settings.json"),
  ];
  for (const file of files) {
    const { permissions } = await readObject(file);
    const mode = isObject(permissions) ? permissions["defaultMode"] : undefined;
    if (mode === undefined || isAskingMode(mode)) continue;
    const fix = `To review each diff in the editor, start in ${askingModeWords}: permissions.defaultMode in ${file}, or Shift+Tab in Claude Code.`;
    faults.push([`the permission mode is ${JSON.stringify(mode)}: ${describeMode(mode)}`, fix]);
    break;
  }
  return faults;
}

function describeMode(mode: unknown): string {
  switch (mode) {
    case "plan":
      return "nothing is written, and no diff is shown, until you leave plan mode";
    case "acceptEdits":
    case "auto":
    case "bypassPermissions":
      return "files are written without a review in the editor";
    default:
      return "diffs may not be shown in the editor";
  }
}

async function readObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = parseJson(await readFile(file, "utf8"), answerLimits);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** opencode looks only in the home directory, uses the newest file, and tries no other. */
export const opencodeStep: StepDefinition = {
  id: "opencode",
  title: "opencode",
  needs: "process",
  async run(context) {
    const directory = join(homeDirectory(context.env), ".claude", "ide");
    const { editor } = context;
    if (editor !== undefined && dirname(editor.lockFile) !== directory) {
      return warning(
        `it reads ${directory} only, and the lock file is ${editor.lockFile}`,
        "For opencode, start the editor without CLAUDE_CONFIG_DIR.",
      );
    }
    return assessFirst(firstForOpencode(context, directory));
  },
};

function assessFirst(first: EditorFile | undefined): StepFinding {
  if (first?.stale === undefined) return ok("it would use the same lock file");
  return warning(
    `it uses the newest lock file, which is stale: ${first.path}: ${first.stale.why}`,
    type("Remove it: opencode tries no other", `rm ${shellQuote(first.path)}`),
  );
}

/** By its own rules (docs/clients/opencode.md, Discovery): the longest folder, then the newest. */
function firstForOpencode({ matching }: DoctorContext, directory: string): EditorFile | undefined {
  return matching
    .filter(({ path, port, lock, folder }) => {
      const speaks = lock?.transport === undefined || lock.transport === "ws";
      return dirname(path) === directory && port !== undefined && folder !== undefined && speaks;
    })
    .sort((left, right) => {
      const byLength = (right.folder?.length ?? 0) - (left.folder?.length ?? 0);
      return byLength || right.modifiedMs - left.modifiedMs;
    })[0];
}
