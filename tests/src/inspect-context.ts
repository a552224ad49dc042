import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { AgentContext } from "./agent-context.ts";
import type { CliRun } from "./in-process-cli.ts";

/** A started inspection. */
export interface Begun {
  readonly run: CliRun;
  readonly port: number;
  readonly lockFile: string;
  readonly token: string;
}

/** Starts `idewire inspect --json` in this process. */
export async function beginInspect(
  context: AgentContext,
  ...flags: readonly string[]
): Promise<Begun> {
  const run = context.start("inspect", "--json", ...flags);
  const { port, lockFile } = await run.event("inspecting");
  const { authToken } = readLock(String(lockFile));
  return { run, port: Number(port), lockFile: String(lockFile), token: String(authToken) };
}

export function readLock(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}

/** Connects as an agent that uses the inspection as its editor; disconnected when the test ends. */
export function openAgent(
  { port, token }: Pick<Begun, "port" | "token">,
  options: object = {},
  path = "/",
): WebSocket {
  const headers = { "X-Claude-Code-Ide-Authorization": token };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ["mcp"], {
    headers,
    ...options,
  });
  socket.on("error", () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

/** The close code and reason of a connection. */
export function closeOf(socket: WebSocket): Promise<readonly [code: number, reason: string]> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve([code, reason.toString()]));
  });
}

export function eventsOf(run: CliRun, event: string) {
  return run.events.filter((one) => one["event"] === event);
}

export function tokenHeader(token: string): object {
  return { "X-Claude-Code-Ide-Authorization": token };
}
