import { existsSync, realpathSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { demandShared, insideOf, openedPathOf, openFiles, openFlags } from "./read-inside.ts";
import { codeOf, denied, outside, refused } from "./refusals.ts";

/** The open folder of a file to write. */
export interface OpenedFolder {
  /** Path of the file for system calls, valid while the folder is open. */
  readonly file: string;
  /** @throws CommentError `FileAccessDenied` if the folder was replaced, or is outside the root */
  demandInPlace(): void;
  close(): Promise<void>;
}

/**
 * Opens the folder of a file. On systems with paths for open files, it is addressed by such a path, so that
 * nothing is created or removed in another folder, even if its own path changes meanwhile.
 * @param path of the file, relative to the root
 * @param shownPath the path for error messages
 * @throws CommentError `FileAccessDenied`
 */
export async function openFolderOf(
  root: string,
  path: string,
  shownPath: string,
): Promise<OpenedFolder> {
  const native = insideOf(root, path, shownPath);
  const folder = dirname(native);
  if (!existsSync(openFiles)) return namedFolder(root, native, shownPath);
  const handle = await open(folder, openFlags).catch((error: unknown) => {
    throw codeOf(error) === "ELOOP" ? outside(shownPath) : refused(shownPath, error);
  });
  const demandInside = ({ fd }: FileHandle) => {
    demandShared(root, join(openedPathOf(fd) ?? folder, basename(native)), shownPath);
  };
  try {
    demandInside(handle);
    const { identity, opened, close } = await share(handle);
    return {
      file: join(openFiles, String(opened.fd), basename(native)),
      demandInPlace() {
        demandSame(identity, identityOf(folder), shownPath);
        demandInside(opened);
      },
      close,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Fallback for systems without paths for open files: checks the identity of the folder before each operation. */
function namedFolder(root: string, file: string, shownPath: string): OpenedFolder {
  const folder = dirname(file);
  const identity = identityOf(folder);
  return {
    file,
    demandInPlace() {
      demandSame(identity, identityOf(folder), shownPath);
      demandShared(root, join(realpathSync(folder), basename(file)), shownPath);
    },
    close: async () => {},
  };
}

interface SharedFolder {
  readonly opened: FileHandle;
  users: number;
}

const folders = new Map<string, SharedFolder>();

/** Shares one handle, and so one path, per open folder in this process: locks are held by that path. */
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
  shownPath: string,
): void {
  if (wanted?.dev === dev && wanted?.ino === ino) return;
  throw denied(
    shownPath,
    new Error("Its folder was replaced during the change: check it, and try again"),
  );
}
