import { setTimeout as sleep } from "node:timers/promises";
import { claudeCode, type PosixPath, type Unsubscribe } from "@idewire/core";
import type { ToolDescription } from "@idewire/core/client";
import { parsed } from "@idewire/core/internal";
import type { Call, Params } from "@idewire/core/rpc";
import {
  becomeTask,
  type CallToolResult,
  McpServer,
  modernEra,
  Tasks,
  type Tool,
} from "@idewire/core/server";
import { InMemoryEditor } from "@idewire/core/testing";
import { platform } from "@idewire/node-server/internal";
import { readVersion } from "../../process/version.ts";
import { BridgedEditor, type BridgedEditorOptions } from "./bridged-editor.ts";
import { offerEditorState } from "./editor-resources.ts";
import { objectResult, objectTool } from "./object-results.ts";

/** An editor as an ordinary MCP server. The caller closes it. */
export interface Bridge {
  readonly editor: BridgedEditor;
  readonly server: McpServer<undefined>;
  close(): Promise<void>;
}

const instructions =
  "The person's editor. openDiff shows a change and waits until the person has accepted or rejected it; " +
  "it writes nothing: write the text that it returns. The resource idewire://editor/selection is what is selected.";

export interface BridgeOptions extends Omit<BridgedEditorOptions, "info"> {
  /** How soon a change is heard that the editor does not tell; 1000 by default. */
  readonly pollMs?: number;
}

/** Offers the editor of a folder; `editor.start` then looks for it. */
export function createBridge({ pollMs, ...options }: BridgeOptions): Bridge {
  const info = { name: "idewire-bridge", version: readVersion() };
  const editor = new BridgedEditor({ ...options, info });
  const state = offerEditorState(editor, pollMs);
  const server = new McpServer<undefined>({
    info,
    instructions,
    eras: { modern: modernEra() },
    features: [state.feature, new Tasks()],
  });
  const tools = new ProxiedTools(server, editor);
  tools.offer(usualTools());
  const follow = () => {
    const { tools: now = [] } = editor.editor ?? {};
    if (now.length > 0) tools.offer(now);
  };
  editor.on("came", follow);
  editor.on("tools", follow);
  return {
    editor,
    server,
    async close() {
      state.close();
      await editor.close();
    },
  };
}

/** The tools of the editor: those of before while it is away. */
class ProxiedTools {
  readonly #server: McpServer<undefined>;
  readonly #editor: BridgedEditor;
  readonly #offered = new Map<string, { readonly json: string; readonly remove: Unsubscribe }>();

  constructor(server: McpServer<undefined>, editor: BridgedEditor) {
    this.#server = server;
    this.#editor = editor;
  }

  /** Offers these, and no others; what stays the same is not touched. */
  offer(tools: readonly ToolDescription[]): void {
    const wanted = new Map(tools.map((each) => [each.name, each]));
    for (const [name, { json, remove }] of this.#offered) {
      if (json === JSON.stringify(wanted.get(name))) continue;
      remove();
      this.#offered.delete(name);
    }
    for (const [name, tool] of wanted) {
      if (this.#offered.has(name)) continue;
      const remove = this.#server.addTool(proxyTool(tool, this.#editor));
      this.#offered.set(name, { json: JSON.stringify(tool), remove });
    }
  }
}

/** Nobody knows how long a person takes. */
const PATIENCE = { timeoutMs: Number.POSITIVE_INFINITY };
/** A diff that is not answered by then is a task, where the client has them. */
const SOON_MS = 1_000;
const DAY_MS = 86_400_000;

/** The editor checks the arguments. */
function proxyTool(tool: ToolDescription, editor: BridgedEditor): Tool<undefined> {
  const { name } = tool;
  return {
    description: objectTool(tool),
    listed: true,
    parse: parsed,
    async run(args: Params, _context, call: Call): Promise<CallToolResult> {
      const answered = editor.call(name, args, { ...PATIENCE, signal: call.signal });
      if (name === "openDiff") await becomeTaskLater(call, answered);
      return objectResult(tool, await answered);
    },
  };
}

async function becomeTaskLater(call: Call, answered: Promise<unknown>): Promise<void> {
  const settled = answered.then(
    () => true,
    () => true,
  );
  const timer = new AbortController();
  const late = sleep(SOON_MS, false, { signal: timer.signal }).catch(() => true);
  const isSettled = await Promise.race([settled, late]);
  timer.abort();
  if (!isSettled) await becomeTask(call, { ttlMs: DAY_MS });
}

/** What an editor for Claude Code offers, until one is there. */
function usualTools(): readonly ToolDescription[] {
  const folder = { path: "/" as PosixPath, name: "" };
  const host = new InMemoryEditor({ info: { name: "", version: "" }, folder });
  const tools = claudeCode.createTools(host, platform);
  return tools.filter(({ listed }) => listed).map(({ description }) => description);
}
