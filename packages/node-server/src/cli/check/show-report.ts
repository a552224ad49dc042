import {
  type CheckGroup,
  type CheckReport,
  type CheckResult,
  checkGroups,
  evidenceOf,
  groupOf,
  summariseChecks,
} from "@idewire/core/checks";
import type { TraceEvent } from "@idewire/core/trace";
import type { CheckTarget } from "../../check/find-target.ts";
import type { Printer } from "../print.ts";
import { line, type Printable, shorten } from "../terminal/printable.ts";

const TITLE_WIDTH = 18;
const MAX_FRAMES = 4;
const FRAME_WIDTH = 100;

/** Prints one line for each group as soon as it is over. */
export function createGroupTeller(printer: Printer): (result: CheckResult) => void {
  const results: CheckResult[] = [];
  const sizes = new Map<CheckGroup, number>();
  return (result) => {
    const [last] = results;
    if (last !== undefined && groupOf(last) !== groupOf(result)) tell();
    results.push(result);
    sizes.set(groupOf(result), results.length);
    if (groupOf(result) === "FRAME") tell();
  };

  function tell(): void {
    const group = results.splice(0);
    const [first] = group;
    if (first === undefined) return;
    const title = checkGroups[groupOf(first)].padEnd(TITLE_WIDTH);
    const words = summariseChecks({ results: group });
    printer.say(line`  ${signOf(group, printer)} ${title}  ${words}`);
  }
}

/** The worst of a group. */
function signOf(group: readonly CheckResult[], { palette }: Printer): Printable {
  const broken = group.filter(({ verdict }) => verdict === "fail");
  if (broken.some(({ level }) => level === "must")) return palette.bad("✗");
  if (broken.length > 0) return palette.warning("!");
  const isSkipped = group.every(({ verdict }) => verdict === "skipped");
  return isSkipped ? palette.dim("–") : palette.good("✓");
}

export function showTarget({ name, port, lockFile }: CheckTarget, { say, palette }: Printer): void {
  say(line`${palette.bold(name)}, port ${port ?? "unknown"}`);
  say(palette.dim(line`${lockFile}`));
  say(line``);
}

/** What is broken, with its proof, and what could not be told. */
export function showReport(report: CheckReport, printer: Printer): void {
  const { say, palette } = printer;
  const { results, ms, ok } = report;
  const events = new Map(evidenceOf(report).map((event) => [event.n, event]));
  for (const result of results) {
    if (result.verdict === "fail") showBroken(result, events, printer);
  }
  showSkipped(results, printer);
  say(line``);
  const words = `${summariseChecks(report)} in ${(ms / 1_000).toFixed(1)} s`;
  say(ok ? line`${palette.good("✓")} ${words}` : line`${palette.bad("✗")} ${words}`);
}

function showBroken(
  { id, level, rule, detail, source, note, frames }: CheckResult,
  events: ReadonlyMap<number, TraceEvent>,
  { say, palette }: Printer,
): void {
  const sign = level === "must" ? palette.bad("✗") : palette.warning("!");
  say(line``);
  say(line`${sign} ${palette.bold(id)} ${level}: ${rule}`);
  say(line`    seen  ${detail}`);
  say(palette.dim(line`    from  ${source}`));
  if (note !== undefined) say(palette.dim(line`    note  ${note}`));
  for (const n of frames.slice(-MAX_FRAMES)) {
    const event = events.get(n);
    if (event !== undefined)
      say(palette.dim(line`    ${n.toString().padStart(4)}  ${tell(event)}`));
  }
}

/** An event of a connection, as short as it can be. */
function tell(event: TraceEvent): string {
  switch (event.ev) {
    case "frame":
      return `${event.dir === "agent>ide" ? "→" : "←"} ${shorten(event.raw, FRAME_WIDTH)}`;
    case "close":
      return `the connection closed with ${event.code} ${event.reason}`.trim();
    case "control":
      return event.op === "refused" ? `the upgrade was refused: ${event.text ?? ""}` : event.op;
    default:
      return event.ev;
  }
}

/** The reasons, each once: seven diffs that were not asked for are one line. */
function showSkipped(results: readonly CheckResult[], { say, palette }: Printer): void {
  const reasons = new Map<string, string[]>();
  for (const { verdict, id, detail } of results) {
    if (verdict === "skipped") reasons.set(detail, [...(reasons.get(detail) ?? []), id]);
  }
  if (reasons.size > 0) say(line``);
  for (const [why, ids] of reasons) {
    say(palette.dim(line`– ${nameAll(ids)} skipped: ${why}`));
  }
}

/** `IDE-DIFF-001 to 007` where none between is missing. */
function nameAll(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(id.slice(-3)));
  const groups = new Set(ids.map((id) => id.slice(0, -3)));
  const isRun = numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
  if (ids.length > 2 && groups.size === 1 && isRun) return `${ids[0]} to ${ids.at(-1)?.slice(-3)}`;
  return ids.length > 6
    ? `${ids.slice(0, 5).join(", ")} and ${ids.length - 5} more`
    : ids.join(", ");
}
