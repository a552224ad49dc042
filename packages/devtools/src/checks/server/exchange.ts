import { isObject } from "@idewire/core/internal";
import type { CheckContext } from "../context.ts";
import type { HttpAnswer, HttpProbe } from "../port.ts";
import { CheckFailed, CheckSkipped } from "../verdict.ts";
import { introduction } from "./server-session.ts";

/** A response to an HTTP request. */
export type Answered = Extract<HttpAnswer, { readonly kind: "answered" }>;

/** @throws CheckSkipped for a program */
export function serverOf({ port: { server } }: CheckContext): {
  readonly url: string;
  readonly isLocal: boolean;
} {
  const { url, isLocal = false } = server ?? {};
  if (url === undefined) throw new CheckSkipped("it applies to HTTP");
  return { url, isLocal };
}

/** @throws CheckFailed when nothing is answered */
export async function exchange(context: CheckContext, probe: HttpProbe): Promise<Answered> {
  const answer = await context.exchange(probe);
  if (answer.kind === "answered") return answer;
  throw new CheckFailed(answer.message);
}

/** The JSON-RPC message of a response; empty for anything else. */
export function messageIn({ body, headers }: Answered): Readonly<Record<string, unknown>> {
  const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
  const lines = body.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  const text = isStream
    ? lines.map((line) => line.slice(5).trim()).find((data) => data !== "")
    : body;
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Requests `initialize` with further headers. */
export function initialize(
  context: CheckContext,
  headers: HttpProbe["headers"] = {},
  credentials?: HttpProbe["credentials"],
): Promise<Answered> {
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params: introduction() };
  return exchange(context, {
    ...{ method: "POST", headers, body: JSON.stringify(body) },
    ...(credentials && { credentials }),
  });
}
