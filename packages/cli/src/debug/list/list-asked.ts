import { allDialects, isInside, toPosixPath } from "@idewire/core";
import {
  type EditorFile,
  inspectSharedSocket,
  isRunning,
  platform,
  readRecords,
  type SharedPlace,
} from "@idewire/node-server/internal";
import { type Environment, stateDirectory } from "@idewire/node-server/internal/files";
import type { ListedEditor } from "./listed-editor.ts";

/**
 * The editors of agents without discovery files, such as Codex CLI: each such family looks at one fixed place, where
 * one editor answers for all.
 * @param files those of the other families, which name the editors
 */
export async function listAsked(
  env: Environment,
  cwd: string,
  files: readonly EditorFile[],
): Promise<readonly ListedEditor[]> {
  const records = await readRecords(stateDirectory(env));
  const running = records.flatMap(({ record }) => (isRunning(record) ? [record] : []));
  const found = await Promise.all(
    allDialects.map(async ({ id, agent, endpoint }) => {
      const place = await inspectSharedSocket(endpoint, env);
      if (place === undefined) return [];
      const { path: socketPath } = place;
      const silence = findSilence(place);
      return running.flatMap(({ pid = 0, folder, endpoints }): ListedEditor[] => {
        const own = endpoints[id];
        if (own === undefined) return [];
        const { askedMs } = own;
        const name = files.find(({ lock }) => lock?.pid === pid)?.lock?.ideName ?? "IDE";
        const here = contains(folder, cwd);
        return [
          {
            ...{ state: silence === undefined ? "live" : "stale", here, name, socketPath, pid },
            ...{ folders: [folder], agent: agent?.title ?? id },
            ...(askedMs !== undefined && { askedMs }),
            ...(silence ?? (here ? {} : { code: "other-folder", why: `it is for ${folder}` })),
          },
        ];
      });
    }),
  );
  return found.flat();
}

/** Why no editor is asked there; undefined if one is. */
function findSilence({ path, answers, holder }: SharedPlace) {
  if (!answers) return { code: "silent-socket", why: `nothing answers at ${path}` };
  if (holder !== undefined) return undefined;
  return { code: "other-program", why: `another program listens at ${path}` };
}

function contains(folder: string, cwd: string): boolean {
  const [outer, inner] = [folder, cwd].map((path) => toPosixPath(path, platform));
  return outer?.ok === true && inner?.ok === true && isInside(outer.value, inner.value, platform);
}
