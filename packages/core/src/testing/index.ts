// For the tests of hosts, of transports and of what is built on core. It imports no test runner.

export { type Files, inMemoryFiles } from "../ide/editor/files.ts";
export { InMemoryEditor, type InMemoryEditorOptions } from "../ide/editor/in-memory-editor.ts";
export type { EditorHostOverrides } from "../ide/override-host.ts";
export { type ManualClock, manualClock } from "../rpc/manual-clock.ts";
export type {} from "../web-types.ts";
export type { ContractRunner, Expectation } from "./contract-runner.ts";
export type { Deferred } from "./deferred.ts";
export { deferred } from "./deferred.ts";
export type { HostKind, HostUnderTest } from "./editor-host-contract.ts";
export { editorHostContract } from "./editor-host-contract.ts";
export type { FakeCall, FakeEditorHost } from "./fake-editor-host.ts";
export { fakeEditorHost } from "./fake-editor-host.ts";
export type { JoinedInMemory } from "./join-in-memory.ts";
export { joinInMemory } from "./join-in-memory.ts";
export { mcpStoreContract } from "./mcp-store-contract.ts";
export { posixPath } from "./posix-path.ts";
export { RawEnd, settled } from "./raw-end.ts";
export type { FrameRecorder, RecordedFrame } from "./record-frames.ts";
export { recordFrames } from "./record-frames.ts";
export type { StoreUnderTest } from "./store-under-test.ts";
export { transportContract } from "./transport-contract.ts";
export type { TransportMedium, TransportPair } from "./transport-medium.ts";
