import { elicitation, McpClient, type McpClientOptions, tasks } from "@idewire/core/client";
import type { OpenTransport } from "@idewire/core/internal";
import { createHttpTransport } from "@idewire/http";

/** The ways in which a client reaches the server over HTTP. */
export const httpWays = ["legacy HTTP", "modern HTTP", "HTTP with SSE"] as const;

/** The ways in which a client reaches the server. */
export const ways = ["legacy stdio", "modern stdio", ...httpWays] as const;
export type Way = (typeof ways)[number];

export interface ChaosClientOptions extends Partial<McpClientOptions> {
  /** Called when the person is asked. */
  readonly onquestion?: () => unknown;
  /** Called with the id of each task. */
  readonly ontask?: (taskId: string) => void;
}

/** Connects a client that outlives its transports. The caller closes it. */
export function connectInChaos(
  way: Way,
  open: OpenTransport,
  { onquestion, ontask, ...options }: ChaosClientOptions = {},
): Promise<McpClient> {
  return McpClient.connect(open, {
    name: "client",
    version: "1",
    ...(way.startsWith("modern") && { era: "modern" }),
    features: [
      elicitation({
        async form() {
          await onquestion?.();
          return { action: "accept", content: { name: "Ann" } };
        },
      }),
      tasks({ ...(ontask && { ontask }) }),
    ],
    ...options,
  });
}

/** Opens one of the ways over HTTP to a port. */
export function openHttp(way: Way, port: number): OpenTransport {
  const path = way === "HTTP with SSE" ? "sse" : "mcp";
  return () => createHttpTransport(`http://127.0.0.1:${port}/${path}`);
}
