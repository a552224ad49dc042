import { inOneLine } from "@idewire/core/internal/base";
import type { Environment } from "../files/directories.ts";
import { openGit } from "./git.ts";

/** Short, as a person waits for the result. */
const GIT_MS = 5_000;

/** The name may come from the configuration of an untrusted folder. */
const MAX_NAME_UNITS = 100;

/** The name of the person in the comments of a folder: git's `user.name` there, otherwise that of the account. */
export async function authorIn(folder: string, env: Environment): Promise<string> {
  const git = openGit(folder, { timeoutMs: GIT_MS, env });
  const name = await git("config", "--get", "user.name").catch(() => "");
  return inOneLine(name, MAX_NAME_UNITS) || accountName(env);
}

/** The name of the person's account on this computer. */
export function accountName(env: Environment): string {
  return env["USER"] ?? env["USERNAME"] ?? "user";
}
