import { countOf } from "@idewire/core/internal/base";
import {
  explainHttp,
  type HttpExchange,
  type HttpHeader,
  type StreamEvent,
} from "@idewire/devtools/internal";
import type { ComponentChildren } from "preact";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { Fact } from "../ui/fact.tsx";
import { describeDuration } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { SourceLinks } from "../ui/source-links.tsx";
import { StatusBadge } from "../wire/http-cells.tsx";

/** The newest events of a stream that are shown. */
const SHOWN_EVENTS = 50;

interface HttpViewProps {
  readonly exchange: HttpExchange;
  /** The times and the links of its event. */
  readonly children: ComponentChildren;
}

/** An HTTP exchange: what it means, its timing, its headers, its stream. */
export function HttpView({ exchange, children }: HttpViewProps) {
  const { sentence, source } = explainHttp(exchange);
  const { request, headers, text, stream, streamed } = exchange;
  return (
    <div class="http-exchange" data-testid="http-exchange">
      <p class="sentence">
        <ForeignText text={sentence} />
      </p>
      <dl class="facts">
        <Fact name="request">
          <ForeignText text={`${request.method ?? ""} ${request.url ?? ""}`} />
        </Fact>
        <Fact name="status">
          <StatusBadge exchange={exchange} />
        </Fact>
        <Timing exchange={exchange} />
        <Session exchange={exchange} />
        {children}
        {source !== undefined && (
          <Fact name="source">
            <SourceLinks source={source} />
          </Fact>
        )}
      </dl>
      <Headers title="Request headers" headers={request.headers} />
      <Body title="Request body" text={request.text} />
      <Headers title="Response headers" headers={headers} />
      <Body title="Response body" text={text} />
      {streamed > 0 && <Stream stream={stream} streamed={streamed} from={request.t} />}
      <div class="bar actions">
        <Button title="Copy as text" run={() => copyText(httpText(exchange))} />
      </div>
    </div>
  );
}

function Timing({ exchange }: { readonly exchange: HttpExchange }) {
  const { waitedMs, durationMs, bytes } = exchange;
  return (
    <>
      {waitedMs !== undefined && <Fact name="response after">{describeDuration(waitedMs)}</Fact>}
      {durationMs !== undefined && <Fact name="ended after">{describeDuration(durationMs)}</Fact>}
      {bytes !== undefined && bytes > 0 && <Fact name="body">{countOf(bytes, "byte")}</Fact>}
    </>
  );
}

/** The session and the era, where the headers name them. */
function Session({ exchange }: { readonly exchange: HttpExchange }) {
  const { request, headers } = exchange;
  const session =
    headerOf(headers, "mcp-session-id") ?? headerOf(request.headers, "mcp-session-id");
  const revision = headerOf(request.headers, "mcp-protocol-version");
  const isModern = headerOf(request.headers, "mcp-method") !== undefined;
  return (
    <>
      {session !== undefined && (
        <Fact name="session">
          <ForeignText text={session} />
        </Fact>
      )}
      {revision !== undefined && (
        <Fact name="era">
          {isModern ? "modern" : "legacy"}, MCP <ForeignText text={revision} />
        </Fact>
      )}
    </>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly headers: readonly HttpHeader[] | undefined;
}

function Headers({ title, headers = [] }: HeadersProps) {
  if (headers.length === 0) return null;
  return (
    <section class="http-part">
      <h3>{title}</h3>
      <dl class="http-headers">
        {headers.map(([name, value], at) => (
          <div key={at}>
            <dt>
              <ForeignText text={name} />
            </dt>
            <dd>
              <ForeignText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface BodyProps {
  readonly title: string;
  readonly text: string | undefined;
}

function Body({ title, text }: BodyProps) {
  if (text === undefined) return null;
  return (
    <section class="http-part">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre class="upgrade" tabIndex={0}>
        <ForeignText text={indented(text)} />
      </pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text.includes("&") && !text.includes(" ") ? text.split("&").join("\n") : text;
  }
}

interface StreamProps {
  readonly stream: readonly StreamEvent[];
  readonly streamed: number;
  /** When the request was sent. */
  readonly from: number;
}

function Stream({ stream, streamed, from }: StreamProps) {
  void usePage().model.version.value;
  return (
    <section class="http-part">
      <h3>{countOf(streamed, "event")} of the stream</h3>
      <ol class="http-stream">
        {stream.slice(-SHOWN_EVENTS).map((event, at) => (
          <li key={at}>
            <span class="num">+{describeDuration(event.t - from)}</span>{" "}
            <ForeignText text={describeEvent(event)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function describeEvent({ id, type, retry, units }: StreamEvent): string {
  if (retry !== undefined) return `retry: ${retry} ms`;
  const words = [
    `event: ${type ?? "message"}`,
    ...(id === undefined ? [] : [`id: ${id}`]),
    units === 0 ? "no data" : `${countOf(units, "character")}`,
  ];
  return words.join(", ");
}

/** An exchange as HTTP/1.1 writes it. */
function httpText({ request, status, headers = [], text = "" }: HttpExchange): string {
  const lines = (of: readonly HttpHeader[]) => of.map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${request.url}`, ...lines(request.headers ?? [])];
  const answer = status === undefined ? [] : [`${status}`, ...lines(headers), "", text];
  return [...head, "", request.text ?? "", ...answer].join("\n");
}

function headerOf(headers: readonly HttpHeader[] | undefined, name: string): string | undefined {
  return headers?.find(([each]) => each === name)?.[1];
}
