// JSON-RPC: peers, transports and errors.

// Errors, events and parse results
export {
  IdewireError,
  type IdewireErrorCode,
  RpcError,
  RpcErrorCode,
  ToolFailure,
} from "./errors.ts";
// JSON-RPC
export { Call, type Progress } from "./rpc/call.ts";
export type { Clock } from "./rpc/clock.ts";

export { createMemoryTransportPair } from "./rpc/memory-transport.ts";
export type { Params } from "./rpc/message.ts";
export { createMessagePortTransport } from "./rpc/message-port-transport.ts";
export { Peer } from "./rpc/peer.ts";
export type { Handler, PeerOptions } from "./rpc/peer-options.ts";
export type { RequestOptions } from "./rpc/request-options.ts";
export { CloseCode, type CloseReason, type Transport } from "./rpc/transport.ts";
export { createWebSocketTransport } from "./rpc/web-socket-transport.ts";
export type {} from "./web-types.ts";
