import type { CheckReport, CheckResult } from "@idewire/devtools/checks";
import {
  type CheckGroup,
  checkGroups,
  checks,
  evidenceOf,
  groupOf,
  httpChecks,
  summariseChecks,
  toSourceLinks,
} from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import type { Printer } from "../../output/print.ts";
import { line, type Printable, shorten } from "../../output/printable.ts";
import type { FoundTarget } from "./find-target.ts";

const TITLE_WIDTH = 18;
const MAX_FRAMES = 4;
const FRAME_WIDTH = 100;
const MAX_NAMES = 6;

/** Warns of the checks that may freeze the editor, before they run. */
export function showWarning(
  {
    gentle,
    skip,
    isOverHttp,
  }: {
    readonly gentle: boolean;
    readonly skip: readonly string[];
    readonly isOverHttp: boolean;
  },
  { print, palette }: Printer,
): void {
  const hostile = checks.filter(
    ({ id, hostile, overHttp }) => hostile && !skip.includes(id) && (overHttp || !isOverHttp),
  );
  if (gentle || hostile.length === 0) return;
  const names = Object.keys(checkGroups).flatMap((group) => {
    const ids = hostile.filter((check) => groupOf(check) === group).map(({ id }) => id);
    return ids.length === 0 ? [] : [nameAll(ids)];
  });
  const words =
    "these checks behave as no agent does, and may freeze an editor that does not expect it:";
  print(line`${palette.warning("!")} ${words}`);
  for (const each of names) print(line`    ${each}`);
  print(line`  They run last. --gentle leaves out all of them, --skip <id> leaves out one.`);
  print(line``);
}

/**
 * Prints a line for each group as soon as it is complete.
 * @param catalogue all checks of the run
 */
export function createGroupPrinter(
  printer: Printer,
  catalogue: readonly Pick<CheckResult, "id">[] = [...checks, ...httpChecks],
): (result: CheckResult) => void {
  const groups = new Map<CheckGroup, CheckResult[]>();
  return (result) => {
    const name = groupOf(result);
    const group = [...(groups.get(name) ?? []), result];
    groups.set(name, group);
    if (group.length < catalogue.filter((check) => groupOf(check) === name).length) return;
    const title = checkGroups[name].padEnd(TITLE_WIDTH);
    printer.print(
      line`  ${signOf(group, printer)} ${title}  ${summariseChecks({ results: group })}`,
    );
  };
}

/** The sign of a group's worst result. */
function signOf(group: readonly CheckResult[], { palette }: Printer): Printable {
  const broken = group.filter(({ verdict }) => verdict === "fail");
  if (broken.some(({ level }) => level === "must")) return palette.bad("✗");
  if (broken.length > 0) return palette.warning("!");
  const isSkipped = group.every(({ verdict }) => verdict === "skipped");
  return isSkipped ? palette.dim("–") : palette.good("✓");
}

export function showTarget(
  { name, port, socketPath, lockFile }: FoundTarget,
  { print, palette }: Printer,
): void {
  print(line`${palette.bold(name)}, ${socketPath ?? `port ${port ?? "unknown"}`}`);
  print(palette.dim(line`${lockFile}`));
  print(line``);
}

/** Broken rules with their evidence, and rules that could not be checked. */
export function showReport(report: CheckReport, printer: Printer): void {
  const { print, palette } = printer;
  const { results, ms, ok, silentSince } = report;
  const events = new Map(evidenceOf(report).map((event) => [event.n, event]));
  for (const result of results) {
    if (result.verdict === "fail") showBroken(result, events, printer);
  }
  showSkipped(results, printer);
  print(line``);
  const words = `${summariseChecks(report)} in ${(ms / 1_000).toFixed(1)} s`;
  print(ok ? line`${palette.good("✓")} ${words}` : line`${palette.bad("✗")} ${words}`);
  if (silentSince === undefined) return;
  const isEditor = silentSince.startsWith("IDE-");
  const noun = isEditor ? "editor" : "server";
  print(line`${palette.bad("✗")} The ${noun} has not answered since ${silentSince}.`);
  const advice = isEditor ? "Look at its window: it may be waiting for an answer. " : "";
  print(line`    ${advice}--skip ${silentSince} leaves that check out.`);
}

function showBroken(
  { id, level, rule, detail, source, note, frames }: CheckResult,
  events: ReadonlyMap<number, TraceEvent>,
  { print, palette }: Printer,
): void {
  const sign = level === "must" ? palette.bad("✗") : palette.warning("!");
  print(line``);
  print(line`${sign} ${palette.bold(id)} ${level}: ${rule}`);
  print(line`    seen  ${detail}`);
  for (const { text, url } of toSourceLinks(source)) {
    print(palette.dim(line`    from  ${url?.startsWith("https:") ? `${text}: ${url}` : text}`));
  }
  if (note !== undefined) print(palette.dim(line`    note  ${note}`));
  for (const n of frames.slice(-MAX_FRAMES)) {
    const event = events.get(n);
    if (event !== undefined)
      print(palette.dim(line`    ${n.toString().padStart(4)}  ${emit(event)}`));
  }
}

/** A short line for an event of a connection. */
function emit(event: TraceEvent): string {
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

/** One line per reason: seven checks of diffs that were not requested share a line. */
function showSkipped(results: readonly CheckResult[], { print, palette }: Printer): void {
  const reasons = new Map<string, string[]>();
  for (const { verdict, id, detail } of results) {
    if (verdict === "skipped") reasons.set(detail, [...(reasons.get(detail) ?? []), id]);
  }
  if (reasons.size > 0) print(line``);
  for (const [why, ids] of reasons) {
    print(palette.dim(line`– ${nameAll(ids)} skipped: ${why}`));
  }
}

/** `IDE-DIFF-001 to 007` if none between is missing, else `IDE-RPC-001, 002, 010`. */
function nameAll(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(id.slice(-3)));
  const isOneGroup = new Set(ids.map((id) => id.slice(0, -3))).size === 1;
  const isRun = numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
  if (ids.length > 2 && isOneGroup && isRun) return `${ids[0]} to ${ids.at(-1)?.slice(-3)}`;
  if (isOneGroup) return ids.map((id, index) => (index === 0 ? id : id.slice(-3))).join(", ");
  const shown = ids.slice(0, MAX_NAMES);
  const rest = ids.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
