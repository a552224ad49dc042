import { allDialects, type PathMap } from "@idewire/core";
import { type DiscoveryFormat, jetBrainsDiscovery, redactKnown } from "@idewire/core/internal";
import type { DoctorStep } from "@idewire/devtools/internal";
import { findEditors } from "@idewire/node-server";
import { isAtPort, type OwnConnections } from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { clientStep, opencodeStep, settingsStep } from "./agent-steps.ts";
import { codexStep } from "./codex-step.ts";
import { handshakeStep, portStep, upgradeStep } from "./connection-steps.ts";
import { familySteps } from "./family-steps.ts";
import { directoryStep, folderStep, resumeStep } from "./folder-steps.ts";
import { filesStep, matchingFiles, matchStep, onlyStep, processStep } from "./lock-steps.ts";
import {
  type DoctorContext,
  mapTexts,
  type StepDefinition,
  type StepFinding,
  skipped,
} from "./step.ts";

/** All steps of the doctor, in the order in which an agent takes them. */
const STEPS: readonly StepDefinition[] = [
  folderStep,
  directoryStep,
  resumeStep,
  filesStep,
  matchStep,
  processStep,
  onlyStep,
  portStep,
  upgradeStep,
  handshakeStep,
  clientStep,
  settingsStep,
  opencodeStep,
  codexStep,
];

/** Where the doctor looks for an editor. */
export interface ExamineOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly pathMap?: PathMap | undefined;
  /** Registers the doctor's own connections. */
  readonly own?: OwnConnections;
  /** Called with each step as soon as it is done, and the number of steps. */
  readonly onstep?: (step: DoctorStep, count: number) => void;
}

/** The agents that read the other files. */
const otherFamilies: readonly { readonly format: DiscoveryFormat; readonly readers: string }[] = [
  { format: jetBrainsDiscovery, readers: "clients of the jetbrains dialect" },
  ...allDialects.flatMap(({ agent, endpoint: { discovery: format } }) =>
    agent === undefined || format === undefined
      ? []
      : [{ format, readers: `sessions of ${agent.title}` }],
  ),
];

/** Follows an agent from its working directory to an editor, and reports each step. */
export async function examine(options: ExamineOptions): Promise<readonly DoctorStep[]> {
  const { cwd, env, pathMap, own, onstep } = options;
  const search = await findEditors({ cwd, env, pathMap });
  const others = await Promise.all(
    otherFamilies.map(async ({ format, readers }) => {
      const { files } = await findEditors({ cwd, env, pathMap, format });
      return { readers, files };
    }),
  );
  const context: DoctorContext = {
    env,
    cwd,
    search,
    others,
    matching: matchingFiles(search),
    editor: search.editors.find(isAtPort),
    own,
  };
  const steps = new Map<string, DoctorStep>();
  const definitions = [...STEPS, ...familySteps(cwd, env)];
  for (const definition of definitions) {
    const { id, title } = definition;
    const finding = withoutTokens(await runStep(definition, context, steps), context);
    const step = { id, title, ...finding };
    steps.set(id, step);
    onstep?.(step, definitions.length);
  }
  return [...steps.values()];
}

async function runStep(
  definition: StepDefinition,
  context: DoctorContext,
  steps: ReadonlyMap<string, DoctorStep>,
): Promise<StepFinding> {
  const needed = definition.needs === undefined ? undefined : steps.get(definition.needs);
  if (needed?.outcome === "failed" || needed?.outcome === "skipped") {
    return skipped(`not checked, since an earlier step failed: ${needed.title}`);
  }
  return definition.run(context);
}

/** The program on a port may echo its input; no token must be shown. */
function withoutTokens(finding: StepFinding, { search, others }: DoctorContext): StepFinding {
  const files = [search, ...others].flatMap((each) => each.files);
  const tokens = files.flatMap(({ lock }) => lock?.authToken ?? []);
  return mapTexts(finding, redactKnown(tokens, { by: "(the token)" }));
}
