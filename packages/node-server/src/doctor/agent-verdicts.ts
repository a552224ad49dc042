import { lstat } from "node:fs/promises";
import { shellQuote } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";

/** By these an agent knows that it runs in a container. */
export const containerMarks: readonly string[] = ["/.dockerenv", "/run/.containerenv"];

/** Where these are set, an agent in a container does not look for the editor outside. */
const REMOTE_VARIABLES = [
  "SSH_CONNECTION",
  "VSCODE_REMOTE_CONTAINERS_SESSION",
  "REMOTE_CONTAINERS",
] as const;

/** An agent in a container connects to another machine than this one. */
export interface ContainerTrap {
  readonly code: "container";
  /** The host that it connects to. */
  readonly host: string;
  /** The shell command that starts it so that it connects here. */
  readonly command: string;
}

/**
 * Whether an agent that connects to another host in a container runs in one (docs/clients/gemini-cli.md, Discovery).
 * @param marks those of the paths that exist
 */
export function assessContainer(
  agent: { readonly start?: string; readonly containerHost?: string } | undefined,
  env: Environment,
  marks: readonly string[],
): ContainerTrap | undefined {
  const { start, containerHost: host } = agent ?? {};
  if (host === undefined || start === undefined || marks.length === 0) return undefined;
  if (REMOTE_VARIABLES.some((name) => env[name])) return undefined;
  return { code: "container", host, command: `SSH_CONNECTION=local ${start}` };
}

/** A file or folder by which an agent finds the editor that is open to other users. */
export interface OpenToOthers {
  readonly code: "other-owner" | "open";
  readonly path: string;
  /** Whose it is. */
  readonly uid: number;
  /** The shell command that remedies it. */
  readonly command: string;
}

/** The permission bits of everybody but the owner: of a file any, of a folder those by which they may write. */
const BITS = { file: 0o077, folder: 0o022 } as const;

/** Whether an agent may trust a file or folder; undefined also when it does not exist. */
export async function assessPrivacy(
  path: string,
  kind: keyof typeof BITS,
): Promise<OpenToOthers | undefined> {
  const own = process.getuid?.();
  const found = await lstat(path).catch(() => undefined);
  if (own === undefined || found === undefined) return undefined;
  const { uid, mode } = found;
  const name = shellQuote(path);
  if (uid !== own) return { code: "other-owner", path, uid, command: `ls -ld ${name}` };
  if ((mode & BITS[kind]) === 0) return undefined;
  return { code: "open", path, uid, command: `chmod ${kind === "file" ? 600 : 700} ${name}` };
}
