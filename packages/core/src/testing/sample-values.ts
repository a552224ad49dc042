import type { DiffRequest, OpenDocument } from "../ide/editor-host.ts";
import { toFileUri } from "../paths/file-uri.ts";
import { baseName } from "../paths/posix-path.ts";
import { posixPath } from "./posix-path.ts";

/** A diff of `/vault/a.txt`, except for the given members. */
export function sampleDiff(members: Partial<DiffRequest> = {}): DiffRequest {
  const { path = posixPath("/vault/a.txt") } = members;
  return {
    id: "d1",
    session: "s1",
    path,
    oldPath: path,
    proposed: "new\n",
    title: "a title",
    outsideWorkspace: false,
    ...members,
  };
}

/** The active document `/vault/a.txt` without unsaved text, except for the given members. */
export function sampleDocument(members: Partial<OpenDocument> = {}): OpenDocument {
  const { path = posixPath("/vault/a.txt") } = members;
  return {
    path,
    uri: toFileUri(path, "posix"),
    languageId: "plaintext",
    dirty: false,
    untitled: false,
    active: true,
    visible: true,
    lastFocusedMs: 0,
    label: baseName(path),
    ...members,
  };
}
