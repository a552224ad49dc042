import { isObject, type JsonObject, parseJson } from "../reference-clients/wire.ts";
import type { Fault, FaultyEnd } from "./faulty-server.ts";

/** A message that a fault may change. */
// biome-ignore lint/suspicious/noExplicitAny: it is taken apart and put together wrongly, on purpose
export type Loose = any;

type Receive = NonNullable<Fault["receive"]>;

/** Changes the server's messages; `undefined` drops one. */
export function emitting(
  change: (message: Loose, end: FaultyEnd) => Loose | undefined,
): Pick<Fault, "emit"> {
  return {
    emit(frame, end) {
      const changed = change(JSON.parse(frame), end);
      if (changed !== undefined) end.send(JSON.stringify(changed));
    },
  };
}

/** Changes the server's results. */
function results(change: (result: Loose, end: FaultyEnd) => Loose): Pick<Fault, "emit"> {
  return emitting((message, end) =>
    isObject(message.result) ? { ...message, result: change(message.result, end) } : message,
  );
}

/** Changes the results with this member. */
export function resultsWith(member: string, change: (result: Loose, end: FaultyEnd) => Loose) {
  return results((result, end) => (member in result ? change(result, end) : result));
}

/** Changes the texts of getDiagnostics. */
export function diagnostics(change: (files: Loose) => unknown): Pick<Fault, "emit"> {
  return resultsWith("content", (result) => {
    const files = parseJson(result.content[0]?.text ?? "")?.value;
    if (!Array.isArray(files)) return result;
    return { content: [{ type: "text", text: JSON.stringify(change(files)) }] };
  });
}

/** Changes every selection of the server. */
export function selections(
  change: (message: Loose, end: FaultyEnd) => Loose | undefined,
): Pick<Fault, "emit"> {
  return emitting((message, end) =>
    message.method === "selection_changed" ? change(message, end) : message,
  );
}

/** Intercepts the matching messages of an agent: the server does not receive them. */
export function on(
  isWanted: (message: Loose, frame: string) => boolean,
  act: (message: Loose, end: FaultyEnd, frame: string) => void,
): { readonly receive: Receive } {
  return {
    receive(frame, end) {
      const parsed = parseJson(frame.length < 10_000 ? frame : "");
      const message = parsed === undefined ? undefined : parsed.value;
      if (isWanted(message, frame)) act(message, end, frame);
      else end.pass(frame);
    },
  };
}

export const method = (name: string) => (message: Loose) => message?.method === name;

export const calls = (tool: string) => (message: Loose) =>
  message?.method === "tools/call" && message.params?.name === tool;

export function answer(end: FaultyEnd, { id }: Loose, result: JsonObject): void {
  end.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

export function refuse(end: FaultyEnd, { id }: Loose, code = -32601): void {
  end.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "No" } }));
}

export const text = (words: string) => ({ content: [{ type: "text", text: words }] });

/** The worst effect of a frame: the end of all connections. */
export function killAll({ sockets }: FaultyEnd): void {
  for (const socket of sockets) socket.terminate();
}
