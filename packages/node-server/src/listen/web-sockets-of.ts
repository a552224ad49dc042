import type { IdeEndpoint } from "./listen-options.ts";

/** An endpoint of WebSockets: it is at a port, and has a discovery file. */
export interface WebSocketPlace {
  readonly dialect: string;
  readonly port: number;
  readonly url: string;
  readonly lockFile: string;
}

/** The endpoints over WebSockets, which programs knew before there were others. */
export function webSocketsOf(endpoints: readonly IdeEndpoint[]): readonly WebSocketPlace[] {
  return endpoints.flatMap(({ dialect, kind, port, url, lockFile }) =>
    kind === "web-socket" && port !== undefined && lockFile !== undefined
      ? [{ dialect, port, url, lockFile }]
      : [],
  );
}
