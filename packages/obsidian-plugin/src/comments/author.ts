import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { accountName, authorIn, type Environment } from "@idewire/node-server/internal/files";

/**
 * The person's name in the comments of a vault: git's `user.name` if the vault is in a repository, otherwise that
 * of the account. Elsewhere git is not started: a Mac without developer tools would ask to install them.
 * @param folder native path of the vault
 */
export async function authorInVault(folder: string, env: Environment): Promise<string> {
  return isInRepository(folder) ? authorIn(folder, env) : accountName(env);
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
