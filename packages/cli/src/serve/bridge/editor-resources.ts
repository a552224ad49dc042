import { clearTimeout, setTimeout } from "node:timers";
import { RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import type { BridgedEditor } from "./bridged-editor.ts";

const mimeType = "application/json";
const SELECTION = "idewire://editor/selection";

/** A resource with the result of a tool. */
interface ToolResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tool: string;
}

const toolResources: readonly ToolResource[] = [
  {
    uri: "idewire://editor/documents",
    name: "documents",
    title: "Open documents",
    description: "The documents that are open in the editor, as far as it shares them, as JSON",
    tool: "getOpenEditors",
  },
  {
    uri: "idewire://editor/diagnostics",
    name: "diagnostics",
    title: "Diagnostics",
    description: "The problems in the files of the workspace, by file, as JSON",
    tool: "getDiagnostics",
  },
];

/** The state of an editor as resources. The caller closes it. */
export interface EditorResources {
  close(): void;
}

/**
 * Offers the selection, the open documents and the diagnostics. Notifications of the editor are forwarded: of
 * the selection and, from some editors, of the diagnostics. For the rest the editor is polled, but only while a
 * client is subscribed that has not been notified of a change since its last read.
 * @param pollMs the polling interval for changes that the editor does not notify
 */
export function offerEditorState(
  server: McpServer<undefined>,
  editor: BridgedEditor,
  pollMs = 1_000,
): EditorResources {
  offerSelection(server, editor);
  const all = toolResources.map(({ uri, tool, ...described }) => {
    const isSubscribed = () => server.isSubscribed(uri);
    const onchange = () => server.resourceUpdated(uri);
    const watch = new ToolResourceWatch(tool, { editor, isSubscribed, onchange, pollMs });
    const options = { ...described, mimeType, onsubscribe: () => void watch.begin() };
    server.resource(uri, options, () => watch.read());
    return watch;
  });
  const notifyAll = () => {
    for (const uri of [SELECTION, ...toolResources.map((resource) => resource.uri)]) {
      server.resourceUpdated(uri);
    }
  };
  const stops = [
    editor.on("selection", () => {
      server.resourceUpdated(SELECTION);
      for (const watch of all) void watch.look();
    }),
    editor.on("diagnostics", () => {
      for (const watch of all) void watch.look();
    }),
    editor.on("came", notifyAll),
    editor.on("went", notifyAll),
  ];
  return {
    close() {
      for (const stop of stops) stop();
      for (const watch of all) watch.close();
    },
  };
}

function offerSelection(server: McpServer<undefined>, editor: BridgedEditor): void {
  const options = {
    name: "selection",
    title: "Selection",
    description:
      "The selection in the editor as JSON: filePath, text, and selection with 0-based lines; null without one",
    mimeType,
  };
  server.resource(SELECTION, options, async () =>
    JSON.stringify((await editor.readSelection().catch(throwAsRpcError)) ?? null),
  );
}

interface Watched {
  readonly editor: BridgedEditor;
  readonly isSubscribed: () => boolean;
  readonly onchange: () => void;
  readonly pollMs: number;
}

/** A resource that is read by a tool, and polled while a client is subscribed to it. */
class ToolResourceWatch {
  readonly #onchange: () => void;
  readonly #editor: BridgedEditor;
  readonly #isSubscribed: () => boolean;
  readonly #tool: string;
  readonly #pollMs: number;
  /** The result known to the subscribers; undefined once they are notified of a change. */
  #known: string | undefined;
  #isLooking = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(tool: string, { editor, isSubscribed, onchange, pollMs }: Watched) {
    this.#editor = editor;
    this.#isSubscribed = isSubscribed;
    this.#tool = tool;
    this.#onchange = onchange;
    this.#pollMs = pollMs;
  }

  /** The result of the tool. */
  async read(): Promise<string> {
    const text = await this.#ask().catch(throwAsRpcError);
    this.#know(text);
    return text;
  }

  /** Starts polling for a new subscriber. */
  async begin(): Promise<void> {
    if (this.#known !== undefined) return this.#wait();
    const now = await this.#ask().catch(() => undefined);
    if (now !== undefined) this.#know(now);
  }

  /** Notifies if the result known to the subscribers has changed. */
  async look(): Promise<void> {
    if (this.#known === undefined || this.#isLooking || !this.#isSubscribed()) return;
    this.#isLooking = true;
    const known = this.#known;
    const now = await this.#ask().catch(() => undefined);
    this.#isLooking = false;
    if (now !== undefined && now !== known && this.#known === known) {
      this.#known = undefined;
      this.#onchange();
    }
    this.#wait();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #know(text: string): void {
    this.#known = text;
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const isAway = this.#isClosed || this.#editor.editor === undefined;
    if (isAway || this.#known === undefined || this.#editor.notifiesOf(this.#tool)) return;
    this.#timer = setTimeout(() => void this.look(), this.#pollMs);
    this.#timer.unref();
  }

  async #ask(): Promise<string> {
    const { content, isError } = await this.#editor.call(this.#tool, {}, {});
    const text = content.map((item) => (item.type === "text" ? item.text : "")).join("");
    if (isError === true) throw new ToolFailure(text);
    return text;
  }
}

/** Resources cannot return a failure as a result, so the client gets an error. */
function throwAsRpcError(error: unknown): never {
  if (!(error instanceof ToolFailure)) throw error;
  throw new RpcError(RpcErrorCode.InternalError, error.message);
}
