import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import type { CheckFacts } from "@idewire/devtools/internal";
import { isObject, parseJson } from "../reference-clients/wire.ts";
import type { Fault, FaultyEnd } from "./faulty-server.ts";
import { answer, calls, type Loose, method, on, refuse, resultsWith } from "./spoil-frames.ts";

/** A behaviour of third-party editors, and exactly the rules that it breaks. */
export interface OtherEditor {
  readonly fault: Fault;
  readonly broken: Readonly<Record<string, CheckFacts["level"]>>;
  /** The check after which it answers nothing. */
  readonly silentSince?: string;
}

const declared = resultsWith("capabilities", (result) => ({
  ...result,
  capabilities: { ...result.capabilities, prompts: {}, resources: {} },
}));

/** From now on, no client is answered. */
function freeze({ memory }: FaultyEnd): void {
  memory.set("frozen", true);
}

/** While it is suspended, the system still accepts connections for it. */
function unlessFrozen(fault: Fault): Fault {
  return {
    ...fault,
    receive(frame, end) {
      if (end.memory.has("frozen")) return;
      if (fault.receive) fault.receive(frame, end);
      else end.pass(frame);
    },
  };
}

const answersStrays = on(
  (message) => isObject(message) && message["method"] === undefined && "result" in message,
  (message, end) => refuse(end, message),
);

const servesNewest: Fault = {
  receive(frame, end) {
    if (end.memory.get("newest") === end.socket) end.pass(frame);
  },
  onopen: ({ memory, socket }) => void memory.set("newest", socket),
};

const withoutToken: Fault = {
  lock: ({ authToken: _, ...lock }) => lock,
  open: ["missing-token", "wrong-token"],
};

/** One behaviour each, as observed in claudecode.nvim or claude-code-ide.el. */
export const behaviours: Readonly<Record<string, OtherEditor>> = {
  "refuses ping": {
    fault: on(
      (message) => method("ping")(message) && message.jsonrpc === "2.0",
      (message, end) => refuse(end, message),
    ),
    broken: { "IDE-KEEP-001": "should" },
  },
  "answers bad params by -32603": {
    fault: on(
      (message) => typeof message?.params === "string" || message?.params?.arguments?.uri === 42,
      (message, end) => refuse(end, message, -32603),
    ),
    broken: { "IDE-RPC-008": "should" },
  },
  "writes ids as floats": {
    fault: { emit: (frame, { send }) => send(frame.replace(/"id":(\d+)/, '"id":$1.0')) },
    broken: { "IDE-RPC-011": "should" },
  },
  "answers a stray answer": { fault: answersStrays, broken: { "IDE-RPC-010": "should" } },
  "freezes at null": {
    fault: unlessFrozen(
      on(
        (message) => message === null,
        (_, end) => freeze(end),
      ),
    ),
    broken: { "IDE-RPC-001": "must" },
    silentSince: "IDE-RPC-001",
  },
  "freezes over a wrong token": {
    fault: { ...unlessFrozen({}), onrefuse: (memory) => void memory.set("frozen", true) },
    broken: { "IDE-CONN-002": "must" },
    silentSince: "IDE-CONN-002",
  },
  "requires no token": {
    fault: withoutToken,
    broken: { "IDE-LOCK-006": "must", "IDE-CONN-003": "must" },
  },
  "refuses lists that it declares": {
    fault: {
      ...declared,
      ...on(
        (message) => /^(prompts|resources)\/list$/.test(message?.method),
        (message, end) => refuse(end, message),
      ),
    },
    broken: { "IDE-LIFE-009": "should" },
  },
  "lists no openDiff, and refuses it": {
    fault: {
      ...resultsWith("tools", ({ tools }) => ({
        tools: tools.filter(({ name }: Loose) => name !== "openDiff"),
      })),
      ...on(calls("openDiff"), (message, end) => refuse(end, message)),
    },
    broken: { "IDE-TOOL-003": "should" },
  },
  "serves the newest agent alone": { fault: servesNewest, broken: { "IDE-CONN-010": "should" } },
  "ends its folder with a slash": {
    fault: {
      lock: (lock) => ({ ...lock, workspaceFolders: [`${[lock["workspaceFolders"]].flat()[0]}/`] }),
    },
    broken: {},
  },
};

const NO_TOOL = -32603;

/** The behaviour of claudecode.nvim 0.2 in headless Neovim. */
function receiveAsNeovim(frame: string, end: FaultyEnd): void {
  const parsed = parseJson(frame);
  const message: Loose = parsed?.value;
  if (message === null || typeof message === "number") return;
  if (!isObject(message) || message["jsonrpc"] !== "2.0") {
    end.send(noId(parsed === undefined ? -32700 : -32600));
    return;
  }
  const { id, method: name, params } = message as Loose;
  if (id === undefined || id === null) return;
  const isKnown = ["initialize", "tools/list", "tools/call", "prompts/list"].includes(name);
  if (!isKnown) refuse(end, message);
  else if (name === "prompts/list") answer(end, message, { prompts: [] });
  else if (typeof params === "string") refuse(end, message, NO_TOOL);
  else if (name === "tools/list") answer(end, message, { tools: toolsWithout("close_tab") });
  else end.pass(frame);
}

function noId(code: number): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message: "No" } });
}

function toolsWithout(...missing: readonly string[]) {
  const names = ["openDiff", "close_tab", "closeAllDiffTabs", "getDiagnostics"];
  const listed = names.filter((name) => !missing.includes(name));
  return listed.map((name) => ({ name, inputSchema: { type: "object" } }));
}

/** The behaviour of claude-code-ide.el, which skips unreadable frames. */
function receiveAsEmacs(frame: string, end: FaultyEnd): void {
  if (end.memory.get("newest") !== end.socket) return;
  const message: Loose = parseJson(frame)?.value;
  if (!isObject(message)) return;
  const { id, method: name, params } = message as Loose;
  if (name === "prompts/list") answer(end, message as Loose, { prompts: [] });
  else if (name === "tools/list") {
    answer(end, message as Loose, { tools: toolsWithout("openDiff", "closeAllDiffTabs") });
  } else if (typeof params === "string") return;
  else if (calls("close_tab")(message) || calls("idewire_no_such_tool")(message)) {
    refuse(end, message as Loose, NO_TOOL);
  } else if (name === "initialize" || name === "tools/call") end.pass(frame);
  else if (id !== undefined) refuse(end, message as Loose);
  else end.pass(frame);
}

/** The behaviours combined, with the verdicts of the real editors on 2026-11-22. */
export const otherEditors: Readonly<Record<string, OtherEditor>> = {
  "claudecode.nvim": {
    fault: {
      open: ["protocol", "origin", "host"],
      receive: receiveAsNeovim,
      emit(frame, { send }) {
        const { result, ...message }: Loose = JSON.parse(frame);
        const old = result?.serverInfo && { protocolVersion: "2024-11-05" };
        const capabilities = { tools: {}, prompts: {} };
        const changed = old ? { ...result, ...old, capabilities } : result;
        send(JSON.stringify({ ...message, ...(result && { result: changed }) }));
      },
    },
    broken: {
      "IDE-CONN-004": "may",
      "IDE-CONN-005": "should",
      "IDE-CONN-006": "should",
      "IDE-LIFE-006": "may",
      "IDE-RPC-002": "should",
      "IDE-RPC-008": "should",
      "IDE-RPC-010": "should",
      "IDE-TOOL-003": "should",
      "IDE-KEEP-001": "should",
    },
  },
  "claude-code-ide.el": {
    fault: {
      ...declared,
      lock: ({ authToken: _, ...lock }) => ({
        ...lock,
        workspaceFolders: [`${[lock["workspaceFolders"]].flat()[0]}/`],
      }),
      place(path) {
        chmodSync(path, 0o644);
        chmodSync(dirname(path), 0o755);
        return path;
      },
      open: ["missing-token", "wrong-token", "origin", "host"],
      receive: receiveAsEmacs,
      onopen: ({ memory, socket }) => void memory.set("newest", socket),
    },
    broken: {
      "IDE-LOCK-006": "must",
      "IDE-LOCK-008": "should",
      "IDE-LOCK-009": "should",
      "IDE-CONN-003": "must",
      "IDE-CONN-005": "should",
      "IDE-CONN-006": "should",
      "IDE-CONN-010": "should",
      "IDE-LIFE-006": "may",
      "IDE-LIFE-009": "should",
      "IDE-RPC-002": "should",
      "IDE-RPC-003": "should",
      "IDE-RPC-007": "should",
      "IDE-RPC-008": "should",
      "IDE-RPC-010": "should",
      "IDE-TOOL-003": "should",
      "IDE-KEEP-001": "should",
    },
  },
};
