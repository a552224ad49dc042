import {
  type EditorHost,
  type Emitter,
  type HostEvents,
  type Mention,
  type PosixPath,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import { notShared, overrideHost } from "@idewire/core/internal";
import { platform } from "../../process/platform.ts";

export interface SharedHostOptions {
  readonly isExcluded: (path: PosixPath) => boolean;
  /** Begins the id of each diff here: the ids of no other process begin so. */
  readonly prefix: string;
  /** Emits the state that has to be sent again, as the excluded files have changed. */
  readonly changes: Emitter<Pick<HostEvents, "documents" | "selection">>;
}

/** An editor as presented to the process that it has joined: without the files that it excludes. */
export function createSharedHost(host: EditorHost, options: SharedHostOptions): EditorHost {
  const { prefix, changes, isExcluded } = options;
  const isShown = (path: PosixPath) => isLocal(path) && !isExcluded(path);
  const ownId = (id: string) => `${prefix}${id}`;
  const diagnostics = host.diagnostics?.bind(host);
  const openDiff = host.openDiff?.bind(host);
  const closeDiff = host.closeDiff?.bind(host);
  return overrideHost(host, {
    documents: () => host.documents().filter(({ path }) => isShown(path)),
    selection: (which) => {
      const selection = host.selection(which);
      return selection !== undefined && isShown(selection.path) ? selection : undefined;
    },
    async read(path) {
      if (!isShown(path)) throw notShared(path);
      return host.read(path);
    },
    on: (event, listener) => {
      if (event === "mention") return host.on("mention", onlyShown(listener, isShown));
      const stop = host.on(event, listener);
      if (event !== "documents" && event !== "selection") return stop;
      const forget = changes.on(event, listener as () => void);
      return () => {
        stop();
        forget();
      };
    },
    ...(diagnostics && {
      diagnostics: async (path?: PosixPath) => {
        const files = await diagnostics(path);
        return files.filter((file) => isShown(file.path));
      },
    }),
    ...(openDiff && {
      openDiff: (request, signal) => openDiff({ ...request, id: ownId(request.id) }, signal),
    }),
    ...(closeDiff && { closeDiff: (id, why) => closeDiff(ownId(id), why) }),
  });
}

function onlyShown(
  listener: HostEvents[keyof HostEvents],
  isShown: (path: PosixPath) => boolean,
): (mention: Mention) => void {
  return (mention) => {
    if (isShown(mention.path)) (listener as HostEvents["mention"])(mention);
  };
}

/** Whether it is a path of this machine, not the address of a web page. */
function isLocal(path: PosixPath): boolean {
  return toPosixPath(toNativePath(path, platform), platform).ok;
}
