import { HostMethod } from "@idewire/core/internal";
import type { Params, Peer } from "@idewire/core/rpc";
import type { IdeEndpoint, IdeListener } from "./listen-options.ts";
import { type WebSocketPlace, webSocketsOf } from "./web-sockets-of.ts";

/** An endpoint in the output for programs, with the agents' paths. */
export type ListedEndpoint = Omit<IdeEndpoint, "folders" | "asked">;

/** Where agents find a folder. Programs with the first protocol support only WebSockets. */
export interface ListedEndpoints {
  readonly endpoints: readonly WebSocketPlace[];
  /** Absent if there are none. */
  readonly otherEndpoints?: readonly ListedEndpoint[];
}

export function listEndpoints({ endpoints: all }: Pick<IdeListener, "endpoints">): ListedEndpoints {
  const endpoints = webSocketsOf(all);
  const known = new Set(endpoints.map(({ dialect }) => dialect));
  const otherEndpoints = all
    .filter(({ dialect }) => !known.has(dialect))
    .map(({ folders: _, asked: _asked, ...endpoint }) => endpoint);
  return { endpoints, ...(otherEndpoints.length > 0 && { otherEndpoints }) };
}

/** The editor at the other end, and its listener. */
export interface NotifiedOfListening {
  readonly peer: Peer;
  readonly listener: IdeListener;
}

/** Sends `host/listening` whenever its content has changed. */
export class ListeningNotice {
  readonly #notified: NotifiedOfListening;
  #sent = "";

  constructor(notified: NotifiedOfListening) {
    this.#notified = notified;
  }

  send(): void {
    const { peer, listener } = this.#notified;
    const content = describeListener(listener);
    const text = JSON.stringify(content);
    if (text === this.#sent) return;
    this.#sent = text;
    peer.notify(HostMethod.Listening, content);
  }
}

function describeListener(listener: IdeListener): Params {
  const { endpoints: all, share, exclude, joined } = listener;
  return {
    ...listEndpoints(listener),
    ...(joined && { joined }),
    folders: (all[0]?.folders ?? []).map((path) => ({ path })),
    share: { level: share.level, exclude },
  };
}
