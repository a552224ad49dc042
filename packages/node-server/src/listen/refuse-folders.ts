import {
  type EditorHost,
  isInside,
  type PosixPath,
  type SharePolicy,
  toNativePath,
} from "@idewire/core";
import { overrideHost } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { AgentSide } from "./agent-side.ts";

export interface RefuseFoldersOptions {
  readonly side: AgentSide;
  readonly share: () => SharePolicy;
}

/**
 * An editor that never receives a diff of a folder, as nobody could accept it. The refusal does not disclose
 * whether a path that is excluded or outside the workspace is a folder.
 */
export function refuseFolders(host: EditorHost, { side, share }: RefuseFoldersOptions): EditorHost {
  const isOffered = (path: PosixPath) =>
    host.workspace().folders.some((folder) => isInside(folder.path, path, side.platform));
  const isRefused = async (path: PosixPath) =>
    isOffered(path) && !share().isExcluded(path) && (await side.isFolder(path));
  const openDiff: EditorHost["openDiff"] = async (request, signal) => {
    if (await isRefused(request.path)) {
      const path = toNativePath(request.path, side.platform);
      throw new ToolFailure(`${path} is a folder; name a file`);
    }
    if (signal.aborted) return { kind: "cancelled" };
    return (await host.openDiff?.(request, signal)) ?? { kind: "cancelled" };
  };
  return overrideHost(host, {
    get openDiff() {
      return host.openDiff && openDiff;
    },
  });
}
