import {
  type ComparedMessages,
  type MemberChange,
  type SessionMessage,
  showChange,
} from "@idewire/devtools/internal";
import type { RecordedSession, SessionComparison } from "@idewire/devtools/trace";
import type { Printer } from "../../output/print.ts";
import { join, line, type Printable, shorten } from "../../output/printable.ts";
import { countKinds, showSurfaceChange } from "../show-surface-change.ts";

/** A session and its origin. */
export interface NamedSession {
  /** The file as typed, or the name of an editor. */
  readonly name: string;
  readonly session: RecordedSession;
  /** The number of connections. */
  readonly count: number;
}

/** The two sessions of a comparison. */
export interface NamedSessions {
  readonly a: NamedSession;
  readonly b: NamedSession;
}

/** How many changes of one message or entry are shown. */
const MAX_CHANGES = 12;
/** How much of a value is shown, in UTF-16 units. */
const VALUE_WIDTH = 72;
const NAME_WIDTH = 200;

/** Prints a comparison for people. */
export function showComparison(
  comparison: SessionComparison,
  { a, b }: NamedSessions,
  printer: Printer,
): void {
  const { print, palette } = printer;
  print(line`${palette.bad("A")}  ${describeSession(a)}`);
  print(line`${palette.good("B")}  ${describeSession(b)}`);
  if (comparison.same) {
    const count = comparison.messages.length;
    print(line`${palette.good("✓")}  they are the same: handshake, lists, and ${count} messages`);
    return;
  }
  print(palette.dim(line`   - only in A, + only in B, ≠ differs`));
  showHandshake(comparison, printer);
  showLists(comparison, printer);
  showSurface(comparison, printer);
  showMessages(comparison.messages, printer);
}

/** For programs: only the differences. */
export function comparisonToJson(
  { same, handshake, lists, surface, messages }: SessionComparison,
  { a, b }: NamedSessions,
): object {
  const differing = messages.filter(({ kind }) => kind !== "same");
  const factsOf = ({ name, session }: NamedSession) => {
    const { ch, frames, agent, ide } = session;
    return { name, connection: ch, frames, agent, ide };
  };
  return {
    ...{ same, a: factsOf(a), b: factsOf(b), handshake, lists, surface },
    messages: differing,
    sameMessages: messages.length - differing.length,
  };
}

function describeSession({ name, session, count }: NamedSession): string {
  const { ch, agent = "an agent", ide = "an editor", frames } = session;
  const which = count > 1 ? `, connection ${ch} of ${count}` : "";
  return `${name}: ${shorten(agent, NAME_WIDTH)} with ${shorten(ide, NAME_WIDTH)}, ${frames} frames${which}`;
}

function showHandshake({ handshake }: SessionComparison, printer: Printer): void {
  const { print, palette } = printer;
  print(line``);
  if (handshake.length === 0) {
    print(line`${palette.bold("Handshake")}: the same`);
    return;
  }
  print(palette.bold("Handshake"));
  for (const { who, ...change } of handshake.slice(0, MAX_CHANGES)) {
    showChangeOf({ ...change, path: `${who}${change.path}` }, "  ", printer);
  }
  showRest(handshake.length - MAX_CHANGES, "  ", printer);
}

function showLists({ lists }: SessionComparison, printer: Printer): void {
  const { print, palette } = printer;
  for (const { what, missing, onlyA, onlyB, changed } of lists) {
    print(line``);
    const title = palette.bold(shorten(what.charAt(0).toUpperCase() + what.slice(1), NAME_WIDTH));
    if (missing !== undefined) {
      const [lister, without] = missing === "a" ? ["B", "A"] : ["A", "B"];
      print(
        line`${title}: only ${lister} lists them (${onlyA.length + onlyB.length}); in ${without} they were not requested`,
      );
      continue;
    }
    print(title);
    for (const name of onlyA) print(line`  ${palette.bad(`- ${shorten(name, NAME_WIDTH)}`)}`);
    for (const name of onlyB) print(line`  ${palette.good(`+ ${shorten(name, NAME_WIDTH)}`)}`);
    for (const { name, changes } of changed) {
      print(line`  ${palette.warning("≠")} ${palette.bold(shorten(name, NAME_WIDTH))}`);
      showChanges(changes, printer);
    }
  }
}

function showSurface({ surface }: SessionComparison, printer: Printer): void {
  const { print, palette } = printer;
  if (surface.length === 0) return;
  print(line``);
  print(palette.bold(line`What B changes for clients of A: ${countKinds(surface)}`));
  for (const change of surface) print(line`  ${showSurfaceChange(change, palette)}`);
}

function showMessages(messages: readonly ComparedMessages[], printer: Printer): void {
  const { print, palette } = printer;
  const count = (kind: ComparedMessages["kind"]) =>
    messages.filter((one) => one.kind === kind).length;
  const counts = [
    `${count("same")} the same`,
    `${count("changed")} that differ`,
    `${count("only-a")} only in A`,
    `${count("only-b")} only in B`,
  ];
  print(line``);
  print(line`${palette.bold("Messages")}: ${counts.join(", ")}`);
  for (const one of messages) {
    if (one.kind === "only-a") print(line`  ${palette.bad("-")} ${nameOf(one.a, printer)}`);
    else if (one.kind === "only-b") print(line`  ${palette.good("+")} ${nameOf(one.b, printer)}`);
    else if (one.kind === "changed") {
      const numbers = palette.dim(`events ${one.a.n} and ${one.b.n}`);
      print(line`  ${palette.warning("≠")} ${nameOf(one.a, printer, numbers)}`);
      showChanges(one.changes, printer);
    }
  }
}

function nameOf(
  { n, dir, kind, method, tool }: SessionMessage,
  { palette }: Printer,
  numbers: Printable = palette.dim(`event ${n}`),
): Printable {
  const way = dir === "agent>ide" ? "agent → editor" : "agent ← editor";
  const what = method ?? (kind === "answer" ? "unsolicited reply" : "no message");
  const name = shorten(tool === undefined ? what : `${what} ${tool}`, NAME_WIDTH);
  return join([way, palette.bold(name), numbers], "  ");
}

function showChanges(changes: readonly MemberChange[], printer: Printer): void {
  for (const change of changes.slice(0, MAX_CHANGES)) showChangeOf(change, "      ", printer);
  showRest(changes.length - MAX_CHANGES, "      ", printer);
}

function showChangeOf(change: MemberChange, indent: string, { print, palette }: Printer): void {
  const { path, a, b } = showChange(change, VALUE_WIDTH);
  const name = shorten(path, NAME_WIDTH);
  if (a === undefined || b === undefined) {
    const mark = b === undefined ? palette.bad("-") : palette.good("+");
    print(line`${indent}${mark} ${name}  ${b ?? a ?? ""}`);
    return;
  }
  print(line`${indent}${palette.warning("≠")} ${name}`);
  print(line`${indent}    ${palette.bad("A")} ${a}`);
  print(line`${indent}    ${palette.good("B")} ${b}`);
}

function showRest(count: number, indent: string, { print, palette }: Printer): void {
  if (count > 0) print(palette.dim(line`${indent}and ${count} more`));
}
