// MCP over stdin and stdout, of this process or of one that it starts.
export { serveStdio } from "./serve-stdio.ts";
export { spawnMcp } from "./spawn-mcp.ts";
export {
  type ForwardedSignal,
  type SpawnStdioOptions,
  spawnStdioTransport,
} from "./spawn-stdio-transport.ts";
export { createStdioTransport } from "./stdio-transport.ts";
