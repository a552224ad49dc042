import { readFileSync } from "node:fs";
import { createIdeServer, type Dialect, defaultSharePolicy, type IdeSession } from "@idewire/core";
import {
  createMemoryTransportPair,
  createWebSocketTransport,
  type Transport,
} from "@idewire/core/rpc";
import type { FakeEditorHost } from "@idewire/core/testing";
import { listenIde } from "@idewire/node-server";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { temporaryFolder } from "../temporary-folder.ts";
import { messageChannelPair } from "../transport-pairs.ts";

/** A served editor, and an agent's end of a connection to it. */
export interface Fixture {
  readonly agent: Transport;
  readonly sessions: () => Iterable<IdeSession>;
}

type OpenFixture = (host: FakeEditorHost, dialect: Dialect) => Promise<Fixture>;

/** Everything is shared here: the share policy has its own tests. */
const share = { ...defaultSharePolicy, level: "all" } as const;

function served(host: FakeEditorHost, dialect: Dialect, editor: Transport, agent: Transport) {
  const server = createIdeServer({ host, dialect, share });
  server.open(editor);
  onTestFinished(() => server.close());
  return { agent, sessions: () => server.sessions };
}

/** All transports by which an agent may reach an editor. */
export const fixtures: Readonly<Record<string, OpenFixture>> = {
  async memory(host, dialect) {
    const [editor, agent] = createMemoryTransportPair();
    return served(host, dialect, editor, agent);
  },

  async MessageChannel(host, dialect) {
    const { left, right } = await messageChannelPair();
    return served(host, dialect, left, right);
  },

  async WebSocket(host, dialect) {
    const home = temporaryFolder("idewire-conversation-");
    const env = { HOME: home };
    const listener = await listenIde(host, { dialects: [dialect], env, share });
    onTestFinished(() => listener.close());
    const [endpoint] = listener.endpoints;
    const { authToken } = JSON.parse(readFileSync(endpoint?.lockFile ?? "", "utf8"));
    const socket = new WebSocket(`ws://127.0.0.1:${endpoint?.port}/mcp`, "mcp", {
      headers: { "X-Claude-Code-Ide-Authorization": authToken },
    });
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return { agent: createWebSocketTransport(socket), sessions: () => listener.sessions };
  },
};
