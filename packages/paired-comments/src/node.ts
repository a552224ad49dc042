// Files on disk; needs Node.
export { readGrammarFile } from "./grammar-files.ts";
export type { FolderWorkspaceOptions } from "./node/folder-workspace.ts";
export { createFolderWorkspace } from "./node/folder-workspace.ts";
