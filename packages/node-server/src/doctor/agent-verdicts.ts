import { lstat } from "node:fs/promises";
import { shellQuote } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";

/** Files that mark a container for an agent. */
export const containerMarks: readonly string[] = ["/.dockerenv", "/run/.containerenv"];

/** Variables with which an agent in a container does not look for the editor outside. */
const REMOTE_VARIABLES = [
  "SSH_CONNECTION",
  "VSCODE_REMOTE_CONTAINERS_SESSION",
  "REMOTE_CONTAINERS",
] as const;

/** An agent in a container connects to a host other than this one. */
export interface ContainerTrap {
  readonly code: "container";
  /** The host that it connects to. */
  readonly host: string;
  /** The shell command that makes it connect here. */
  readonly command: string;
}

/**
 * Whether an agent that connects to another host in a container runs in one (docs/clients/gemini-cli.md,
 * Discovery).
 * @param marks the existing ones of the paths
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

/** A discovery file or folder of an agent that is open to other users. */
export interface OpenToOthers {
  readonly code: "other-owner" | "open";
  readonly path: string;
  /** Its owner. */
  readonly uid: number;
  /** The shell command that fixes it. */
  readonly command: string;
}

/** The permission bits that others must not have: any on a file, write permission on a folder. */
const BITS = { file: 0o077, folder: 0o022 } as const;

/** Why an agent may not trust a file or folder; undefined if it may, or if it does not exist. */
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
