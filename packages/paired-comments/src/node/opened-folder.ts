import { existsSync, realpathSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { demandShared, insideOf, openedPathOf, openFiles, openFlags } from "./read-inside.ts";
import { codeOf, denied, outside, refused } from "./refusals.ts";

/** The folder of a file that is to be written. */
export interface OpenedFolder {
  /** The file, by a path for the system alone while the folder is open. */
  readonly file: string;
  /** @throws CommentError `FileAccessDenied` when another folder is in its place, or it is outside */
  demandInPlace(): void;
  close(): Promise<void>;
}

/**
 * Opens the folder of a file. Where the system can name what is open, it is named so: whatever becomes of its path
 * meanwhile, nothing is created or removed in another one.
 * @param path of the file, relative to the root
 * @param asked the path that errors name
 * @throws CommentError `FileAccessDenied`
 */
export async function openFolderOf(
  root: string,
  path: string,
  asked: string,
): Promise<OpenedFolder> {
  const native = insideOf(root, path, asked);
  const folder = dirname(native);
  if (!existsSync(openFiles)) return namedFolder(root, native, asked);
  const handle = await open(folder, openFlags).catch((error: unknown) => {
    throw codeOf(error) === "ELOOP" ? outside(asked) : refused(asked, error);
  });
  const demandInside = ({ fd }: FileHandle) => {
    demandShared(root, join(openedPathOf(fd) ?? folder, basename(native)), asked);
  };
  try {
    demandInside(handle);
    const { identity, opened, close } = await share(handle);
    return {
      file: join(openFiles, String(opened.fd), basename(native)),
      demandInPlace() {
        demandSame(identity, identityOf(folder), asked);
        demandInside(opened);
      },
      close,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where the system names nothing that is open, what its path leads to is looked at before each act. */
function namedFolder(root: string, file: string, asked: string): OpenedFolder {
  const folder = dirname(file);
  const identity = identityOf(folder);
  return {
    file,
    demandInPlace() {
      demandSame(identity, identityOf(folder), asked);
      demandShared(root, join(realpathSync(folder), basename(file)), asked);
    },
    close: async () => {},
  };
}

interface SharedFolder {
  readonly opened: FileHandle;
  users: number;
}

const folders = new Map<string, SharedFolder>();

/** While a folder is open it has one name in this process: by it, callers wait for each other. */
async function share(handle: FileHandle) {
  const identity: FolderIdentity = await handle.stat();
  const key = `${identity.dev}:${identity.ino}`;
  const folder = folders.get(key) ?? { opened: handle, users: 0 };
  folder.users++;
  folders.set(key, folder);
  const { opened } = folder;
  if (opened !== handle) await handle.close();
  const close = async () => {
    folder.users--;
    if (folder.users > 0) return;
    folders.delete(key);
    await opened.close();
  };
  return { identity, opened, close };
}

type FolderIdentity = Pick<Stats, "dev" | "ino">;

function identityOf(folder: string): FolderIdentity | undefined {
  return statSync(folder, { throwIfNoEntry: false });
}

function demandSame(
  wanted: FolderIdentity | undefined,
  { dev, ino }: Partial<FolderIdentity> = {},
  asked: string,
): void {
  if (wanted?.dev === dev && wanted?.ino === ino) return;
  throw denied(asked, new Error("Its folder was replaced during the change: look, and try again"));
}
