import {
  isObject,
  type Peer,
  type PosixPath,
  RpcError,
  RpcErrorCode,
  ToolFailure,
} from "@idewire/core";
import * as v from "valibot";
import { scanFolder } from "../folder-host/diagnostics/workspace-scan.ts";
import type { FolderHost } from "../folder-host/index.ts";
import { joinPath } from "../folder-host/native-path.ts";
import { type FolderLog, MAX_PAGE_UNITS } from "./folder-log.ts";
import { FolderState } from "./folder-state.ts";
import { LogTeller } from "./log-teller.ts";

/** So many files are listed. */
const MAX_FILES = 20_000;
/** The code of a failure that the person should read, as in the host protocol. */
const FAILURE_CODE = 1;

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(4_096));
const position = v.object({ line: v.number(), character: v.number() });
const pathParams = v.object({ path });
const pageText = v.pipe(v.string(), v.maxLength(MAX_PAGE_UNITS));
const editParams = v.object({ path, text: pageText, over: v.optional(pageText) });
const closeParams = v.object({ path, discard: v.optional(v.boolean(), false) });
const selectParams = v.object({ path, range: v.object({ start: position, end: position }) });
const mentionParams = v.object({
  path,
  lines: v.optional(v.object({ start: v.number(), end: v.number() })),
});
const answerParams = v.variant("kind", [
  v.object({ id: v.string(), kind: v.literal("accepted"), text: v.string() }),
  v.object({ id: v.string(), kind: v.picklist(["rejected", "closed"]) }),
]);

/** What a page acts on. */
export interface LiveFolder {
  readonly host: FolderHost;
  readonly log: FolderLog;
  /** An address for another tab. */
  readonly createLink: () => string;
}

/**
 * Lets a page be a face of the folder: it hears the log, and does what a person can do. It ends with
 * the peer. Call it in the turn in which the peer is made.
 */
export function serveLivePage(peer: Peer, key: string, folder: LiveFolder): void {
  const page = new LivePage(peer, folder);
  page.register();
  peer.handle("live/join", () => page.join(key));
}

class LivePage {
  readonly #peer: Peer;
  readonly #folder: LiveFolder;
  readonly #teller: LogTeller;
  #hasJoined = false;

  constructor(peer: Peer, folder: LiveFolder) {
    this.#peer = peer;
    this.#folder = folder;
    const { log } = folder.log;
    const state = new FolderState(folder.log);
    this.#teller = new LogTeller({ peer, log, state });
    const undo = [
      log.on("append", (event) => state.hear(event)),
      folder.log.onNotice((words) => peer.notify("live/notice", { words })),
      folder.host.onStale((file) => peer.notify("live/stale", { path: folder.log.nameOf(file) })),
    ];
    void peer.closed.then(() => {
      for (const each of undo) each();
    });
  }

  /** Tells what was, and from then on what happens. */
  join(key: string): object {
    const { host } = this.#folder;
    const { name, version } = host.info;
    this.#hasJoined = true;
    // After the answer, so that the page knows what it is told of.
    queueMicrotask(() => {
      void this.#teller.run();
      void this.#tellFiles();
    });
    return { key, folder: host.folder, name, version, maxUnits: MAX_PAGE_UNITS };
  }

  register(): void {
    const { host, log, createLink } = this.#folder;
    this.#answer("live/open", pathParams, (params) => host.open(this.#path(params)));
    this.#answer("live/edit", editParams, (params) =>
      host.edit(this.#path(params), params.text, params.over),
    );
    this.#answer("live/save", pathParams, (params) => host.save?.(this.#path(params)));
    this.#answer("live/revert", pathParams, (params) => host.revert(this.#path(params)));
    this.#answer("live/keep", pathParams, (params) => host.keepUnsaved(this.#path(params)));
    this.#answer("live/close", closeParams, (params) => this.#close(params));
    this.#answer("live/select", selectParams, (params) =>
      host.select(this.#path(params), params.range),
    );
    this.#answer("live/mention", mentionParams, async ({ lines, ...params }) => {
      const path = this.#path(params);
      await host.mention({ path, ...(lines !== undefined && { lines }) });
      const reason = log.whyUnheard(path);
      if (reason !== undefined) throw new ToolFailure(`Not mentioned: ${reason}`);
    });
    this.#answer("live/answer", answerParams, (params) => this.#decide(params));
    this.#answer("live/files", v.object({}), () => this.#tellFiles());
    this.#answer("live/link", v.object({}), () => ({ url: createLink() }));
  }

  #decide(params: v.InferOutput<typeof answerParams>): object {
    const { id, kind } = params;
    const answer = kind === "accepted" ? { kind, text: params.text } : { kind };
    return { answered: this.#folder.host.answerDiff(id, answer, "page") };
  }

  async #close(params: { readonly path: string; readonly discard: boolean }): Promise<object> {
    const { host } = this.#folder;
    const file = this.#path(params);
    if (params.discard) await host.revert(file);
    return { closed: await host.closeTab?.(params.path) };
  }

  async #tellFiles(): Promise<void> {
    const { host, log } = this.#folder;
    const files: string[] = [];
    for await (const found of scanFolder(host.folder, () => {})) {
      files.push(...found.map((file) => log.nameOf(file)));
      if (files.length >= MAX_FILES) break;
    }
    const listed = files.slice(0, MAX_FILES);
    this.#peer.notify("live/files", { files: listed, cut: files.length >= MAX_FILES });
  }

  /** Whether it is in the folder, once links are followed, is the host's to check. */
  #path({ path: name }: { readonly path: string }): PosixPath {
    return joinPath(this.#folder.host.folder, name);
  }

  #answer<T>(
    method: string,
    schema: v.GenericSchema<unknown, T>,
    act: (params: T) => unknown,
  ): void {
    this.#peer.handle(method, async ({ params }) => {
      const read = v.safeParse(schema, isObject(params) ? params : {});
      if (!read.success) {
        const [issue] = read.issues;
        const where = v.getDotPath(issue) ?? "params";
        throw new RpcError(RpcErrorCode.InvalidParams, `${method}: ${where}: ${issue.message}`);
      }
      try {
        return (await act(read.output)) ?? {};
      } catch (error) {
        if (error instanceof ToolFailure) throw new RpcError(FAILURE_CODE, error.message);
        throw error;
      } finally {
        // The page has heard what its act has changed when it hears the answer.
        await this.#folder.log.flush();
        if (this.#hasJoined) await this.#teller.flush();
      }
    });
  }
}
