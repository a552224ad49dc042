export { type Environment, claudeIdeDirectory, stateDirectory } from "./directories.ts";
export { listenIde } from "./listen.ts";
export type {
  IdeEndpoint,
  IdeListener,
  IdeListenerEvents,
  ListenIdeOptions,
  ListenLimits,
} from "./listen-options.ts";
export { createNodeWebSocketTransport, FrameCache } from "./web-socket-transport.ts";
