// Files, folders and processes, for the sibling packages; separate from `/internal`, which loads sockets.
export { accountName, authorIn } from "../process/author.ts";
export { type Git, openGit } from "../process/git.ts";
export { describeProcessesBy, processFacts } from "../process/process-facts.ts";
export { readPs } from "../process/read-ps.ts";
export {
  discoveryDirectory,
  type Environment,
  homeDirectory,
  stateDirectory,
} from "./directories.ts";
export { lockBeside } from "./file-lock.ts";
export { controlPath, MAX_CONTROL_BYTES, pathFault } from "./folder-socket.ts";
export { fromNative, isSamePath, joinPath, keyOf, parentOf, toNative } from "./native-path.ts";
export { nameOf, openReal } from "./opened-file.ts";
export {
  draftName,
  fileSystemError,
  makePrivateDirectory,
  readPrivateFile,
  sweepDrafts,
  writePrivateFile,
} from "./private-file.ts";
export { realFolder } from "./real-folder.ts";
export { replaceFile } from "./replace-file.ts";
export { readSmallFile } from "./small-file.ts";
export type { FileFacts, TextFile } from "./text-file.ts";
export { demandPlain, WorkspacePaths } from "./workspace-path.ts";
