import { writeFileSync } from "node:fs";
import { connFaults, lockFaults } from "./endpoint-faults.ts";
import type { Fault } from "./faulty-server.ts";
import {
  answer,
  calls,
  diagnostics,
  emitting,
  killAll,
  type Loose,
  method,
  on,
  refuse,
  resultsWith,
  selections,
  text,
} from "./spoil-frames.ts";

const lifeFaults: Readonly<Record<string, Fault>> = {
  "IDE-LIFE-001": resultsWith("serverInfo", ({ serverInfo: _, ...result }) => result),
  "IDE-LIFE-002": resultsWith("serverInfo", (result) => ({
    ...result,
    protocolVersion: "2099-01-01",
  })),
  "IDE-LIFE-003": {
    ...resultsWith("serverInfo", (result, { memory }) => ({
      ...result,
      protocolVersion: memory.get("requested"),
    })),
    receive(frame, { memory, pass }) {
      const { params } = JSON.parse(frame);
      if (params?.protocolVersion) memory.set("requested", params.protocolVersion);
      pass(frame);
    },
  },
  "IDE-LIFE-004": on(
    (message) => ["2024-11-05", "2025-03-26"].includes(message?.params?.protocolVersion),
    (message, end) => refuse(end, message, -32602),
  ),
  "IDE-LIFE-005": resultsWith("capabilities", (result) => ({ ...result, capabilities: {} })),
  "IDE-LIFE-006": on(
    (message) => message?.method === "tools/list",
    (message, end) => answer(end, message, { tools: [] }),
  ),
  "IDE-LIFE-007": resultsWith("serverInfo", (result) => ({
    ...result,
    serverInfo: { name: "Claude Code JetBrains Plugin", version: "1" },
  })),
  "IDE-LIFE-008": on(method("server/discover"), (message, end) => answer(end, message, {})),
  "IDE-LIFE-009": {
    ...resultsWith("capabilities", (result) => ({
      ...result,
      capabilities: { ...result.capabilities, prompts: {} },
    })),
    ...on(method("prompts/list"), (message, end) => refuse(end, message)),
  },
};

const rpcFaults: Readonly<Record<string, Fault>> = {
  "IDE-RPC-001": on(
    (message) => message === undefined,
    (_, { socket }) => socket.close(1002),
  ),
  "IDE-RPC-002": on(
    (message) => message === undefined,
    () => {},
  ),
  "IDE-RPC-003": on(
    (message) => message?.jsonrpc === "1.0",
    (message, end) => answer(end, message, {}),
  ),
  "IDE-RPC-004": on(method("idewire/nothing"), (message, end) => answer(end, message, {})),
  "IDE-RPC-005": emitting((message) =>
    message.id === undefined ? message : { ...message, id: Number(message.id) || message.id },
  ),
  "IDE-RPC-006": on(method("idewire/nothing"), (_, end) => refuse(end, { id: null })),
  "IDE-RPC-007": on(Array.isArray, () => {}),
  "IDE-RPC-008": on(
    (message) => typeof message?.params === "string",
    (message, end) => answer(end, message, text("")),
  ),
  "IDE-RPC-009": {
    emit(frame, { send }) {
      send(frame);
      if (frame.includes('"many-7"')) send(frame);
    },
  },
  "IDE-RPC-010": on(
    (message) => message?.id === 654321,
    (message, end) => refuse(end, message),
  ),
  "IDE-RPC-011": {
    emit(frame, { send }) {
      send(frame.replace(/"id":(\d+)/, '"id":$1.0'));
    },
  },
  "IDE-FRAME-001": emitting(({ jsonrpc: _, ...message }) => message),
};

const eachTool = (change: (tool: Loose) => Loose | undefined) =>
  resultsWith("tools", ({ tools }) => ({
    tools: tools.map(change).filter((tool: Loose) => tool !== undefined),
  }));

const toolFaults: Readonly<Record<string, Fault>> = {
  "IDE-TOOL-001": eachTool((tool) => ({ ...tool, inputSchema: {} })),
  "IDE-TOOL-002": eachTool((tool) => ({
    ...tool,
    inputSchema: { type: "object", properties: { a: { $ref: "https://example.org/a" } } },
  })),
  "IDE-TOOL-003": eachTool((tool) => (tool.name === "close_tab" ? undefined : tool)),
  "IDE-TOOL-004": on(calls("idewire_no_such_tool"), (message, end) =>
    answer(end, message, text("OK")),
  ),
  "IDE-TOOL-005": resultsWith("isError", ({ isError: _, ...result }) => result),
  "IDE-TOOL-006": on(calls("close_tab"), () => {}),
  "IDE-TOOL-007": resultsWith("content", (result) => ({ content: result.content[0].text })),
};

const eachDiagnostic = (change: (diagnostic: Loose) => Loose) =>
  diagnostics((files) =>
    files.map((file: Loose) => ({ ...file, diagnostics: file.diagnostics.map(change) })),
  );

const late = (isWanted: (args: Loose) => boolean, ms: number): Fault =>
  on(
    (message) => calls("getDiagnostics")(message) && isWanted(message.params.arguments),
    (_, { pass }, frame) => void setTimeout(() => pass(frame), ms),
  );

const diagFaults: Readonly<Record<string, Fault>> = {
  "IDE-DIAG-001": diagnostics((files) => ({ files })),
  "IDE-DIAG-002": eachDiagnostic(({ range: _, ...rest }) => rest),
  "IDE-DIAG-003": eachDiagnostic((diagnostic) => ({ ...diagnostic, severity: "WEAK_WARNING" })),
  "IDE-DIAG-004": diagnostics((files) =>
    files.map((file: Loose) => ({ ...file, uri: file.uri.replace("beds", "b%C3%A9ds") })),
  ),
  "IDE-DIAG-005": diagnostics((files) =>
    files.map((file: Loose) => ({ ...file, uri: file.uri.replace("file://", "file:") })),
  ),
  "IDE-DIAG-006": late(({ uri }) => uri !== undefined, 600),
  "IDE-DIAG-007": late(({ uri }) => uri === undefined, 2_100),
};

const params = (change: object) =>
  selections((message) => ({ ...message, params: { ...message.params, ...change } }));

const EARLY = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const noteFaults: Readonly<Record<string, Fault>> = {
  "IDE-NOTE-001": {
    ...selections(() => undefined),
    receive(frame, { send, pass }) {
      pass(frame);
      if (!frame.includes('"initialize"')) return;
      const received = { selection: EARLY, text: "", filePath: "/vault/garden/beds.md" };
      send(JSON.stringify({ jsonrpc: "2.0", method: "selection_changed", params: received }));
    },
  },
  "IDE-NOTE-002": params({ ranges: null }),
  "IDE-NOTE-003": params({ selection: { ...EARLY, start: { line: -1, character: 0 } } }),
  "IDE-NOTE-004": params({ text: 42 }),
  "IDE-NOTE-005": params({ filePath: "garden/beds.md" }),
  "IDE-NOTE-006": selections((message) => ({
    ...message,
    method: "notifications/selection_changed",
  })),
  "IDE-NOTE-007": selections((message, { memory, socket }) => {
    if (!memory.has("notified")) memory.set("notified", socket);
    return memory.get("notified") === socket ? message : undefined;
  }),
};

const keepFaults: Readonly<Record<string, Fault>> = {
  "IDE-KEEP-001": on(method("ping"), (message, end) => refuse(end, message)),
  "IDE-KEEP-002": { deafToPings: true },
  "IDE-KEEP-003": { onopen: ({ socket }) => void setTimeout(() => socket.close(1001), 900) },
  "IDE-LIMIT-001": on(
    (message) => message === undefined,
    (_, end) => killAll(end),
  ),
  "IDE-LIMIT-002": {
    ...on(
      (_, frame) => frame.startsWith("[[[[["),
      (_, end) => {
        end.memory.set("broken", true);
        killAll(end);
      },
    ),
    onopen: (end) => void (end.memory.has("broken") && killAll(end)),
  },
  "IDE-LIMIT-003": { onclose: (end, code) => void (code !== 1000 && killAll(end)) },
};

const diffFaults: Readonly<Record<string, Fault>> = {
  "IDE-DIFF-001": on(calls("openDiff"), (message, end) =>
    answer(end, message, text("DIFF_REJECTED")),
  ),
  "IDE-DIFF-002": emitting((message) => (/^diff-/.test(message.id) ? undefined : message)),
  "IDE-DIFF-003": emitting((message) =>
    /^diff-/.test(message.id) ? { ...message, result: text("TAB_CLOSED") } : message,
  ),
  "IDE-DIFF-004": on(calls("close_tab"), (message, { pass }) => {
    const all = { name: "closeAllDiffTabs", arguments: {} };
    pass(JSON.stringify({ ...message, params: all }));
  }),
  "IDE-DIFF-005": on(calls("closeAllDiffTabs"), (message, end) =>
    answer(end, message, text("CLOSED_0_DIFF_TABS")),
  ),
  "IDE-DIFF-006": on(calls("openDiff"), (message, end, frame) => {
    const { tab_name: title } = message.params.arguments;
    if (end.memory.has(title)) answer(end, message, text("DIFF_REJECTED"));
    else end.pass(frame);
    end.memory.set(title, true);
  }),
  "IDE-DIFF-007": on(calls("openDiff"), (message, { pass }, frame) => {
    const { new_file_path: path, new_file_contents: proposed } = message.params.arguments;
    writeFileSync(path, proposed);
    pass(frame);
  }),
};

/** For each check, a server that breaks its rule. */
export const faults: Readonly<Record<string, Fault>> = {
  ...lockFaults,
  ...connFaults,
  ...lifeFaults,
  ...rpcFaults,
  ...toolFaults,
  ...diagFaults,
  ...noteFaults,
  ...keepFaults,
  ...diffFaults,
};
