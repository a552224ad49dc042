import { PassThrough } from "node:stream";
import { shellQuote } from "@idewire/core/internal";
import { formValidator } from "@idewire/core/json-schema";
import { InspectedServers, type ServerControl, type ServerRoute } from "@idewire/devtools/internal";
import { HttpLog } from "@idewire/http/internal";
import type { ServerTarget } from "../../../flags/target.ts";
import { credentialStore } from "../../../mcp/authorization.ts";
import type { McpContext } from "../../../mcp/open-client.ts";
import { openerFor } from "../../../mcp/open-transport.ts";
import { fetchFor, type McpRun } from "../../../mcp/run-mcp-call.ts";
import type { ServerOptions } from "../../../mcp/server-flags.ts";
import { TerminalQuestions } from "../../../mcp/terminal-questions.ts";
import { exactJson } from "../../../output/exact-json.ts";
import { createPrinter } from "../../../output/print.ts";
import { ExitCode } from "../../../process/exit-status.ts";
import type { CliIo } from "../../../process/io.ts";
import type { Stop } from "../../../process/stop.ts";
import { readVersion } from "../../../process/version.ts";
import type { InspectLog } from "../inspect-log.ts";
import type { ServerInspection } from "../inspection.ts";
import { readLines } from "./read-lines.ts";
import { Restarts } from "./restarts.ts";

/** A server to inspect, and how it is reached. */
export interface NamedRun {
  /** Unique. */
  readonly name: string;
  readonly run: ServerOptions & Pick<McpRun, "era"> & { readonly target: ServerTarget };
  /** Further variables of the environment of a program. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Place {
  readonly io: CliIo;
  readonly stop: Stop;
  readonly log: InspectLog;
}

/**
 * Connects to MCP servers as their client, without waiting for them: one may start slowly, or require a login,
 * which the page shows to the person.
 */
export function openServers(
  servers: readonly NamedRun[],
  { io, stop, log }: Place,
): ServerInspection {
  for (const { run } of servers) for (const value of Object.values(run.headers)) log.hide(value);
  const inspected = new InspectedServers(
    servers.map((server) => {
      const { target, era } = server.run;
      const context = contextOf(server, { io, stop, log });
      return {
        ...{ name: server.name, shell: shellOf(target), log, era },
        ...{ version: readVersion(), json: exactJson, validator: formValidator },
        target,
        // A program that has exited is started again by the person, or when its files change.
        reopens: !("command" in target),
        hasViews: true,
        route: (control: ServerControl) => routeOf(context, { log, control }),
      };
    }),
  );
  void inspected.connect();
  return { mode: "server", log, servers: inspected, close: () => inspected.close() };
}

/** How a server of the command line is reached, with its HTTP exchanges and its stderr in the log. */
function routeOf(
  context: McpContext,
  { log, control }: { readonly log: InspectLog; readonly control: ServerControl },
): ServerRoute {
  const http = new HttpLog({ log, connection: control.connection, onchange: control.change });
  return {
    open: () =>
      openerFor({
        ...context,
        fetch: http.over(context.fetch),
        onlogin: (address) => http.visit(address),
        onstderr: (stderr) => readLines(stderr, control.print),
      }),
    get login() {
      return http.login;
    },
    restarts: new Restarts({ context, server: control }),
  };
}

/** The context of a login: it asks nothing in the terminal, and prints to the log. */
function contextOf({ run, env }: NamedRun, { io, stop, log }: Place): McpContext {
  const stderr = new PassThrough({ encoding: "utf8" });
  stderr.on("data", (text: string) => log.print(text.trimEnd()));
  const own: CliIo = { ...io, stdin: new PassThrough(), stderr, env: { ...io.env, ...env } };
  const whole: McpRun = {
    ...{ action: "login", names: [], json: "{}", args: {}, resources: [], isJson: false },
    ...{ ...run, timeoutMs: undefined },
  };
  return {
    run: whole,
    io: own,
    printer: createPrinter(own),
    questions: new TerminalQuestions(own, () => stop.request(ExitCode.Interrupted)),
    stop,
    store: credentialStore(whole, own),
    fetch: fetchFor(whole, own),
  };
}

/** A server as `idewire mcp` takes it. */
function shellOf(target: ServerTarget): string {
  if ("url" in target) return shellQuote(target.url);
  return ["--", target.command, ...target.args].map((word) => shellQuote(word)).join(" ");
}
