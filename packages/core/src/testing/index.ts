// For the tests of hosts, of transports and of other code based on core. It imports no test runner.

export { InMemoryEditor } from "../ide/editor/in-memory-editor.ts";

export { type ManualClock, manualClock } from "../rpc/manual-clock.ts";
export type {} from "../web-types.ts";
export { type ConnectInMemoryOptions, connectInMemory } from "./connect-in-memory.ts";
export type { ContractRunner } from "./contract-runner.ts";

export { deferred } from "./deferred.ts";
export type { HostUnderTest } from "./editor-host-contract.ts";
export { editorHostContract } from "./editor-host-contract.ts";
export type { FakeEditorHost } from "./fake-editor-host.ts";
export { fakeEditorHost } from "./fake-editor-host.ts";

export { mcpStoreContract } from "./mcp-store-contract.ts";
export { posixPath } from "./posix-path.ts";
export { RawEnd, settled } from "./raw-end.ts";

export { recordFrames } from "./record-frames.ts";
export { transportContract } from "./transport-contract.ts";
export type { TransportPair } from "./transport-medium.ts";
