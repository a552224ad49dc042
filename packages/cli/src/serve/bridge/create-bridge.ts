import { setTimeout as sleep } from "node:timers/promises";
import { claudeCode, type PosixPath, type Unsubscribe } from "@idewire/core";
import type { ToolDescription } from "@idewire/core/client";
import { compileInput } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import {
  becomeTask,
  type CallToolResult,
  type Implementation,
  type JsonSchema,
  McpServer,
  type ServerCall,
  type StandardSchema,
  type ToolOptions,
  tasks,
  toolResult,
} from "@idewire/core/server";
import { InMemoryEditor } from "@idewire/core/testing";
import { platform } from "@idewire/node-server/internal";
import { readVersion } from "../../process/version.ts";
import { diffDescriptions, prepareWrite, withCallerWriting } from "./accepted-diff.ts";
import { BridgedEditor, type BridgedEditorOptions } from "./bridged-editor.ts";
import { offerEditorState } from "./editor-resources.ts";
import { objectResult, objectTool } from "./object-results.ts";

/** An editor as an ordinary MCP server. The caller closes it. */
export interface Bridge {
  readonly editor: BridgedEditor;
  readonly server: McpServer<undefined>;
  close(): Promise<void>;
}

function instructionsFor(write: boolean): string {
  const writer = write
    ? "an accepted change has been written when it returns."
    : "it writes nothing: write the text that it returns.";
  return (
    "The person's editor. openDiff shows a change and waits until the person has accepted or rejected it; " +
    `${writer} The resource idewire://editor/selection is the selection.`
  );
}

export interface BridgeOptions extends Omit<BridgedEditorOptions, keyof Implementation> {
  /** The polling interval for changes that the editor does not notify; 1000 by default. */
  readonly pollMs?: number;
  /** Whether the bridge writes accepted changes; otherwise its caller must. */
  readonly write?: boolean;
}

/** Offers the editor of a folder; call `editor.start` to look for it. */
export function createBridge({ pollMs, write = false, ...options }: BridgeOptions): Bridge {
  const info = { name: "idewire-bridge", version: readVersion() };
  const editor = new BridgedEditor({ ...options, ...info });
  const server = new McpServer<undefined>({
    ...info,
    instructions: instructionsFor(write),
    features: [tasks()],
  });
  const state = offerEditorState(server, editor, pollMs);
  const tools = new ProxiedTools(server, editor, write ? options.cwd : undefined);
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

/** The tools of the editor; the previous ones while it is disconnected. */
class ProxiedTools {
  readonly #server: McpServer<undefined>;
  readonly #editor: BridgedEditor;
  readonly #folder: string | undefined;
  readonly #offered = new Map<string, { readonly json: string; readonly remove: Unsubscribe }>();

  /** @param folder where accepted changes are written; undefined for nowhere */
  constructor(server: McpServer<undefined>, editor: BridgedEditor, folder: string | undefined) {
    this.#server = server;
    this.#editor = editor;
    this.#folder = folder;
  }

  /** Offers exactly these tools; unchanged ones are not registered again. */
  offer(tools: readonly ToolDescription[]): void {
    const wanted = new Map(tools.map((each) => [each.name, each]));
    for (const [name, { json, remove }] of this.#offered) {
      if (json === JSON.stringify(wanted.get(name))) continue;
      remove();
      this.#offered.delete(name);
    }
    for (const [name, tool] of wanted) {
      if (this.#offered.has(name)) continue;
      const remove = offerTool(this.#server, tool, {
        editor: this.#editor,
        folder: this.#folder,
      });
      this.#offered.set(name, { json: JSON.stringify(tool), remove });
    }
  }
}

/** A person may take any time. */
const TIMEOUT = { timeoutMs: Number.POSITIVE_INFINITY };
/** A diff that is not answered by then becomes a task, if the client supports tasks. */
const SOON_MS = 1_000;
const DAY_MS = 86_400_000;

interface ProxyTarget {
  readonly editor: BridgedEditor;
  /** Where accepted changes are written; undefined for nowhere. */
  readonly folder: string | undefined;
}

function offerTool(
  server: McpServer<undefined>,
  tool: ToolDescription,
  target: ProxyTarget,
): Unsubscribe {
  const { name } = tool;
  const { title, description, annotations, inputSchema, outputSchema } = describeTool(tool, target);
  const options: ToolOptions<undefined, StandardSchema<Params>> = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations !== undefined && { annotations }),
    input: unchecked<Params>(inputSchema),
    ...(outputSchema !== undefined && { output: unchecked(outputSchema) }),
  };
  // Whether there is an output, and of which type, is unknown to the compiler.
  const untyped = options as ToolOptions<undefined, StandardSchema<Params>, undefined>;
  return server.tool(name, untyped, async (args, call) => {
    const finish = name === "openDiff" ? await finishDiff(args, target) : undefined;
    const answered = target.editor.call(name, args, { ...TIMEOUT, signal: call.signal });
    if (finish !== undefined) await becomeTaskLater(call, answered);
    const result = objectResult(tool, await answered);
    return toolResult(finish === undefined ? result : await finish(result));
  });
}

/** Adapts a tool's description: who writes an accepted change depends on the bridge. */
function describeTool(tool: ToolDescription, { folder }: ProxyTarget): ToolDescription {
  const described = objectTool(tool);
  if (tool.name !== "openDiff") return described;
  const writes = folder !== undefined;
  const description = writes ? diffDescriptions.bridgeWrites : diffDescriptions.callerWrites;
  const annotations = { ...described.annotations, readOnlyHint: !writes, destructiveHint: writes };
  return { ...described, description, annotations };
}

/** Processes the answer to a diff; a file that cannot be written is refused beforehand. */
async function finishDiff(
  { new_file_path: path, old_file_path: old }: Params,
  { folder }: ProxyTarget,
): Promise<(result: CallToolResult) => CallToolResult | Promise<CallToolResult>> {
  const file = String(path ?? old);
  return folder === undefined
    ? (result) => withCallerWriting(file, result)
    : prepareWrite(folder, file);
}

/** A schema without validation, which is left to the editor. */
function unchecked<T>(schema: JsonSchema): StandardSchema<T> {
  const describe = () => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "idewire",
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: describe, output: describe },
    },
  };
}

async function becomeTaskLater(
  call: ServerCall<undefined>,
  answered: Promise<unknown>,
): Promise<void> {
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

/** The usual tools of an editor for Claude Code, until one connects. */
function usualTools(): readonly ToolDescription[] {
  const folder = { path: "/" as PosixPath, name: "" };
  const host = new InMemoryEditor({ name: "", version: "", folder });
  const tools = claudeCode.createTools(host, platform);
  return tools
    .filter(({ listed }) => listed?.() !== false)
    .map(({ name, title, description, annotations, input }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(annotations !== undefined && { annotations }),
      inputSchema: compileInput(name, input).jsonSchema,
    }));
}
