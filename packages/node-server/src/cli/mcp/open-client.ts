import { PassThrough } from "node:stream";
import {
  type Connector,
  McpClient,
  modernClientEra,
  type Params,
  reopening,
  resultCache,
  type Transport,
  tasks,
} from "@idewire/core";
import { createHttpTransport, httpWithSse } from "@idewire/remote";
import { realFolder } from "../../files/real-folder.ts";
import { readVersion } from "../../process/version.ts";
import { spawnStdioTransport } from "../../stdio/spawn-stdio-transport.ts";
import { workingFolder } from "../flags/agent-flags.ts";
import { type Printer, passOn } from "../output/print.ts";
import type { CliIo } from "../process/io.ts";
import type { Stop } from "../process/stop.ts";
import { terminalElicitation } from "./answer-server.ts";
import { createAuthorization } from "./authorization.ts";
import type { McpRun } from "./run-mcp-call.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";

/** What every action has. */
export interface McpContext {
  readonly run: McpRun;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly questions: TerminalQuestions;
  readonly stop: Stop;
}

/**
 * Connects to the server of the command line. The caller closes the client.
 * @param onnotification called for each notification, where something listens to all of them
 */
export async function openClient(
  context: McpContext,
  onnotification?: (method: string, params: Params | undefined) => void,
): Promise<McpClient> {
  const { io, questions, stop, run } = context;
  return McpClient.connect(
    await connectorTo(context),
    {
      info: { name: "idewire", version: readVersion() },
      features: [terminalElicitation(questions, io), tasks()],
      ...(run.era !== "legacy" && {
        eras: { modern: modernClientEra({ cache: resultCache() }), legacy: run.era !== "modern" },
      }),
      ...(onnotification && { onnotification }),
    },
    { signal: stop.signal },
  );
}

/** A program that ends is started again for `listen` alone. */
async function connectorTo(context: McpContext): Promise<Transport | Connector> {
  const { run, io } = context;
  const { place, headers } = run;
  if ("url" in place) {
    const isGiven = Object.hasOwn(headers, "authorization");
    const authorization = isGiven ? undefined : createAuthorization(place.url, context);
    const options = { headers, sse: httpWithSse, ...(authorization && { authorization }) };
    return reopening(() => createHttpTransport(place.url, options));
  }
  const cwd = await realFolder(workingFolder(io, run.cwd));
  const open = () => {
    const stderr = new PassThrough();
    passOn(stderr, io);
    return spawnStdioTransport(place.command, place.args, { cwd, env: io.env, stderr });
  };
  return run.action === "listen" ? reopening(open) : open();
}
