import { clearTimeout, setTimeout } from "node:timers";
import type { Diagnostic, PosixPath } from "@idewire/core";
import { keyOf } from "@idewire/node-server/internal/files";
import type { DiagnosticsProvider, ProviderFolder } from "../diagnostics-provider.ts";
import type { LanguageServerOptions } from "../provider-options.ts";
import { isFor } from "./document-selector.ts";
import { fatalStartError } from "./fatal-start-error.ts";
import { parseServerCommand, type ServerCommand } from "./known-servers.ts";
import { readPublished } from "./protocol.ts";
import { PullDiagnostics } from "./pull-diagnostics.ts";
import { Restarts } from "./restarts.ts";
import { findSampleFiles } from "./sample-files.ts";
import { ServerLists } from "./server-lists.ts";
import { ServerRun } from "./server-run.ts";
import { StderrTail } from "./stderr-tail.ts";
import { SyncedDocuments } from "./synced-documents.ts";
import { fileEvents } from "./watched-files.ts";

/** How long an answer waits for a server that is starting. */
const START_TIMEOUT_MS = 10_000;

/** A language server, kept running, as a diagnostics provider. */
export class LanguageServer implements DiagnosticsProvider {
  readonly #options: LanguageServerOptions;
  readonly #server: ServerCommand;
  readonly #restarts: Restarts;
  readonly #wanted = new Map<string, PosixPath>();
  /** Files opened unasked, so that the server has loaded by the first edit. */
  readonly #samples = new Map<string, PosixPath>();
  readonly #dirty = new Map<string, PosixPath>();
  #context: ServerContext | undefined;
  #run: ServerRun | undefined;
  #pull: PullDiagnostics | undefined;
  #syncing: Promise<void> | undefined;
  #startedMs = 0;
  #hasStopped = false;
  #readyWaiters: (() => void)[] = [];
  #restart: ReturnType<typeof setTimeout> | undefined;
  #stderrTail = new StderrTail();

  constructor(options: LanguageServerOptions) {
    this.#options = options;
    this.#server = parseServerCommand(options.command);
    this.#restarts = new Restarts(options.restartMs);
  }

  open(folder: ProviderFolder): void {
    const lists = new ServerLists(folder, this.#server.name);
    const documents = new SyncedDocuments(folder, {
      isKept: (path) => this.#samples.has(keyOf(path)),
      onAged: (path) => lists.touch(path),
    });
    this.#context = { folder, lists, documents };
    this.#start(this.#context);
  }

  want(paths: readonly PosixPath[]): void {
    for (const path of paths) this.#wanted.set(keyOf(path), path);
    for (const [key, path] of this.#wanted) {
      if (this.#context?.folder.isWanted(path) === true) continue;
      this.#wanted.delete(key);
      this.#dirty.set(key, path);
    }
    this.#sync(paths);
  }

  filesChanged(paths: readonly PosixPath[]): void {
    this.#sync(paths.filter((path) => this.#opened.has(keyOf(path))));
    void this.#emitOfFiles(paths);
  }

  async settled(): Promise<void> {
    if (this.#hasStopped) return;
    if (this.#run?.isReady !== true) {
      if (Date.now() - this.#startedMs > START_TIMEOUT_MS) return;
      await new Promise<void>((resolve) => this.#readyWaiters.push(resolve));
    }
    // Nothing else checks whether these have changed.
    this.#sync([...this.#samples.values()]);
    await this.#syncing;
    await this.#context?.documents.settled();
  }

  of(path: PosixPath): readonly Diagnostic[] {
    const list = this.#context?.lists.of(path) ?? [];
    const document = this.#context?.documents.get(path);
    if (document?.isStale !== true || list.length === 0) return list;
    document.wasHidden = true;
    return [];
  }

  async close(): Promise<void> {
    this.#stop();
    clearTimeout(this.#restart);
    this.#context?.lists.close();
    this.#context?.documents.reset();
    await this.#run?.end();
  }

  get #opened(): ReadonlyMap<string, PosixPath> {
    return new Map([...this.#samples, ...this.#wanted]);
  }

  #start(context: ServerContext): void {
    this.#startedMs = Date.now();
    this.#stderrTail = new StderrTail();
    const known = this.#server.options;
    const given = this.#options.initializationOptions;
    const run = new ServerRun({
      command: this.#server.command,
      initializationOptions: known || given ? { ...known, ...given } : undefined,
      settings: this.#options.settings,
      folder: context.folder.folder,
      startTimeoutMs: this.#options.startTimeoutMs,
      maxMessageBytes: this.#options.maxMessageBytes,
      onPublished: (params) => this.#published(params, context, run),
      onRefresh: () => this.#refresh(run),
      onLine: (line) => this.#received(line),
    });
    this.#run = run;
    void this.#follow(run, context);
    // Without a sample, only the first answer is later.
    if (this.#samples.size === 0) void this.#findSamples(context).catch(() => undefined);
  }

  async #findSamples({ folder }: ServerContext): Promise<void> {
    const samples = await findSampleFiles(folder, this.#server.languages);
    if (this.#hasStopped) return;
    for (const path of samples) this.#samples.set(keyOf(path), path);
    this.#sync(samples);
  }

  /** From the handshake of a run to its end. */
  async #follow(run: ServerRun, context: ServerContext): Promise<void> {
    const failure = await run.initialize().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) this.#refresh(run);
    else run.peer.close();
    const { reason } = await run.closed;
    if (this.#hasStopped) return;
    this.#run = undefined;
    this.#pull = undefined;
    context.documents.reset();
    context.lists.drop(context.folder.folder);
    const fault = fatalStartError({ failure, reason, end: await run.ended });
    if (fault === undefined) this.#crashed(reason, context);
    else this.#giveUp(fault);
  }

  #crashed(reason: string, context: ServerContext): void {
    const words = [reason, this.#stderrTail.text].filter(Boolean).join(": ");
    const delayMs = this.#restarts.next(Date.now());
    const { count } = this.#restarts;
    if (delayMs === undefined) {
      const often = `crashed ${count} times in 3 minutes (${words})`;
      this.#giveUp(`${often}: stopped; fix it and start idewire again`);
      return;
    }
    if (count === 1) this.#print(`crashed (${words}); restarting it`);
    this.#restart = setTimeout(() => this.#start(context), delayMs);
  }

  #giveUp(words: string): void {
    this.#print(words);
    this.#stop();
  }

  #stop(): void {
    this.#hasStopped = true;
    this.#wakeReady();
  }

  #wakeReady(): void {
    for (const resolve of this.#readyWaiters.splice(0)) resolve();
  }

  /** After the handshake, and after new capabilities or diagnostics. */
  #refresh(run: ServerRun): void {
    if (!run.isReady || run !== this.#run || this.#context === undefined) return;
    const { lists, documents } = this.#context;
    const capability = run.pull;
    if (capability !== undefined) {
      this.#pull ??= new PullDiagnostics({
        peer: run.peer,
        capability,
        onItems: (uri, items) => this.#keep(uri, "pulled", items),
        onAnswered: (document) => {
          const isClean = lists.of(document.path).length === 0;
          if (document.wasHidden) lists.touch(document.path);
          documents.answered(document, { isClean, mayGoOn: false });
        },
      });
      for (const document of documents.all) void this.#pull.ask(document);
      this.#pull.askAll();
    }
    this.#sync([...this.#opened.values()]);
    this.#wakeReady();
  }

  #published(params: unknown, { lists, documents }: ServerContext, run: ServerRun): void {
    const published = readPublished(params);
    const path = published && lists.locate(published.uri);
    if (published === undefined || path === undefined || run !== this.#run) return;
    const document = documents.get(path);
    const isOld =
      document !== undefined && (published.version ?? document.version) < document.version;
    if (isOld) return;
    this.#keep(published.uri, "pushed", published.items);
    if (document === undefined || this.#pull !== undefined) return;
    if (document.wasHidden) lists.touch(path);
    documents.answered(document, { isClean: published.items.length === 0, mayGoOn: true });
  }

  #keep(uri: string, kind: "pushed" | "pulled", items: readonly unknown[]): void {
    const path = this.#context?.lists.locate(uri);
    if (path === undefined) return;
    const encoding = this.#run?.capabilities.encoding ?? "utf-16";
    const document = this.#context?.documents.get(path);
    this.#context?.lists.keep({ path, kind, items, encoding, document });
  }

  #sync(paths: readonly PosixPath[]): void {
    for (const path of paths) this.#dirty.set(keyOf(path), path);
    if (this.#run?.isReady !== true) return;
    const run = this.#run;
    this.#syncing ??= this.#syncDirty(run).finally(() => {
      this.#syncing = undefined;
      if (this.#dirty.size > 0 && run === this.#run && !this.#hasStopped) this.#sync([]);
    });
  }

  async #syncDirty(run: ServerRun): Promise<void> {
    const { peer, capabilities } = run;
    for (const [key, path] of this.#dirty) {
      if (this.#hasStopped || run !== this.#run) return;
      this.#dirty.delete(key);
      if (!isFor(path, this.#server.languages, run.selector)) continue;
      const changed = await this.#context?.documents.sync(path, {
        peer,
        receives: capabilities.receives,
      });
      if (changed !== undefined) void this.#pull?.ask(changed);
    }
  }

  async #emitOfFiles(paths: readonly PosixPath[]): Promise<void> {
    const { changes, deleted } = await fileEvents(paths);
    for (const path of deleted) this.#context?.lists.drop(path);
    if (this.#run?.isReady !== true) return;
    if (this.#run.watchesFiles) {
      this.#run.peer.notify("workspace/didChangeWatchedFiles", { changes });
    }
    this.#pull?.askAll();
  }

  #received(line: string): void {
    if (line.trim() === "") return;
    this.#stderrTail.add(line);
    this.#options.onLine?.(`${this.#server.name}: ${line}`);
  }

  #print(words: string): void {
    this.#options.onNotice?.(
      `the language server ${JSON.stringify(this.#server.command)} ${words}`,
    );
  }
}

interface ServerContext {
  readonly folder: ProviderFolder;
  readonly lists: ServerLists;
  readonly documents: SyncedDocuments;
}
