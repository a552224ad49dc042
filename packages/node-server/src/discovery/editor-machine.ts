import { readFile } from "node:fs/promises";
import type { ServerFile } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";
import { isRunning, portAnswers } from "../process/liveness.ts";
import { wslDistribution } from "./wsl.ts";

/** Reads a small system file; undefined when it does not exist. */
export type ReadText = (path: string) => Promise<string | undefined>;

const LOOPBACK = "127.0.0.1";
/** The names of a container's host in Docker and Podman. */
const AROUND_CONTAINER = "host.docker.internal";
const CONTAINER_MARKS = ["/.dockerenv", "/run/.containerenv"];

/** How to find the machine of a lock file's editor. */
export interface Whereabouts {
  readonly lock: ServerFile;
  readonly port: number;
  readonly env: Environment;
  /** The system's own files by default. */
  readonly read?: ReadText;
}

/**
 * The machine on which an editor listens, as Claude Code finds it (docs/clients/claude-code.md, Discovery):
 * `CLAUDE_CODE_IDE_HOST_OVERRIDE`; from WSL, for an editor on Windows, the default gateway if it answers; else
 * this one. In a container where nothing answers locally, the container's host is tried, which Claude Code itself
 * does not do.
 */
export async function findMachine(where: Whereabouts): Promise<string> {
  const { port, env, read = readSystemFile } = where;
  const named = env["CLAUDE_CODE_IDE_HOST_OVERRIDE"];
  if (named) return named;
  for (const host of await findOthers(where, read)) {
    if (await portAnswers(port, host)) return host;
  }
  return LOOPBACK;
}

/** Whether the process named by a lock file may run on a machine whose processes are not visible here. */
export async function mayBeElsewhere({
  env,
  read = readSystemFile,
}: Pick<Whereabouts, "env" | "read">): Promise<boolean> {
  const isNamed = Boolean(env["CLAUDE_CODE_IDE_HOST_OVERRIDE"]);
  return isNamed || wslDistribution(env) !== undefined || isContainer(read);
}

async function findOthers(
  { lock, port, env }: Whereabouts,
  read: ReadText,
): Promise<readonly string[]> {
  if (wslDistribution(env) !== undefined) {
    if (lock.runningInWindows !== true) return [];
    const gateway = parseGateway((await read("/proc/net/route")) ?? "");
    const nameServer = parseNameServer((await read("/etc/resolv.conf")) ?? "");
    return [gateway, nameServer].filter((host) => host !== undefined);
  }
  // A process that runs here listens here: no connection, which the editor might notice, is needed to find out.
  if (isRunning(lock)) return [];
  const isOutside = (await isContainer(read)) && !(await portAnswers(port));
  return isOutside ? [AROUND_CONTAINER] : [];
}

async function isContainer(read: ReadText): Promise<boolean> {
  for (const mark of CONTAINER_MARKS) if ((await read(mark)) !== undefined) return true;
  return false;
}

/** The default gateway in `/proc/net/route`: from WSL, Windows. */
export function parseGateway(routes: string): string | undefined {
  for (const route of routes.split("\n").slice(1)) {
    const [, destination, gateway = ""] = route.trim().split(/\s+/);
    if (destination !== "00000000" || !/^[\da-f]{8}$/i.test(gateway)) continue;
    const bytes = gateway.match(/../g) ?? [];
    return bytes
      .reverse()
      .map((byte) => Number.parseInt(byte, 16))
      .join(".");
  }
  return undefined;
}

/** The first name server in `/etc/resolv.conf`: from WSL, often Windows. */
export function parseNameServer(text: string): string | undefined {
  return /^[ \t]*nameserver[ \t]+([\d.]+)[ \t\r]*$/m.exec(text)?.[1];
}

async function readSystemFile(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
