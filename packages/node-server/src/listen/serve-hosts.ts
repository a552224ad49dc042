import { connectHost, type RemoteHost } from "@idewire/core";
import {
  answerLimits,
  HostMethod,
  optionNames,
  requireKnownOptions,
  requireMembers,
} from "@idewire/core/internal";
import { CloseCode, Peer } from "@idewire/core/rpc";
import type { NodeUpgradeRequest, WsWebSocket, WsWebSocketServer } from "../process/node-types.ts";
import { createNodeWebSocketTransport } from "../web-socket/web-socket-transport.ts";
import { listenIde } from "./listen.ts";
import type { IdeListener, ListenIdeOptions } from "./listen-options.ts";
import { ListeningNotice } from "./listening-notice.ts";

/** Which pages become editors, and how they are offered to agents. */
export interface ServeHostsOptions {
  /**
   * Whether a page may be an editor here: agents then read and write on its behalf. Check a secret that only
   * the page has, such as a session cookie, and the `Origin`. Nothing from the page is read before.
   */
  readonly authenticate: (request: NodeUpgradeRequest) => boolean | Promise<boolean>;
  /** As for `listenIde`; by default for Claude Code alone. */
  readonly listen?: ListenIdeOptions;
  /** A page is an editor that agents can find now; both end when it disconnects. */
  readonly onlistening?: (listener: IdeListener, host: RemoteHost) => void;
  /** Called with the reason why a page cannot be an editor; `console.error` by default. */
  readonly onerror?: (error: Error) => void;
}

/** Pages as editors; see {@link serveHosts}. */
export interface HostsServer {
  /** Disconnects all pages and resolves when their listeners are closed; the WebSocketServer is the caller's. */
  close(): Promise<void>;
}

const names = optionNames<ServeHostsOptions>({
  authenticate: true,
  listen: true,
  onlistening: true,
  onerror: true,
});

/**
 * Makes each page that connects to a WebSocketServer of `ws` an editor, and calls `serveHost`. The page receives
 * `host/listening` whenever the places change where agents find it. A page that cannot be an editor, because it names
 * no path, for example, receives the reason by `host/problem` and is disconnected.
 * @throws IdewireError `invalid-argument` for another value than a WebSocketServer, and for an unknown option
 */
export function serveHosts(server: WsWebSocketServer, options: ServeHostsOptions): HostsServer {
  requireMembers("serveHosts", server, { expected: "a WebSocketServer", functions: ["on", "off"] });
  requireKnownOptions("serveHosts", options, names);
  requireMembers("serveHosts", options, { expected: "options", functions: ["authenticate"] });
  const pages = new Map<Peer, Promise<void>>();
  const { onerror = console.error } = options;
  const admit = async (webSocket: WsWebSocket, request: NodeUpgradeRequest) => {
    webSocket.pause();
    const isAdmitted = await authenticate(request, options);
    const transport = createNodeWebSocketTransport(webSocket, request.socket);
    if (isAdmitted) {
      const peer = new Peer(transport, { ...answerLimits, onerror });
      const served = servePage(peer, options).catch(onerror);
      pages.set(peer, served);
      void served.then(() => pages.delete(peer));
    } else transport.close(CloseCode.PolicyViolation, "This page may not be an editor here");
    webSocket.resume();
  };
  const onconnection = (webSocket: WsWebSocket, request: NodeUpgradeRequest) =>
    void admit(webSocket, request).catch((error: unknown) => {
      webSocket.terminate();
      onerror(error);
    });
  server.on("connection", onconnection);
  return {
    async close() {
      server.off("connection", onconnection);
      for (const peer of pages.keys()) peer.close(CloseCode.GoingAway);
      await Promise.all(pages.values());
    },
  };
}

/** A page is refused if the check fails. */
async function authenticate(
  request: NodeUpgradeRequest,
  { authenticate: judge }: ServeHostsOptions,
): Promise<boolean> {
  return (await judge(request)) === true;
}

/** Resolves when the page has disconnected and its listener is closed. */
async function servePage(peer: Peer, { listen, onlistening }: ServeHostsOptions): Promise<void> {
  let listener: IdeListener | undefined;
  try {
    const host = await connectHost(peer);
    listener = await listenIde(host, listen);
    const notice = new ListeningNotice({ peer, listener });
    listener.on("published", () => notice.send());
    notice.send();
    onlistening?.(listener, host);
    await host.closed;
  } catch (error) {
    peer.notify(HostMethod.Problem, { message: (error as Error).message });
    peer.close(CloseCode.PolicyViolation, (error as Error).message);
    throw error;
  } finally {
    peer.close();
    await listener?.close();
  }
}
