import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { shellQuote } from "@idewire/core/internal";
import type { ServerInspectionFacts } from "@idewire/devtools/internal";
import type { Palette } from "../../output/palette.ts";
import { line, type Printable, tilde } from "../../output/printable.ts";
import type { CliIo } from "../../process/io.ts";
import { readVersion } from "../../process/version.ts";
import type { ChosenTarget, EditorInspection } from "./index.ts";

/** How an inspection is shown. */
export interface ShownInspection {
  readonly record: string | undefined;
  /** The address of the page, valid once. */
  readonly link: string | undefined;
}

/** An inspection of an editor that has started. */
export interface StartedInspection extends ChosenTarget, ShownInspection {
  readonly inspection: EditorInspection;
  /** The native folder where agents are started. */
  readonly folder: string;
}

/** The servers of an inspection for programs, as the first line. */
export function toServerFacts(
  { mode, servers }: ServerInspectionFacts,
  { record, link }: ShownInspection,
): object {
  return {
    ...{ event: "inspecting", mode },
    servers: servers.map(({ name, shell }) => ({ name, shell })),
    ...(record !== undefined && { record }),
    ...(link !== undefined && { page: link }),
  };
}

/** Names the servers. */
export function serverMessage(
  { servers }: ServerInspectionFacts,
  { record, link }: ShownInspection,
  { io, palette }: { readonly io: CliIo; readonly palette: Palette },
): readonly Printable[] {
  const { bold, dim } = palette;
  return [
    line`${bold("idewire inspect")} ${readVersion()} is a client of`,
    line``,
    ...servers.map(({ name, shell }) => line`  ${bold(name)}  ${dim(shell)}`),
    line``,
    ...(link === undefined ? [] : pageLines(link, io, palette)),
    ...(record === undefined ? [] : [line`  recording   ${record}`]),
    line``,
  ];
}

/** The same for programs, as the first line. */
export function toFacts({ inspection, why, others, record, link }: StartedInspection): object {
  const { mode, editor, proxy } = inspection;
  return {
    ...{ event: "inspecting", mode, editor, why },
    others: others.map(({ name, port, lockFile }) => ({ name, port, lockFile })),
    ...proxy,
    ...(proxy && { env: { CLAUDE_CODE_SSE_PORT: String(proxy.port) } }),
    ...(record !== undefined && { record }),
    ...(link !== undefined && { page: link }),
  };
}

/** Names the editor, the reason for the choice, and how an agent connects here. */
export function startupMessage(
  shown: StartedInspection,
  io: CliIo,
  palette: Palette,
): readonly Printable[] {
  const { inspection, why, others, record, link, folder } = shown;
  const { editor, proxy, mode } = inspection;
  const { bold, dim } = palette;
  const home = io.env["HOME"] ?? homedir();
  const what = mode === "agent" ? "is an agent of" : "is a proxy of";
  const { name, port } = editor;
  return [
    line`${bold("idewire inspect")} ${readVersion()} ${what} ${bold(name)} on port ${port}`,
    dim(line`(${why})`),
    ...others.map((other) =>
      dim(line`  not ${other.name} on port ${other.port}: for that, --port ${other.port}`),
    ),
    line``,
    ...(proxy === undefined
      ? []
      : [
          line`  listens at  127.0.0.1:${proxy.port}`,
          line`  lock file   ${tilde(proxy.lockFile, home)}`,
        ]),
    ...(link === undefined ? [] : pageLines(link, io, palette)),
    ...(record === undefined ? [] : [line`  recording   ${record}`]),
    ...(proxy === undefined ? [] : agentLines({ proxy, folder, home }, palette)),
    line``,
  ];
}

function pageLines(link: string, { stdin }: CliIo, { bold }: Palette): readonly Printable[] {
  const more = stdin.isTTY === true ? "; press Enter for another" : "";
  return [line`  page        ${bold(link)}`, line`              (valid once, for a minute${more})`];
}

interface ProxyEndpoint {
  readonly proxy: { readonly port: number; readonly lockFile: string };
  readonly folder: string;
  readonly home: string;
}

function agentLines(
  { proxy, folder, home }: ProxyEndpoint,
  { bold, dim }: Palette,
): readonly Printable[] {
  const { port, lockFile } = proxy;
  const claude =
    process.platform === "win32"
      ? `$env:CLAUDE_CODE_SSE_PORT=${port}; claude`
      : `CLAUDE_CODE_SSE_PORT=${port} claude`;
  const hasOpencode = dirname(lockFile) === join(home, ".claude", "ide");
  return [
    line``,
    line`In another terminal, so that the agent connects here instead of to the editor itself:`,
    line``,
    line`  cd ${shellQuote(folder)}`,
    line`  ${bold(claude)}`,
    ...(hasOpencode
      ? [line`  ${bold("opencode")}  ${dim("(it uses the newest lock file, which is this one)")}`]
      : []),
    line``,
    dim("While this runs, Claude Code without that variable finds two editors"),
    dim("for the folder, and does not connect on its own. Ctrl-C stops the inspection."),
  ];
}
