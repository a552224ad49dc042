// The protocol between a page of `idewire serve --web` or `idewire inspect --web` and its server.

export type { PageCommentTag } from "../page-comment-tags.ts";
export { commandOutcomes, pageEvents, pageResults } from "./answers.ts";
export { PageClient } from "./client.ts";
export type {
  CommentCandidate,
  CommentMethods,
  CommentsEvents,
  PageComment,
  PageCommentAct,
  PageCommentState,
} from "./comment-methods.ts";
export type {
  AgentMode,
  AgentSessionFacts,
  AgentStart,
  CheckTarget,
  CommandOutcome,
  CommentPageMethod,
  ConnectedAgent,
  DoctorAdvice,
  DoctorReport,
  DoctorStep,
  FolderMethods,
  FolderPageMethod,
  InspectionFacts,
  InspectMethods,
  InspectPageMethod,
  Joined,
  Nothing,
  PageCommand,
  PageEvent,
  PageEvents,
  PageMethod,
  PageMethods,
  SharedMethods,
} from "./methods.ts";
export { MAX_TEXT_UNITS, pageParams } from "./params.ts";
export type { PageHandlers } from "./server.ts";
export { deliverToPage, notifyPage, servePage } from "./server.ts";
