import { asObject, formatNotification, formatRequest, shellQuote } from "@idewire/core/internal";
import type { HttpHeader } from "@idewire/devtools/internal";
import { exactJson } from "../state/exact-json.ts";

/** A call, as it went over HTTP. */
export interface HttpCall {
  readonly url: string;
  /** The frame, which was the body. */
  readonly raw: string;
  /** As they were sent, with stand-ins for secrets. */
  readonly headers: readonly HttpHeader[];
}

/** Headers that curl sets itself, or that are valid once. */
const LEFT_OUT = /^(?:content-length|host|connection|user-agent|accept-encoding|dpop)$/;
const SESSION = "mcp-session-id";
const SECRET = /redacted-token(?:-\d+)?$/;

/**
 * Commands that send a call again, for bash. A call of a session begins one of its own; a secret is a variable, such
 * as `$AUTHORIZATION`, which the person sets.
 */
export function callAsCurl({ url, raw, headers }: HttpCall): string {
  const sent = headers.filter(([name]) => !LEFT_OUT.test(name) && name !== SESSION);
  const begin = ["curl -sS", shellQuote(url), ...sent.map(headerFlag)];
  const post = (...words: readonly string[]) => [...begin, ...words].join(" ");
  if (!headers.some(([name]) => name === SESSION)) return post(body(raw));
  const version = headers.find(([name]) => name === "mcp-protocol-version")?.[1] ?? "2025-11-25";
  const session = `-H "${SESSION}: $session"`;
  const find = `tr -d '\\r' | awk 'tolower($1) == "${SESSION}:" { print $2 }'`;
  return [
    `session=$(${post(`-D - -o /dev/null ${body(initialize(version))}`)} | ${find})`,
    post(session, body(INITIALIZED)),
    post(session, body(raw)),
  ].join("\n");
}

/**
 * The same for a server of HTTP with SSE, whose answers arrive on a stream: commands that open one, begin a session on
 * it and print the answer.
 * @param url the address of the stream
 */
export function callAsSseCurl({ url, raw, headers }: HttpCall): string {
  const sent = headers.filter(([name]) => !LEFT_OUT.test(name));
  const own = sent.filter(([name]) => !/^(?:accept|content-type)$/.test(name)).map(headerFlag);
  const open = ["curl -sSN", shellQuote(url), ...own, "-H 'accept: text/event-stream'"];
  const post = (frame: string) =>
    ['curl -sS -o /dev/null "$endpoint"', ...sent.map(headerFlag), body(frame)].join(" ");
  return [
    `exec 3< <(exec ${open.join(" ")}); stream=$!`,
    `data() { while IFS= read -r line <&3; do [[ $line == data:*"$1"* ]] && break; done; line=\${line#data:}; line=\${line%$'\\r'}; line=\${line# }; }`,
    "data; endpoint=$line",
    `[[ $endpoint == /* ]] && endpoint=${shellQuote(new URL(url).origin)}$endpoint`,
    post(initialize("2024-11-05")),
    "data '\"initialize\"'",
    post(INITIALIZED),
    post(exactJson.stringify({ ...asObject(exactJson.parse(raw)), id: SSE_CALL }) ?? ""),
    `data '"${SSE_CALL}"'; printf '%s\\n' "$line"`,
    "kill $stream",
  ].join("\n");
}

/** The id of the call on a stream, where it is searched for. */
const SSE_CALL = "call-by-curl";
const INITIALIZED = formatNotification("notifications/initialized");

function initialize(protocolVersion: string): string {
  return formatRequest("initialize", "initialize", {
    ...{ protocolVersion, capabilities: {} },
    clientInfo: { name: "curl", version: "1" },
  });
}

function body(frame: string): string {
  return `--data-raw ${shellQuote(frame)}`;
}

function headerFlag([name, value]: HttpHeader): string {
  if (!SECRET.test(value)) return `-H ${shellQuote(`${name}: ${value}`)}`;
  const scheme = value.replace(SECRET, "");
  const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return `-H ${shellQuote(`${name}: ${scheme}`)}"$${variable}"`;
}
