import type { HttpExchange } from "../rows/http-exchanges.ts";
import type { Explanation } from "./explain.ts";
import { headerOf, oauthRefusal, oauthStep, pathOf } from "./oauth-step.ts";

/** What an HTTP exchange is for. */
export interface HttpMeaning extends Explanation {
  /** In a few words, for a row. */
  readonly title: string;
}

const TRANSPORT = "MCP 2025-11-25, Transports";

/** Explains an HTTP exchange: a step of OAuth, or a message of the transport. */
export function explainHttp(exchange: HttpExchange): HttpMeaning {
  const step = oauthStep(exchange);
  const { title, sentence, source } = step ?? transportStep(exchange);
  const answered =
    describeProgress(exchange) ?? (step ? oauthRefusal(exchange) : describeAnswer(exchange));
  return {
    title,
    sentence: answered === "" ? sentence : `${sentence} ${answered}`,
    ...(source !== undefined && { source }),
  };
}

function transportStep(exchange: HttpExchange): HttpMeaning {
  const { request } = exchange;
  const { method = "", carries = [], url = "" } = request;
  const lastEvent = headerOf(request.headers, "last-event-id");
  if (carries.length > 0) {
    const what = carries.map((message) => message.method).join(", ");
    const isAnswer = carries.every((message) => message.method === "answer");
    return {
      title: isAnswer ? "an answer of the client" : what,
      sentence: isAnswer
        ? "The client answers a request of the server."
        : `The client sends ${what}; the frame has its own row.`,
      source: TRANSPORT,
    };
  }
  if (method === "GET" && lastEvent !== undefined) {
    const sentence = `The client resumes a stream after the event ${quote(lastEvent)}.`;
    return { title: "resumes a stream", sentence, source: TRANSPORT };
  }
  if (method === "GET") {
    const sentence = "The client opens a stream for what the server sends on its own.";
    return { title: "stream of the server", sentence, source: TRANSPORT };
  }
  if (method === "DELETE") {
    const sentence = "The client ends the session.";
    return { title: "end of the session", sentence, source: TRANSPORT };
  }
  return { title: pathOf(url), sentence: `A request to ${pathOf(url)}.` };
}

/** Why there is no response; undefined if there is one. */
function describeProgress({ request, status, problem }: HttpExchange): string | undefined {
  if (problem !== undefined) return `It failed: ${problem}.`;
  if (status === undefined) return request.browser ? "Waiting for you." : "";
  return undefined;
}

/** The meaning of a transport's response; empty if the status is self-explanatory. */
function describeAnswer({ request, status = 0, headers, streamed }: HttpExchange): string {
  const isOfTransport = request.carries !== undefined || request.method !== "POST";
  const challenge = headerOf(headers, "www-authenticate");
  if (status === 401) return `The server requires a login${placeIn(challenge)}.`;
  if (status === 403 && challenge !== undefined && /insufficient_scope/.test(challenge)) {
    return `The login does not cover this (step-up): more scope is needed${scopeIn(challenge)}.`;
  }
  if ([400, 404, 405].includes(status) && request.carries?.[0]?.method === "server/discover") {
    return "Servers of the legacy era refuse it.";
  }
  if (status === 404 && headerOf(request.headers, "mcp-session-id") !== undefined) {
    return "The server does not know the session: it has ended.";
  }
  if (status === 405 && request.method === "GET" && isOfTransport) {
    return "The server offers no such stream, which is allowed.";
  }
  const session = headerOf(headers, "mcp-session-id");
  if (session !== undefined && request.carries?.[0]?.method === "initialize") {
    return `The server opens the session ${session}.`;
  }
  if (streamed > 0) return `The answer is a stream of ${count(streamed, "event")}.`;
  if (status === 202) return "The server has accepted it; nothing is to be answered.";
  return "";
}

function placeIn(challenge = ""): string {
  const found = /resource_metadata="?([^",\s]+)/.exec(challenge)?.[1];
  return found === undefined ? "" : `, and names its metadata: ${found}`;
}

function scopeIn(challenge: string): string {
  const found = /scope="([^"]*)"/.exec(challenge)?.[1];
  return found === undefined ? "" : `: ${found}`;
}

function count(units: number, name: string): string {
  return units === 1 ? `one ${name}` : `${units} ${name}s`;
}

function quote(text: string): string {
  return `“${text.slice(0, 200)}”`;
}
