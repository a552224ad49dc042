import type { ServerResponse } from "node:http";
import type { SeenRequest } from "../scripted-http-server.ts";

/** A tool call by the model. */
export interface ModelCall {
  /** Its group of tools, as Codex names it. */
  readonly namespace?: string;
  readonly name: string;
  readonly input: object;
}

/** A message of the conversation that an agent sends with each request. */
export interface ModelMessage {
  readonly by: "person" | "model" | "tool";
  readonly text: string;
  /** The number of its tool calls. */
  readonly calls: number;
}

/** A request to the model. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** The names of the tools offered to it. */
  readonly tools: readonly string[];
}

/** The API of a model provider. */
export interface ModelWire {
  /** Returns undefined for a request that does not prompt the model. */
  readonly read: (seen: SeenRequest) => ModelRequest | undefined;
  /** Answers with a call, or with a text that ends the turn. */
  readonly answer: (seen: SeenRequest, call: ModelCall | undefined, to: ServerResponse) => void;
}

/** The text of a content that is a string, or a list of items with texts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((item: unknown) => {
      const { text, content: inner } = item as { text?: unknown; content?: unknown };
      return typeof text === "string" ? text : textOf(inner);
    })
    .join("\n");
}

/** Sends the events of a stream, each with the name of its type if it has one. */
export function stream(to: ServerResponse, values: readonly object[], end = ""): void {
  to.writeHead(200, { "content-type": "text/event-stream" });
  for (const value of values) {
    const { type } = value as { type?: unknown };
    to.write(
      `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(value)}\n\n`,
    );
  }
  to.end(end);
}

let count = 0;

/** A unique id. */
export function nextId(prefix: string): string {
  count += 1;
  return `${prefix}_${count}`;
}
