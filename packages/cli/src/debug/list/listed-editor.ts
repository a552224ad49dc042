import type { Printer } from "../../output/print.ts";
import { line } from "../../output/printable.ts";

/** An editor as `list` prints it, without its token. */
export interface ListedEditor {
  readonly state: "live" | "stale";
  /** Whether it matches the working directory. */
  readonly here: boolean;
  /** The discovery file; absent for families that look at a fixed place. */
  readonly lockFile?: string;
  readonly name?: string;
  /** Where it listens: a port, or a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  readonly pid?: number;
  readonly folders?: readonly string[];
  /** For an inspection: the port of the editor behind it. */
  readonly inspects?: number;
  /** The agents that look there, and when one of them last asked, in milliseconds since 1970. */
  readonly agent?: string;
  readonly askedMs?: number;
  /** Why it is stale, or does not match the working directory. */
  readonly code?: string;
  readonly why?: string;
}

/** Prints an editor for people. */
export function show(editor: ListedEditor, { palette, print }: Printer): void {
  const { state, here, name = "?", port = 0, pid, folders = [], inspects, why } = editor;
  const where = editor.socketPath ?? `port ${port || "unknown"}`;
  const isLive = state === "live";
  const sign = isLive ? palette.good("●") : palette.bad("✗");
  const owner = pid === undefined ? "" : `, process ${pid}`;
  const place = here && isLive ? palette.good(", for this folder") : "";
  print(line`${sign} ${palette.bold(name)} ${state}: ${where}${owner}${place}`);
  if (inspects !== undefined) {
    print(line`    idewire inspect: a proxy of the editor on port ${inspects}`);
  }
  if (why !== undefined) print(line`    ${isLive ? "not for this folder: " : ""}${why}`);
  else for (const folder of folders) print(line`    ${folder}`);
  print(palette.dim(line`    ${editor.lockFile ?? describeAsked(editor)}`));
}

/** The agents that it serves, and when they last asked. */
export function describeAsked(
  { agent = "an agent", askedMs }: Pick<ListedEditor, "agent" | "askedMs">,
  now: number = Date.now(),
): string {
  if (askedMs === undefined) return `for ${agent}, which has not asked yet`;
  const seconds = Math.max(0, Math.round((now - askedMs) / 1_000));
  const minutes = Math.round(seconds / 60);
  const hours = Math.round(minutes / 60);
  const age = seconds < 100 ? `${seconds} s` : minutes < 100 ? `${minutes} min` : `${hours} h`;
  return `for ${agent}, which asked ${age} ago`;
}
