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
export { type SpawnStdioOptions, spawnStdioTransport } from "./spawn-stdio-transport.ts";
export { createStdioTransport, type StdioOptions } from "./stdio-transport.ts";
