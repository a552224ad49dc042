import { readFile } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { performance } from "node:perf_hooks";
import type { McpClient } from "@idewire/core/client";
import { countOf } from "@idewire/core/internal/base";
import { IdewireError, type RequestOptions } from "@idewire/core/rpc";
import {
  compareSurfaces,
  formatSurface,
  formatSurfaceJunit,
  formatSurfaceSarif,
  parseSurface,
  type ServerSurface,
  type SurfaceChange,
} from "@idewire/devtools/internal";
import { codeOf } from "@idewire/node-server/internal";
import { fileSystemError } from "@idewire/node-server/internal/files";
import type { Target } from "../../flags/target.ts";
import type { ConnectedContext } from "../../mcp/open-client.ts";
import { runMcpCall } from "../../mcp/run-mcp-call.ts";
import type { ServerOptions } from "../../mcp/server-flags.ts";
import { line, type Printable } from "../../output/printable.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { readVersion } from "../../process/version.ts";
import { countKinds, showSurfaceChange } from "../show-surface-change.ts";
import { type ReportFlags, writeForms, writeText } from "./write-reports.ts";

/** A comparison of an MCP server's surface with its earlier one. */
export interface BaselineCheck {
  readonly target: Target;
  readonly server: ServerOptions;
  /** Written if it is missing; relative to the working directory. */
  readonly file: string;
  /** Whether the differences are accepted: the file is written. */
  readonly update: boolean;
  readonly flags: ReportFlags;
}

/** Lists what the server offers, and compares it with the file; resolves to the exit code. */
export function checkBaseline(check: BaselineCheck, io: CliIo): Promise<number> {
  const { target, server, flags } = check;
  const isJson = flags.json === true;
  const call = { action: "tools", names: [], json: "{}", args: {}, resources: [] } as const;
  const run = { ...call, ...server, target, era: "auto", timeoutMs: undefined, isJson } as const;
  return runMcpCall(run, io, (context) => compareWithFile(check, context));
}

async function compareWithFile(
  { file, update, flags }: BaselineCheck,
  context: ConnectedContext,
): Promise<number> {
  const { client, io, printer, stop } = context;
  const path = resolve(io.cwd, file);
  const began = performance.now();
  const after = await readSurface(client, { signal: stop.signal });
  const before = await readBaseline(path);
  const changes = before === undefined ? [] : compareSurfaces(before, after);
  const isWritten = before === undefined || (update && changes.length > 0);
  if (isWritten) await writeText(path, formatSurface(after));
  const isBroken = !isWritten && changes.some(({ kind }) => kind === "breaking");
  const ms = performance.now() - began;
  // As code hosts name the files of a repository.
  const shown = relative(io.cwd, path).replaceAll(sep, "/");
  const report = { changes, file: shown, isAccepted: isWritten, ms };
  await writeForms(flags, io, {
    junit: () => formatSurfaceJunit(report),
    sarif: () => formatSurfaceSarif(report, { version: readVersion() }),
  });
  if (flags.json) printer.json({ ok: !isBroken, written: isWritten, changes });
  else {
    for (const change of changes) printer.print(showSurfaceChange(change, printer.palette));
    printer.print(summaryOf(changes, { file, isWritten, count: describeOffer(after) }));
  }
  return isBroken ? ExitCode.Failed : ExitCode.Ok;
}

async function readSurface(client: McpClient, options: RequestOptions): Promise<ServerSurface> {
  const { capabilities } = client.server;
  const has = (name: string) => Object.hasOwn(capabilities, name);
  const tools = has("tools") ? await client.listTools(options) : [];
  const prompts = has("prompts") ? await client.listPrompts(options) : [];
  const resourceTemplates = has("resources") ? await client.listResourceTemplates(options) : [];
  return { tools, prompts, resourceTemplates } as unknown as ServerSurface;
}

/** Undefined if there is no such file. */
async function readBaseline(path: string): Promise<ServerSurface | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileSystemError("read", path, error);
  }
  const surface = parseSurface(text);
  if (surface !== undefined) return surface;
  throw new IdewireError("file-system", `${path} is not a baseline: remove it to write a new one`);
}

interface Summary {
  readonly file: string;
  readonly isWritten: boolean;
  /** Such as `3 tools`. */
  readonly count: string;
}

function summaryOf(
  changes: readonly SurfaceChange[],
  { file, isWritten, count }: Summary,
): Printable {
  if (isWritten) return line`Wrote ${count} to ${file}.`;
  if (changes.length === 0) return line`${count}, as in ${file}.`;
  return line`${countKinds(changes)}. --update accepts them.`;
}

function describeOffer({ tools, prompts, resourceTemplates }: ServerSurface): string {
  const counts = { tool: tools, prompt: prompts, "resource template": resourceTemplates };
  return Object.entries(counts)
    .map(([noun, { length }]) => countOf(length, noun))
    .join(", ");
}
