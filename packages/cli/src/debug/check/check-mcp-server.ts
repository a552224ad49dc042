import { type CheckReport, formatCheckMarkdown, runChecks } from "@idewire/devtools/checks";
import { evidenceOf, mcpServer, serverChecks } from "@idewire/devtools/internal";
import { workingFolder } from "../../flags/agent-flags.ts";
import type { Target } from "../../flags/target.ts";
import type { McpContext } from "../../mcp/open-client.ts";
import { type McpRun, runWithServer } from "../../mcp/run-mcp-call.ts";
import type { ServerOptions } from "../../mcp/server-flags.ts";
import { line } from "../../output/printable.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { findVault } from "../../serve/vault-tools.ts";
import { openServerCheckPort } from "./server-check-port.ts";
import { createGroupPrinter, showReport } from "./show-report.ts";
import { type ReportFlags, writeReports } from "./write-reports.ts";

/** A check of an MCP server by the rules of MCP. */
export interface ServerCheck {
  readonly target: Target;
  readonly server: ServerOptions;
  readonly flags: ReportFlags & ChosenFlags;
}

/** Which checks run. */
interface ChosenFlags {
  readonly destructive?: true;
  readonly gentle?: true;
  readonly skip?: readonly string[];
  /** In seconds, for all checks. */
  readonly timeout?: number;
}

/** Checks an MCP server by every rule; resolves to the exit code. */
export async function checkMcpServer(
  { target, server, flags }: ServerCheck,
  io: CliIo,
): Promise<number> {
  const call = { action: "tools", names: [], json: "{}", args: {}, resources: [] } as const;
  const common = {
    ...call,
    era: "auto",
    timeoutMs: undefined,
    isJson: flags.json === true,
  } as const;
  const run: McpRun = { ...common, ...server, target };
  return runWithServer(run, io, async (context) => {
    const report = await check(await reach(context), flags);
    await writeReports(report, flags, io);
    return report.ok ? ExitCode.Ok : ExitCode.Failed;
  });
}

/** The server of a folder's vault has an address, and a token. */
async function reach(context: McpContext): Promise<McpContext> {
  const { run, io } = context;
  if (!("folder" in run.target)) return context;
  const { url, token } = await findVault(workingFolder(io, run.target.folder), io);
  const headers = { ...run.headers, authorization: `Bearer ${token}` };
  return { ...context, run: { ...run, target: { url }, headers } };
}

async function check(context: McpContext, flags: ServerCheck["flags"]): Promise<CheckReport> {
  const { printer, run, stop } = context;
  const { print, palette } = printer;
  const isForPeople = flags.json === undefined && flags.markdown === undefined;
  const named = nameOf(run.target);
  if (isForPeople) {
    print(palette.bold(line`${named}`));
    print(line``);
  }
  const port = openServerCheckPort(context);
  const cut = () => void port.close();
  stop.signal.addEventListener("abort", cut, { once: true });
  try {
    const report = await runChecks({
      ...{ port, subject: mcpServer, signal: stop.signal },
      ...{ destructive: flags.destructive === true, gentle: flags.gentle === true },
      skip: flags.skip ?? [],
      ...(flags.timeout !== undefined && { totalMs: flags.timeout * 1_000 }),
      ...(isForPeople && { onresult: createGroupPrinter(printer, serverChecks) }),
    });
    stop.signal.throwIfAborted();
    if (isForPeople) showReport(report, printer);
    else if (flags.json) printer.json(toJson(report, named));
    else for (const words of formatCheckMarkdown(report).split("\n")) print(line`${words}`);
    return report;
  } finally {
    stop.signal.removeEventListener("abort", cut);
    await port.close();
  }
}

function nameOf(target: Target): string {
  // An address may have secrets in its query.
  if ("url" in target) return target.url.split("?", 1)[0] ?? "";
  return "folder" in target ? target.folder : [target.command, ...target.args].join(" ");
}

function toJson(report: CheckReport, server: string) {
  const { ok, ms, results, silentSince } = report;
  return {
    ok,
    ...(silentSince && { silentSince }),
    server,
    ms,
    results,
    events: evidenceOf(report),
  };
}
