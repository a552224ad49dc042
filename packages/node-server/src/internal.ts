// For the sibling packages: not versioned, not part of the public API.

export { noEditor } from "./agent/connect.ts";
export { dial, type EditorDialOutcome, tryDial } from "./agent/dial.ts";
export { createEditorTransport, openLink } from "./agent/link.ts";
export { mapArguments } from "./agent/map-arguments.ts";
export { type EditorFile, readEditorFile } from "./discovery/editor-file.ts";
export {
  type EditorAtPort,
  type EditorSearch,
  isAtPort,
  toEditor,
} from "./discovery/find-editors.ts";
export {
  type RecordFile,
  type ResumeRecord,
  readRecords,
  readServed,
} from "./discovery/folder-claim.ts";
export { publishLockFile, sweepLockFiles } from "./discovery/lock-file.ts";
export { findNestedEditors } from "./discovery/nested-editors.ts";
export type { PublishedLockFile } from "./discovery/published-lock-file.ts";
export { wslDistribution } from "./discovery/wsl.ts";
export {
  assessContainer,
  assessPrivacy,
  containerMarks,
  type OpenToOthers,
} from "./doctor/agent-verdicts.ts";
export {
  assessDirectory,
  assessLockFile,
  assessRivals,
  type DoctorStepId,
  type DoctorVerdict,
  examineEditor,
} from "./doctor/verdicts.ts";
export { ExcludedFiles } from "./files/excluded-files.ts";
export { createAgentSide } from "./listen/agent-side.ts";
export { findSocket } from "./listen/ask-elsewhere.ts";
export { asksInTerminal } from "./listen/diff-tool.ts";
export { inspectSharedSocket, type SharedPlace } from "./listen/inspect-shared-socket.ts";
export {
  isOurs,
  isOwnCommand,
  isReviewer,
  OPENCODE_REVIEWS,
} from "./listen/internal-clients.ts";
export type {
  CommandedEditors,
  ConnectionOrigin,
  IdeListenerEvents,
} from "./listen/listen-options.ts";
export {
  type ListedEndpoint,
  type ListedEndpoints,
  ListeningNotice,
  listEndpoints,
} from "./listen/listening-notice.ts";
export { describeHabit, describeUnreviewed } from "./listen/unreviewed.ts";
export { deliveryOf, notSharedReason, recipientsOf } from "./listen/unsent.ts";
export { type WebSocketPlace, webSocketsOf } from "./listen/web-sockets-of.ts";
export {
  hasToken,
  type Refusal,
  SUB_PROTOCOL,
  TOKEN_HEADER,
  toLastAnswer,
} from "./loopback-server/handshake.ts";
export { endUnadmitted, formatClose, type LastAnswer } from "./loopback-server/last-answer.ts";
export { defaultLimits } from "./loopback-server/listen-limits.ts";
export { LoopbackServer, type Upgrade, type Verdict } from "./loopback-server/loopback-server.ts";
export { MemoryBudget } from "./loopback-server/memory-budget.ts";
export { WebSocketClients } from "./loopback-server/web-socket-clients.ts";
export {
  type FolderEndpoint,
  type OpenFolderEndpoint,
  openFolderEndpoint,
  readFolderEndpoint,
} from "./mcp/folder-endpoint.ts";
export { createCredentialFiles } from "./oauth/credential-files.ts";
export { loopbackRedirect } from "./oauth/loopback-redirect.ts";
export { codeOf } from "./process/error-code.ts";
export { onProcessExit } from "./process/exit.ts";
export { limitHeapGrowth } from "./process/garbage.ts";
export { isRunning, ownIdentity, placeAnswers, portAnswers } from "./process/liveness.ts";
export { OwnConnections } from "./process/own-connections.ts";
export { platform } from "./process/platform.ts";
export { endTree, ownTree, signalTree, type TreeTimeouts } from "./process/process-tree.ts";
export type { FramingKind } from "./stdio/framing.ts";
export { contentLengthFraming, lengthPrefixFraming } from "./stdio/length-framing.ts";
export { describeEnd } from "./stdio/spawn-mcp.ts";
export {
  openProgram,
  type ProgramFraming,
  type ProgramTransport,
} from "./stdio/spawn-stdio-transport.ts";
export { openStream, type StreamEnding } from "./stdio/stream-transport.ts";
export { FrameCache } from "./web-socket/web-socket-transport.ts";
