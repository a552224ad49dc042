import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseJson } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { StoredCredentials } from "@idewire/http/internal";
import type { CredentialStore } from "@idewire/http/oauth";
import { type Environment, stateDirectory } from "../files/directories.ts";
import { takeFileLock } from "../files/file-lock.ts";
import { makePrivateDirectory, readPrivateFile, writePrivateFile } from "../files/private-file.ts";
import { codeOf } from "../process/error-code.ts";

/** A person may take five minutes to log in. */
const TIMEOUT_MS = 330_000;

export interface CredentialFilesOptions {
  /** The directory of the files; by default idewire's state directory. */
  readonly directory?: string;
  /** The environment from which `HOME` and `XDG_STATE_HOME` are read; `process.env` by default. */
  readonly env?: Environment;
  /** A name that separates the logins of several accounts at one server; absent for the login without a name. */
  readonly profile?: string | undefined;
}

/**
 * Stores credentials in files that only their user may read, one for each MCP server. A lock beside each file
 * serialises processes that share the directory.
 * @throws IdewireError from its methods: `file-system` for a damaged file, or one that others may read, which is
 * left unchanged
 */
export function createCredentialFiles(options: CredentialFilesOptions = {}): CredentialStore {
  const { env = process.env, profile, directory = join(stateDirectory(env), "oauth") } = options;
  const fileOf = (server: string) => {
    // An address has no line break, so that no server has the name of another's profile.
    const key = profile === undefined ? server : `${server}\n${profile}`;
    return join(directory, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
  };
  return {
    placeOf: fileOf,
    read: (server) => readCredentials(fileOf(server), { server, profile }),
    async write(server, credentials) {
      const file = fileOf(server);
      if (credentials === undefined) await rm(file, { force: true });
      else await writePrivateFile(file, JSON.stringify({ server, profile, credentials }));
    },
    async exclusively(server, run) {
      const lock = `${fileOf(server)}.lock`;
      await makePrivateDirectory(directory);
      const release = await takeFileLock(lock, {
        timeoutMs: TIMEOUT_MS,
        describe: (holder) =>
          `${holder} is logging in to the same server; if it is not, remove ${lock}`,
      });
      try {
        return await run();
      } finally {
        await release();
      }
    },
  };
}

async function readCredentials(
  file: string,
  { server, profile }: { readonly server: string; readonly profile: string | undefined },
): Promise<StoredCredentials | undefined> {
  let text: string;
  try {
    text = await readPrivateFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    const why = `Cannot trust ${file}: ${(error as Error).message}`;
    throw new IdewireError("file-system", `${why}: remove it, and log in again`, { cause: error });
  }
  const value = parse(text);
  const isOwn = isObject(value) && value["server"] === server && value["profile"] === profile;
  const credentials = isOwn ? value["credentials"] : undefined;
  if (isCredentials(credentials)) return credentials;
  throw new IdewireError("file-system", `${file} is damaged: remove it, and log in again`);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isCredentials(value: unknown): value is StoredCredentials {
  if (!isObject(value) || typeof value["issuer"] !== "string") return false;
  const { tokens, client } = value;
  const hasTokens =
    isObject(tokens) &&
    typeof tokens["accessToken"] === "string" &&
    /^[!-~]+$/.test(tokens["accessToken"]) &&
    (tokens["key"] === undefined || isObject(tokens["key"]));
  const hasClient = isObject(client) && typeof client["clientId"] === "string";
  return (tokens === undefined || hasTokens) && (client === undefined || hasClient);
}
