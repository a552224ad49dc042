import { formatNotification, formatRequest, shellQuote } from "@idewire/core/internal";
import type { HttpHeader } from "@idewire/devtools/internal";

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
  const call = `--data-raw ${shellQuote(raw)}`;
  if (!headers.some(([name]) => name === SESSION)) return post(call);
  const version = headers.find(([name]) => name === "mcp-protocol-version")?.[1] ?? "2025-11-25";
  const initialize = formatRequest("initialize", "initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "curl", version: "1" },
  });
  const initialized = formatNotification("notifications/initialized");
  const session = `-H "${SESSION}: $session"`;
  const find = `tr -d '\\r' | awk 'tolower($1) == "${SESSION}:" { print $2 }'`;
  return [
    `session=$(${post(`-D - -o /dev/null --data-raw ${shellQuote(initialize)}`)} | ${find})`,
    post(session, `--data-raw ${shellQuote(initialized)}`),
    post(session, call),
  ].join("\n");
}

function headerFlag([name, value]: HttpHeader): string {
  if (!SECRET.test(value)) return `-H ${shellQuote(`${name}: ${value}`)}`;
  const scheme = value.replace(SECRET, "");
  const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
  return `-H ${shellQuote(`${name}: ${scheme}`)}"$${variable}"`;
}
