import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { allDialects, type Dialect } from "@idewire/core";
import type { DialectAgent } from "@idewire/core/internal";
import { type FoundEditor, findEditors } from "@idewire/node-server";
import {
  assessContainer,
  assessPrivacy,
  containerMarks,
  type OpenToOthers,
  openLink,
  placeAnswers,
} from "@idewire/node-server/internal";
import { discoveryDirectory, type Environment } from "@idewire/node-server/internal/files";
import { describeEnabling } from "../../page-server/agent-start.ts";
import { isOnPath, programOf } from "../../process/is-on-path.ts";
import { readVersion } from "../../process/version.ts";
import {
  type DoctorContext,
  failed,
  ok,
  type StepDefinition,
  type StepFinding,
  type,
  warning,
} from "./step.ts";

const TIMEOUT_MS = 5_000;

/** A step for each agent on the PATH that has its own dialect and reads a discovery file. */
export function familySteps(cwd: string, env: Environment): readonly StepDefinition[] {
  return allDialects.flatMap((dialect) => {
    const { agent } = dialect;
    // An agent without a discovery file has a separate step.
    const isFound = dialect.endpoint.discovery !== undefined;
    if (!isFound || agent?.start === undefined || !isOnPath(programOf(agent.start), cwd, env))
      return [];
    return {
      id: `agent-${dialect.id}`,
      title: agent.title,
      run: (context) => examine(dialect, agent, context),
    };
  });
}

async function examine(
  dialect: Dialect,
  agent: DialectAgent,
  context: DoctorContext,
): Promise<StepFinding> {
  const { env } = context;
  const trap = assessContainer(
    agent,
    env,
    containerMarks.filter((path) => existsSync(path)),
  );
  if (trap !== undefined) {
    return warning(
      `in this container it connects to ${trap.host}, and not to an editor in here`,
      type("Start it as over SSH", trap.command),
    );
  }
  const { discovery } = dialect.endpoint;
  if (discovery === undefined) return ok("nothing to check");
  const search = await findEditors({ ...context, format: discovery });
  const directory = discoveryDirectory(discovery.folder, env);
  const [editor] = search.editors;
  if (editor === undefined) {
    return notPublished(dialect, agent, `no editor for this folder in ${directory}`);
  }
  const { lockFile, socketPath } = editor;
  const open =
    (await assessPrivacy(dirname(lockFile), "folder")) ?? (await assessPrivacy(lockFile, "file"));
  if (open !== undefined) return explainOpen(agent, open);
  if (socketPath !== undefined && !(await placeAnswers({ socketPath }))) {
    return failed(
      `${lockFile}: nothing answers at ${socketPath}`,
      "Start the editor again: its file exists, but nothing listens there.",
    );
  }
  return shakeHands(dialect, agent, { editor, cwd: search.cwd });
}

/** This process cannot detect whether the connection is turned off in the agent's own settings. */
function withHint({ enable }: DialectAgent, detail: string): StepFinding {
  return ok(enable === undefined ? detail : `${detail}; ${describeEnabling(enable)} in it`);
}

function notPublished(dialect: Dialect, { title }: DialectAgent, what: string): StepFinding {
  const isTemporary = dialect.endpoint.discovery?.folder.base !== "home";
  return warning(
    what,
    `If an editor serves this folder: idewire serve without --dialect, or with --dialect ${dialect.id} added; in Obsidian, turn ${title} on in the settings.`,
    `Start it and ${title} with the same HOME${isTemporary ? " and TMPDIR" : ""}.`,
  );
}

function explainOpen({ title }: DialectAgent, { code, path, uid, command }: OpenToOthers) {
  const why = code === "open" ? "may be used by other users" : `belongs to user ${uid}`;
  return warning(`${path} ${why}: ${title} may refuse it`, type("See or change that", command));
}

async function shakeHands(
  { endpoint }: Dialect,
  agent: DialectAgent,
  { editor, cwd }: { readonly editor: FoundEditor; readonly cwd: string },
): Promise<StepFinding> {
  try {
    const { client, tools } = await openLink(editor, {
      ...{ endpoint, name: "idewire-doctor", version: readVersion(), pid: process.pid, cwd },
      handshakeTimeoutMs: TIMEOUT_MS,
      onnotification: () => {},
    });
    const { serverInfo, protocolVersion } = client.server;
    await client.close();
    const who = `${serverInfo.name} ${serverInfo.version}, MCP ${protocolVersion}`;
    return withHint(agent, `${who}, ${tools.length} tools`);
  } catch (error) {
    return failed(
      `${editor.lockFile}: ${(error as Error).message}`,
      "Start the editor again: its file exists, but it does not answer as it should.",
    );
  }
}
