import type { PathMap } from "@idewire/core";
import type { DoctorStep } from "@idewire/devtools/page-protocol";
import { findEditors } from "../discovery/find-editors.ts";
import type { Environment } from "../files/directories.ts";
import type { OwnConnections } from "../process/own-connections.ts";
import { clientCheck, opencodeCheck, settingsCheck } from "./agent-steps.ts";
import { handshakeCheck, portCheck, upgradeCheck } from "./connection-steps.ts";
import { directoryCheck, folderCheck, resumeCheck } from "./folder-steps.ts";
import { filesCheck, matchCheck, matchingFiles, onlyCheck, processCheck } from "./lock-steps.ts";
import { type Check, type Context, type Finding, mapTexts, skipped } from "./step.ts";

/** In the order in which an agent comes to them. */
const CHECKS: readonly Check[] = [
  folderCheck,
  directoryCheck,
  resumeCheck,
  filesCheck,
  matchCheck,
  processCheck,
  onlyCheck,
  portCheck,
  upgradeCheck,
  handshakeCheck,
  clientCheck,
  settingsCheck,
  opencodeCheck,
];

/** One check and what it has found. */
export type Step = DoctorStep;

/** Of which agent the way is gone. */
export interface Question {
  readonly cwd: string;
  readonly env: Environment;
  readonly pathMap?: PathMap | undefined;
  /** Remembers which connections are the doctor's. */
  readonly own?: OwnConnections;
  /** Each step, as soon as it is gone. */
  readonly onstep?: (step: Step) => void;
}

/** How many steps there are. */
export const STEP_COUNT: number = CHECKS.length;

/** Goes the way of an agent from its working directory to an editor, and tells of each step. */
export async function examine(question: Question): Promise<readonly Step[]> {
  const { cwd, env, pathMap, own, onstep } = question;
  const search = await findEditors({ cwd, env, pathMap });
  const others = await findEditors({ cwd, env, pathMap, kind: "jetbrains" });
  const context: Context = {
    env,
    cwd,
    search,
    others: others.files,
    matching: matchingFiles(search),
    editor: search.editors[0],
    own,
  };
  const steps = new Map<string, Step>();
  for (const check of CHECKS) {
    const { id, title } = check;
    const finding = withoutTokens(await runCheck(check, context, steps), context);
    const step = { id, title, ...finding };
    steps.set(id, step);
    onstep?.(step);
  }
  return [...steps.values()];
}

async function runCheck(
  check: Check,
  context: Context,
  steps: ReadonlyMap<string, Step>,
): Promise<Finding> {
  const needed = check.needs === undefined ? undefined : steps.get(check.needs);
  if (needed?.outcome === "failed" || needed?.outcome === "skipped") {
    return skipped(`not looked at: ${needed.title}`);
  }
  return check.run(context);
}

/** What answers on a port may say what it was told; no token is ever shown. */
function withoutTokens(finding: Finding, { search }: Context): Finding {
  const tokens = search.files
    .flatMap(({ lock }) => lock?.authToken ?? [])
    .filter(({ length }) => length > 7);
  return mapTexts(finding, (text) =>
    tokens.reduce((words, token) => words.replaceAll(token, "(the token)"), text),
  );
}
