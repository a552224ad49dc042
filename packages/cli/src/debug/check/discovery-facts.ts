import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject, parseJson } from "@idewire/core/internal";
import type { DiscoveryFacts } from "@idewire/devtools/checks";
import { isRunning } from "@idewire/node-server/internal";
import { readSmallFile } from "@idewire/node-server/internal/files";
import type { FoundTarget } from "./find-target.ts";

/** The facts about an editor's lock file, without its token. */
export async function readDiscoveryFacts({ lockFile, port }: FoundTarget): Promise<DiscoveryFacts> {
  const { authToken, ...content } = parseObject(await readSmallFile(lockFile).catch(() => "")) ?? {
    authToken: undefined,
  };
  const isJson = Object.keys(content).length > 0;
  const { pid, started, workspaceFolders: folders } = content as Readonly<Record<string, unknown>>;
  return {
    path: lockFile,
    port,
    content: isJson ? content : undefined,
    tokenLength: typeof authToken === "string" ? authToken.length : undefined,
    mode: await modeOf(lockFile),
    directoryMode: await modeOf(dirname(lockFile)),
    pidAlive:
      typeof pid === "number"
        ? isRunning({ pid, ...(typeof started === "string" && { started }) })
        : undefined,
    realPaths: await realPathsOf(Array.isArray(folders) ? folders : []),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Windows has no permission bits. */
async function modeOf(path: string): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  return stat(path).then(
    ({ mode }) => mode,
    () => undefined,
  );
}

async function realPathsOf(folders: readonly unknown[]): Promise<DiscoveryFacts["realPaths"]> {
  const names = folders.filter((folder) => typeof folder === "string");
  const entries = names.map(async (name) => {
    return [name, await realpath(name).catch(() => undefined)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
