import type { CliData, Plugin } from "obsidian";
import type { DoctorFinding } from "../connection/doctor.ts";
import { texts } from "../texts/index.ts";
import { addCliHandler } from "./cli-handler.ts";
import { readLineRange } from "./line-range.ts";
import type { Sendable } from "./sender.ts";

export interface CliParts {
  readonly check: () => Promise<readonly DoctorFinding[]>;
  /** One line about the connected agents and the shared state, as in the status bar. */
  readonly sharing: () => string;
  readonly activePath: () => string | undefined;
  readonly exists: (vaultPath: string) => boolean;
  /** Sends, and returns the outcome in words. */
  readonly send: (thing: Sendable) => Promise<string>;
  /** The pending reviews. */
  readonly pending: () => readonly { readonly path: string; readonly title: string }[];
}

/** `obsidian idewire:status` and the like, for scripts and other programs. */
export function registerCli(plugin: Pick<Plugin, "registerCliHandler">, parts: CliParts): void {
  addCliHandler(plugin, "idewire:status", texts.cli.status, null, () => status(parts));
  addCliHandler(
    plugin,
    "idewire:send",
    texts.cli.send,
    {
      path: { value: "<path>", description: texts.cli.sendPath },
      lines: { value: "<lines>", description: texts.cli.sendLines },
    },
    (params) => send(params, parts),
  );
  addCliHandler(plugin, "idewire:diff", texts.cli.diff, null, () => {
    const waiting = parts.pending().map(({ path, title }) => `${path}\t${title}`);
    return waiting.length === 0 ? texts.cli.noDiffs : waiting.join("\n");
  });
}

async function status({ check, sharing }: CliParts): Promise<string> {
  const findings = await check();
  const lines = findings.flatMap(({ kind, text, advice }) => [
    `${kind}: ${text}`,
    ...(advice === undefined ? [] : [`  ${advice}`]),
  ]);
  return [sharing(), ...lines].join("\n");
}

async function send(params: CliData, parts: CliParts): Promise<string> {
  const { activePath, exists } = parts;
  const path = params["path"] ?? activePath();
  if (path === undefined) return texts.open.noPath;
  if (!exists(path)) return texts.open.missing(path);
  const value = params["lines"];
  const lines = value === undefined ? undefined : readLineRange(value);
  if (lines === null) return texts.cli.badLines(value ?? "");
  return parts.send({ vaultPath: path, ...(lines !== undefined && { lines }) });
}
