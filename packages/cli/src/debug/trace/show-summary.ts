import type { Latency } from "@idewire/devtools/internal";
import type { Printer } from "../../output/print.ts";
import { line, shorten } from "../../output/printable.ts";

/** A trace in figures. */
export interface TraceSummary {
  readonly frames: number;
  /** The time from its first event to its last. */
  readonly ms: number;
  readonly sessions: readonly {
    readonly connection: string;
    readonly frames: number;
    readonly agent?: string;
    readonly ide?: string;
    /** The number of tools listed; undefined if they were not requested. */
    readonly tools?: number;
  }[];
  readonly latencies: readonly Latency[];
}

const NAME_WIDTH = 32;
const FIGURE_WIDTH = 8;

/** Prints a summary for people. */
export function showSummary(shown: string, summary: TraceSummary, printer: Printer): void {
  const { print, palette } = printer;
  const { frames, ms, sessions, latencies } = summary;
  print(line`${palette.bold(shown)}: ${frames} frames in ${describeMs(ms)}`);
  for (const { connection, agent = "an agent", ide = "an editor", ...rest } of sessions) {
    const tools = rest.tools === undefined ? "" : `, ${rest.tools} tools`;
    const names = `${shorten(agent, 80)} with ${shorten(ide, 80)}`;
    print(line`  ${connection}  ${names}, ${rest.frames} frames${tools}`);
  }
  if (latencies.length === 0) return;
  const width = Math.max(...latencies.map((one) => nameOf(one).length));
  const row = (who: string, what: string, figures: readonly (string | number)[]): string => {
    const [count, failed, open, ...times] = figures.map(String);
    const counts = [count?.padStart(5), failed?.padStart(6), open?.padStart(4)];
    const cells = [who.padEnd(8), what.padEnd(width), ...counts];
    return [...cells, ...times.map((time) => time.padStart(FIGURE_WIDTH))].join("  ").trimEnd();
  };
  const heads = ["count", "failed", "open", "min", "median", "p95", "max"];
  print(line``);
  print(palette.dim(row("asked by", "what", heads)));
  let isPersonal = false;
  for (const latency of latencies) {
    if (latency.isPersonal && !isPersonal) print(palette.dim("waiting for a person"));
    isPersonal = latency.isPersonal;
    const { count, failed, unanswered, times } = latency;
    const { minMs, medianMs, p95Ms, maxMs } = times ?? {};
    const figures = [minMs, medianMs, p95Ms, maxMs].map((one) =>
      one === undefined ? "" : describeMs(one),
    );
    const who = latency.dir === "agent>ide" ? "agent" : "editor";
    print(line`${row(who, nameOf(latency), [count, failed, unanswered, ...figures])}`);
  }
}

function nameOf({ method, tool }: Latency): string {
  return shorten(tool ?? method, NAME_WIDTH);
}

function describeMs(ms: number): string {
  if (ms < 1_000) return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}
