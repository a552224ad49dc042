import { isObject } from "@idewire/core/internal";
import { compareSurfaces } from "../../surface/compare-surfaces.ts";
import { type ServerSurface, surfaceLists } from "../../surface/server-surface.ts";
import { type Aligned, align, pairByKey } from "./align.ts";
import { ValueComparer } from "./compare-values.ts";
import type {
  ComparedMessages,
  HandshakeChange,
  ListComparison,
  RecordedSession,
  SessionComparison,
  SessionMessage,
  Side,
} from "./model.ts";
import { isListRequest } from "./read-sessions.ts";

/** How two sessions are compared. */
export interface CompareSessionsOptions {
  /**
   * The workspace of each session, with `/` between names, so that the same file in both is the same
   * path. The deepest folders of all files when left out, unless one of them is inside the other.
   */
  readonly folders?: readonly [a: string, b: string];
}

/**
 * Compares the meaning of two sessions: first the handshake and the lists of each end, then all
 * messages of the same direction, method and tool in their order. Ids, times, tokens, pings, progress,
 * process ids, and the order of list requests make no difference.
 */
export function compareSessions(
  a: RecordedSession,
  b: RecordedSession,
  { folders = foldersOf(a, b) }: CompareSessionsOptions = {},
): SessionComparison {
  const values = new ValueComparer(folders);
  const handshake = compareHandshakes(a, b, values);
  const lists = compareLists(a, b, values);
  const surface = compareSurfaces(surfaceOf(a, lists), surfaceOf(b, lists));
  const messages = compareMessages(a, b, values);
  const same =
    handshake.length === 0 && lists.length === 0 && messages.every(({ kind }) => kind === "same");
  return { same, handshake, lists, surface, messages };
}

function foldersOf(a: RecordedSession, b: RecordedSession): readonly [string, string] | undefined {
  const [left, right] = [a.folder, b.folder];
  if (left === undefined || right === undefined) return undefined;
  // The same workspace: one session merely names fewer of its files.
  if (`${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`)) return undefined;
  return [left, right];
}

function compareHandshakes(
  { handshake: a }: RecordedSession,
  { handshake: b }: RecordedSession,
  values: ValueComparer,
): readonly HandshakeChange[] {
  const parts = [
    ["transport", protocolOf(a), protocolOf(b)],
    ["agent", a.params, b.params],
    ["editor", outcomeOf(a.answer), outcomeOf(b.answer)],
  ] as const;
  return parts.flatMap(([who, left, right]) =>
    values.changes(left, right, false).map((change) => ({ who, ...change })),
  );
}

function protocolOf({ protocol }: RecordedSession["handshake"]) {
  return protocol === undefined ? {} : { protocol };
}

/** The result of an answer, or its error. */
function outcomeOf(answer: RecordedSession["handshake"]["answer"]): unknown {
  return answer?.error === undefined ? answer?.result : { error: answer.error };
}

function compareLists(
  { lists: a }: RecordedSession,
  { lists: b }: RecordedSession,
  values: ValueComparer,
): readonly ListComparison[] {
  const none: ReadonlyMap<string, unknown> = new Map();
  const compared = [...new Set([...a.keys(), ...b.keys()])].map((what): ListComparison => {
    const [left, right] = [a.get(what) ?? none, b.get(what) ?? none];
    const shared = [...left.keys()].filter((name) => right.has(name));
    const differing = shared.map((name) => ({
      name,
      changes: values.changes(left.get(name), right.get(name), false),
    }));
    const missing = !a.has(what) ? "a" : b.has(what) ? undefined : "b";
    return {
      what,
      ...(missing !== undefined && { missing }),
      onlyA: [...left.keys()].filter((name) => !right.has(name)),
      onlyB: [...right.keys()].filter((name) => !left.has(name)),
      changed: differing.filter(({ changes }) => changes.length > 0),
    };
  });
  return compared.filter(
    ({ onlyA, onlyB, changed }) => onlyA.length + onlyB.length + changed.length > 0,
  );
}

/** The differences between the entries that both sessions list, except resources, which change all the time. */
function surfaceOf({ lists }: RecordedSession, compared: readonly ListComparison[]): ServerSurface {
  const entries = surfaceLists.map((what) => {
    const list = compared.find((each) => each.what === what && each.missing === undefined);
    const { onlyA = [], onlyB = [], changed = [] } = list ?? {};
    const names = [...onlyA, ...onlyB, ...changed.map(({ name }) => name)];
    return [what, names.map((name) => lists.get(what)?.get(name)).filter(isObject)] as const;
  });
  return Object.fromEntries(entries) as unknown as ServerSurface;
}

/** Compares each direction separately: the order across directions depends on timing. */
function compareMessages(
  a: RecordedSession,
  b: RecordedSession,
  values: ValueComparer,
): readonly ComparedMessages[] {
  const digest = (message: SessionMessage, side: Side): string => {
    return `${keyOf(message)} ${values.digest(message.params, side)}`;
  };
  const lanes = new Set([...a.messages, ...b.messages].map(laneOf));
  const pairs = [...lanes].flatMap((lane) => {
    const [left, right] = [a, b].map(({ messages }) => messages.filter((m) => laneOf(m) === lane));
    // Agents request lists in any order, and at the same time.
    if (lane === LISTS) return pairByKey(left ?? [], right ?? [], keyOf);
    return align(left ?? [], right ?? [], { digest, key: keyOf });
  });
  return inOrder(pairs).map(([left, right]): ComparedMessages => {
    if (left === undefined) return { kind: "only-b", b: right };
    if (right === undefined) return { kind: "only-a", a: left };
    const changes = values.changes(partsOf(left), partsOf(right));
    return { kind: changes.length === 0 ? "same" : "changed", a: left, b: right, changes };
  });
}

const LISTS = "lists";

function laneOf({ dir, kind, method }: SessionMessage): string {
  return isListRequest(method) ? LISTS : `${dir} ${kind}`;
}

/** In the order of the first session; messages of the second alone follow their predecessors there. */
function inOrder(pairs: readonly Aligned<SessionMessage>[]): readonly Aligned<SessionMessage>[] {
  const placed: { readonly at: number; readonly pair: Aligned<SessionMessage> }[] = [];
  let at = 0;
  const later = pairs.filter(([, right]) => right !== undefined);
  for (const pair of later.sort(([, p], [, q]) => (p?.n ?? 0) - (q?.n ?? 0))) {
    at = pair[0]?.n ?? at;
    placed.push({ at, pair });
  }
  for (const pair of pairs) if (pair[1] === undefined) placed.push({ at: pair[0].n, pair });
  return placed.sort((p, q) => p.at - q.at).map(({ pair }) => pair);
}

function keyOf({ dir, kind, method, tool }: SessionMessage): string {
  return JSON.stringify([dir, kind, method, tool]);
}

/** The parts of a message to compare, with its answer; lists are compared separately. */
function partsOf({ params, answer, kind, method }: SessionMessage) {
  const parts = { ...(params !== undefined && { params }) };
  if (kind !== "request") return parts;
  if (answer === undefined) return { ...parts, unanswered: true };
  const { error, result } = answer;
  if (error !== undefined) return { ...parts, error };
  const isList = isListRequest(method) && isObject(result);
  return { ...parts, ...(result !== undefined && { result: isList ? {} : result }) };
}
