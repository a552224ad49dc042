import type { IncomingMessage } from "node:http";
import { TOKEN_HEADER } from "@idewire/node-server/internal";

/** Longer answers to an upgrade are refused. */
export const MAX_HEAD_BYTES: number = 1 << 16;

/** The replacement of a token in a log. */
const HIDDEN_TOKEN = "(a token)";

/** Headers as received: in their order, with the original spelling of names. */
type RawHeaders = readonly (readonly [name: string, value: string])[];

/** The headers of a request, as received. */
function rawHeadersOf({ rawHeaders }: IncomingMessage): RawHeaders {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
}

/** The same request for the editor, with only its host and token replaced. An editor without a token is sent none. */
export function formatUpgrade(
  request: IncomingMessage,
  { host, port, token }: { readonly host: string; readonly port: number; readonly token?: string },
): string {
  const name = host.includes(":") ? `[${host}]` : host;
  const headers = rawHeadersOf(request).flatMap(([key, value]) => {
    const lower = key.toLowerCase();
    if (lower === "host") return [`${key}: ${name}:${port}`];
    if (lower !== TOKEN_HEADER) return [`${key}: ${value}`];
    return token === undefined ? [] : [`${key}: ${token}`];
  });
  return `${startLine(request)}\r\n${headers.join("\r\n")}\r\n\r\n`;
}

/** The request for a log, without the token. */
export function describeUpgrade(request: IncomingMessage): string {
  const headers = rawHeadersOf(request).map(([key, value]) => {
    return `${key}: ${key.toLowerCase() === TOKEN_HEADER ? HIDDEN_TOKEN : value}`;
  });
  return [startLine(request), ...headers].join("\n");
}

function startLine({ method = "GET", url = "/", httpVersion }: IncomingMessage): string {
  return `${method} ${url} HTTP/${httpVersion}`;
}

/** An answer to an upgrade. */
export interface UpgradeAnswer {
  /** As received, without the empty line at its end. */
  readonly text: string;
  readonly status: number;
  readonly protocol: string | undefined;
  /** The negotiated compression; undefined if there is none. */
  readonly deflate: { readonly agent: boolean; readonly ide: boolean } | undefined;
  /** The number of bytes, including that line. */
  readonly length: number;
}

/** Reads an answer; undefined until it is complete. */
export function readAnswer(bytes: Buffer): UpgradeAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const text = bytes.toString("latin1", 0, end);
  const [first = "", ...lines] = text.split("\r\n");
  const header = (name: string): string | undefined => {
    const found = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
    return found?.slice(name.length + 1).trim();
  };
  return {
    text: text.replaceAll("\r\n", "\n"),
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0),
    protocol: header("sec-websocket-protocol"),
    deflate: readDeflate(header("sec-websocket-extensions")),
    length: end + 4,
  };
}

/** Whether each end's messages may refer to earlier ones; undefined without compression. */
function readDeflate(extensions = ""): UpgradeAnswer["deflate"] {
  if (!/(^|,)\s*permessage-deflate\s*(;|,|$)/i.test(extensions)) return undefined;
  return {
    agent: !/client_no_context_takeover/i.test(extensions),
    ide: !/server_no_context_takeover/i.test(extensions),
  };
}
