import { isObject } from "@idewire/core/internal";
import type { Fault } from "./fault.ts";

/** The frame that arrives after a fault. */
export function garble(raw: string, fault: Fault, random: () => number): string {
  switch (fault.kind) {
    case "truncate":
      return raw.slice(0, fault.keep);
    case "malformed":
      return raw.replace(/[{}:]/, "?");
    case "oversize":
      return raw.padEnd(fault.units, " ");
    case "wrong-id":
      return change(raw, (message) =>
        "id" in message ? { ...message, id: otherId(message["id"]) } : message,
      );
    case "missing-id":
      return change(raw, ({ id: _, ...rest }) => rest);
    case "missing-jsonrpc":
      return change(raw, ({ jsonrpc: _, ...rest }) => rest);
    case "wrong-type":
      return change(raw, (message) => withWrongType(message, random));
    default:
      return raw;
  }
}

type Message = Readonly<Record<string, unknown>>;

/** Frames that are not messages stay unchanged. */
function change(raw: string, edit: (message: Message) => Message): string {
  try {
    const message: unknown = JSON.parse(raw);
    return isObject(message) ? JSON.stringify(edit(message)) : raw;
  } catch {
    return raw;
  }
}

function otherId(id: unknown): unknown {
  return typeof id === "number" ? id + 1_000_000 : `${String(id)}-other`;
}

/** Changes one member, so that the message stays JSON but breaks its schema. */
function withWrongType(message: Message, random: () => number): Message {
  const inside = (["params", "result", "error"] as const).filter((key) => isObject(message[key]));
  const [key] = inside;
  if (key === undefined) return { ...message, params: "wrong" };
  const target = message[key] as Message;
  const names = Object.keys(target);
  const name = names[Math.floor(random() * names.length)];
  if (name === undefined) return { ...message, [key]: "wrong" };
  const wrong = typeof target[name] === "string" ? 42 : "wrong";
  return { ...message, [key]: { ...target, [name]: wrong } };
}
