import { ToolFailure } from "../errors.ts";
import { toFileUri } from "../paths/file-uri.ts";
import type { PathMap } from "../paths/path-map.ts";
import { type PosixPath, toNativePath, toPosixPath } from "../paths/posix-path.ts";
import type { EditorHost, FileDiagnostics, HostEvents } from "./editor-host.ts";
import type { SharePolicy } from "./share-policy.ts";

/**
 * An editor for agents on another machine: paths in its state are mapped to the agent's, and paths from
 * the agent to the editor's, so that tools and dialects are independent of the map. Paths that the map does
 * not cover are hidden in the state and refused in requests.
 */
export function mapHost(host: EditorHost, map: PathMap): EditorHost {
  const moved = <T extends { readonly path: PosixPath }>(value: T): readonly T[] => {
    const path = map.toAgent(value.path);
    return path === undefined ? [] : [{ ...value, path }];
  };
  return {
    name: host.name,
    version: host.version,
    workspace() {
      const { folders, trusted } = host.workspace();
      return { folders: folders.flatMap(moved), trusted };
    },
    documents: () =>
      host.documents().flatMap((document) => {
        const [seen] = moved(document);
        if (seen === undefined || seen.untitled) return seen ?? [];
        return { ...seen, uri: toFileUri(seen.path, map.agentPlatform) };
      }),
    selection(which) {
      const selection = host.selection(which);
      return selection && moved(selection)[0];
    },
    read: (path) => onHost(map, path, (own) => host.read(own)),
    on: (event, listener) => listen(host, map, event, listener),
    ...mapFileMembers(host, map),
    ...mapDiffMembers(host, map),
    ...mapDiagnostics(host, moved, map),
  };
}

/** The policy for paths as the agent writes them. */
export function mapShare(policy: SharePolicy, map: PathMap): SharePolicy {
  // The links of another machine are unknown here.
  const { toWorkspace: _, ...rest } = policy;
  return {
    ...rest,
    isExcluded(path) {
      const own = map.toHost(path);
      return own === undefined || policy.isExcluded(own) || policy.isExcluded(path);
    },
    leadsOutside(path) {
      const own = map.toHost(path);
      return own !== undefined && policy.leadsOutside?.(own) === true;
    },
  };
}

type Optional = Partial<EditorHost>;

type PathMember = (path: PosixPath, ...rest: unknown[]) => Promise<unknown>;

function mapFileMembers(host: EditorHost, map: PathMap): Optional {
  const byPath = (["fileVersion", "reveal", "select", "save", "format"] as const).flatMap(
    (name) => {
      const member = host[name]?.bind(host) as PathMember | undefined;
      const mapped: PathMember = (path, ...rest) =>
        onHost(map, path, async (own) => member?.(own, ...rest));
      return member === undefined ? [] : [[name, mapped]];
    },
  );
  const closeTab = host.closeTab?.bind(host);
  return {
    ...(Object.fromEntries(byPath) as Optional),
    ...(closeTab && {
      closeTab(key) {
        const path = toPosixPath(key, map.agentPlatform);
        const own = path.ok ? map.toHost(path.value) : undefined;
        return closeTab(own === undefined ? key : toNativePath(own, map.hostPlatform));
      },
    }),
  };
}

function mapDiffMembers(host: EditorHost, map: PathMap): Optional {
  const openDiff = host.openDiff?.bind(host);
  const closeDiff = host.closeDiff?.bind(host);
  return {
    ...(openDiff && {
      openDiff: (request, signal) =>
        onHost(map, request.path, (path) =>
          onHost(map, request.oldPath, (oldPath) =>
            openDiff({ ...request, path, oldPath }, signal),
          ),
        ),
    }),
    ...(closeDiff && { closeDiff: (id, why) => closeDiff(id, why) }),
  };
}

function mapDiagnostics(
  host: EditorHost,
  moved: (file: FileDiagnostics) => readonly FileDiagnostics[],
  map: PathMap,
): Optional {
  const diagnostics = host.diagnostics?.bind(host);
  if (diagnostics === undefined) return {};
  return {
    async diagnostics(path) {
      const files =
        path === undefined
          ? await diagnostics()
          : await onHost(map, path, (own) => diagnostics(own));
      return files.flatMap(moved);
    },
  };
}

function listen<E extends keyof HostEvents>(
  host: EditorHost,
  map: PathMap,
  event: E,
  listener: HostEvents[E],
) {
  if (event === "diagnostics" || event === "written") {
    const emit = listener as HostEvents["diagnostics"] & HostEvents["written"];
    return host.on<"diagnostics" | "written">(event, (paths) => {
      const seen = paths.map((path) => map.toAgent(path)).filter((path) => path !== undefined);
      if (seen.length > 0) emit(seen);
    });
  }
  if (event !== "mention") return host.on(event, listener);
  const emit = listener as HostEvents["mention"];
  return host.on("mention", (mention) => {
    const path = map.toAgent(mention.path);
    if (path !== undefined) emit({ ...mention, path });
  });
}

/**
 * Calls the host with its own path; the path in a failure's message is mapped back to the agent's.
 */
async function onHost<T>(
  map: PathMap,
  path: PosixPath,
  run: (own: PosixPath) => Promise<T>,
): Promise<T> {
  const named = toNativePath(path, map.agentPlatform);
  const own = map.toHost(path);
  if (own === undefined) {
    throw new ToolFailure(`${named} is in no folder that the path map covers`);
  }
  try {
    return await run(own);
  } catch (error) {
    if (!(error instanceof ToolFailure) || own === path) throw error;
    const native = toNativePath(own, map.hostPlatform);
    throw new ToolFailure(error.message.replaceAll(native, named).replaceAll(own, named));
  }
}
