import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { McpClient } from "@idewire/core/client";
import { createNodeWebSocketTransport } from "@idewire/node-server";
import { FrameCache } from "@idewire/node-server/internal";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { SoakAddress, SoakState } from "./soak-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A server that reports its memory on request. */
export interface SoakServer {
  readonly address: SoakAddress;
  state(): Promise<SoakState>;
}

/** Starts it with a new home; terminated with the test. */
export async function startSoakServer(): Promise<SoakServer> {
  const home = temporaryFolder("idewire-soak-");
  const program = join(home, "server.mjs");
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./soak-server.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    conditions: ["@idewire/source"],
    // ws is CommonJS, and requires Node's modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  writeFileSync(program, outputFiles[0]?.contents ?? "");
  const env = { HOME: home, XDG_STATE_HOME: home, PATH: process.env["PATH"] };
  const child = fork(program, { env, execArgv: ["--expose-gc"] });
  onTestFinished(async () => {
    child.disconnect();
    await once(child, "exit");
  });
  const [address] = (await once(child, "message")) as [SoakAddress];
  return {
    address,
    async state() {
      const answer = once(child, "message");
      child.send("?");
      return (await answer)[0] as SoakState;
    },
  };
}

/** Connects and performs the handshake. */
export async function connectTo({ url, token }: SoakAddress): Promise<McpClient> {
  const headers = { "X-Claude-Code-Ide-Authorization": token };
  const webSocket = new WebSocket(url, ["mcp"], { perMessageDeflate: false, headers });
  const [[response]] = (await Promise.all([
    once(webSocket, "upgrade"),
    once(webSocket, "open"),
  ])) as [[{ readonly socket: Socket }], unknown];
  const transport = createNodeWebSocketTransport(webSocket, response.socket, new FrameCache());
  return McpClient.connect(transport, { name: "soak", version: "1", era: "legacy" });
}
