import {
  type EditorHost,
  type FileDiagnostics,
  type Mention,
  type PosixPath,
  type Range,
  type RemoteHost,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import { listProblems } from "../../folder-host/check/problem-lists.ts";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import type { IdeListener } from "../../listen-options.ts";
import { platform } from "../../platform.ts";
import { whyUnheard, whyUnshared } from "../../untold.ts";
import { readNativePath } from "../script/native-path.ts";

/** An editor that takes commands; a member that is absent is a command that it does not have. */
export interface ControlTarget {
  readonly host: EditorHost;
  /** @throws Error when it is no path */
  locate(native: string): PosixPath;
  open?(path: PosixPath): Promise<void>;
  select?(path: PosixPath, range: Range, text?: string): Promise<void>;
  clear?(): void;
  mention?(mention: Mention): Promise<void> | void;
  /** @throws Error when there are problems, and all are elsewhere */
  diagnose?(files: readonly FileDiagnostics[]): Promise<void>;
}

/** Who hears of what is mentioned. */
type Agents = Pick<IdeListener, "sessions" | "share">;

/** A folder that is served. */
export function controlFolder(host: FolderHost, agents: Agents): ControlTarget {
  return {
    host,
    locate: (native) => readNativePath(host.folder, native),
    open: (path) => host.open(path),
    async select(path, range, text) {
      await host.select(path, range, text);
      const reason = whyUnshared(path, agents);
      if (reason !== undefined) throw new Error(reason);
    },
    clear: () => host.clearSelection(),
    async mention(mention) {
      await host.mention(mention);
      demandHearer(mention, agents);
    },
    diagnose: (files) => diagnoseFolder(host, files),
  };
}

/** An editor behind a wire: its state is its own, so that it does what it has announced. */
export function controlEditor(host: RemoteHost, agents: Agents): ControlTarget {
  const { reveal, select } = host;
  return {
    host,
    locate(native) {
      const path = toPosixPath(native, platform);
      if (path.ok) return path.value;
      throw new Error(path.issue);
    },
    mention(mention) {
      host.mention(mention);
      demandHearer(mention, agents);
    },
    ...(reveal !== undefined && { open: (path) => reveal(path, {}) }),
    ...(select !== undefined && { select: (path, range) => select(path, range) }),
  };
}

async function diagnoseFolder(host: FolderHost, files: readonly FileDiagnostics[]): Promise<void> {
  const problems = files.flatMap(({ path, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ path, diagnostic })),
  );
  const lists = [...(await listProblems(problems, host.folder)).values()];
  const [first] = files;
  if (first === undefined || lists.length > 0) {
    host.setDiagnostics(lists.map(({ path, list }) => ({ path, diagnostics: list })));
    return;
  }
  const folder = toNativePath(host.folder, platform);
  const example = toNativePath(first.path, platform);
  throw new Error(
    `no problem is in a file of ${folder}; ${example} is not: --cwd names the folder that the paths start from; nothing was changed`,
  );
}

/** Who pressed a key should know that nobody heard it. */
function demandHearer({ path }: Mention, agents: Agents): void {
  const reason = whyUnheard(path, agents);
  if (reason !== undefined) throw new Error(reason);
}
