import { clearTimeout, setTimeout } from "node:timers";
import { type Resource, Resources, RpcError, RpcErrorCode, ToolFailure } from "@idewire/core";
import type { BridgedEditor } from "./bridged-editor.ts";

/** How soon a change is heard that the editor does not tell by itself. */
const POLL_MS = 1_000;

const SELECTION = "idewire://editor/selection";

/** A resource that is the result of a tool. */
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
    description: "What is wrong with the files of the workspace, by file, as JSON",
    tool: "getDiagnostics",
  },
];

/** The state of an editor as resources. The caller closes it. */
export interface EditorResources {
  readonly feature: Resources<undefined>;
  close(): void;
}

/**
 * Offers what is selected, the open documents and the diagnostics. Changes of the selection are told as they
 * come. The others an editor does not tell: one that a client has read is asked for again, until it has
 * changed, and the client that hears of it reads it again.
 */
export function offerEditorState(editor: BridgedEditor): EditorResources {
  const watches = toolResources.map((resource) => new ToolResourceWatch(resource, editor));
  const feature = new Resources<undefined>({
    subscriptions: true,
    resources: [selectionResource(editor), ...watches.map((watch) => watch.resource)],
  });
  const tellAll = () => {
    for (const { uri } of [{ uri: SELECTION }, ...toolResources]) feature.updated(uri);
  };
  for (const watch of watches) watch.onchange = () => feature.updated(watch.resource.uri);
  const stops = [
    editor.on("selection", () => {
      feature.updated(SELECTION);
      for (const watch of watches) void watch.look();
    }),
    editor.on("diagnostics", () => {
      for (const watch of watches) void watch.look();
    }),
    editor.on("came", tellAll),
    editor.on("went", tellAll),
  ];
  return {
    feature,
    close() {
      for (const stop of stops) stop();
      for (const watch of watches) watch.close();
    },
  };
}

function selectionResource(editor: BridgedEditor): Resource<undefined> {
  return {
    uri: SELECTION,
    name: "selection",
    title: "Selection",
    description:
      "What is selected in the editor as JSON: filePath, text, and selection with 0-based lines; null when nothing is",
    mimeType: "application/json",
    async read(uri) {
      const selection = await editor.readSelection().catch(throwTold);
      return { uri, mimeType: "application/json", text: JSON.stringify(selection ?? null) };
    },
  };
}

/** One resource that is asked for by a tool, and looked at again once it has been read. */
class ToolResourceWatch {
  readonly resource: Resource<undefined>;
  onchange: () => void = () => {};
  readonly #editor: BridgedEditor;
  readonly #tool: string;
  /** What a client has read last, unless it has been told of a change since. */
  #read: string | undefined;
  #isLooking = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ tool, ...described }: ToolResource, editor: BridgedEditor) {
    this.#editor = editor;
    this.#tool = tool;
    this.resource = {
      ...described,
      mimeType: "application/json",
      read: async (uri) => {
        const text = await this.#ask().catch(throwTold);
        this.#read = text;
        this.#wait();
        return { uri, mimeType: "application/json", text };
      },
    };
  }

  /** Says so if what was read has changed. */
  async look(): Promise<void> {
    if (this.#read === undefined || this.#isLooking) return;
    this.#isLooking = true;
    const read = this.#read;
    const now = await this.#ask().catch(() => undefined);
    this.#isLooking = false;
    if (now !== undefined && now !== read && this.#read === read) {
      this.#read = undefined;
      this.onchange();
    }
    this.#wait();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#read === undefined || this.#isClosed || this.#editor.editor === undefined) return;
    this.#timer = setTimeout(() => void this.look(), POLL_MS);
    this.#timer.unref();
  }

  async #ask(): Promise<string> {
    const { content, isError } = await this.#editor.call(this.#tool, {}, {});
    const text = content.map((item) => (item.type === "text" ? item.text : "")).join("");
    if (isError === true) throw new ToolFailure(text);
    return text;
  }
}

/** A resource has no result for a failure, so that the client is told by an error. */
function throwTold(error: unknown): never {
  if (!(error instanceof ToolFailure)) throw error;
  throw new RpcError(RpcErrorCode.InternalError, error.message);
}
