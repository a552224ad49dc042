import { clearTimeout, setTimeout } from "node:timers";
import { type PosixPath, toFileUri } from "@idewire/core";
import type { Peer } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import { keyOf } from "@idewire/node-server/internal/files";
import type {
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
  DidSaveTextDocumentParams,
} from "vscode-languageserver-protocol";
import type { ProviderFolder, ProviderText } from "../diagnostics-provider.ts";
import { languageIdOf } from "../language-id.ts";
import type { ServerCapabilities } from "./capabilities.ts";

/** How long answers wait for a server's diagnostics of a text. */
const ANSWER_MS = 1_300;

/** The same before the first diagnostics of a language, when the server may still be loading the project. */
const COLD_MS = 30_000;

/** How long diagnostics of an older text are held back; after that they are shown again, since they may still apply. */
const STALE_MS = 10_000;

/** A server may push its diagnostics in parts, often an empty list first. */
const QUIET_MS = { some: 150, none: 400 } as const;

/** After this many texts in a row without an answer, nothing waits for the server until it answers. */
const MAX_SILENCES = 3;

/** A document sent to a server. */
export interface SyncedDocument {
  readonly path: PosixPath;
  readonly uri: string;
  text: string;
  version: number;
  /** When the text was sent to the server. */
  givenMs: number;
  /** Its diagnostics are of an older text. */
  isStale: boolean;
  /** The last list was empty: a server may not push another empty one. */
  wasClean: boolean;
  /** Its diagnostics were held back while stale. */
  wasHidden: boolean;
  waiting: ReturnType<typeof setTimeout> | undefined;
  staleness: ReturnType<typeof setTimeout> | undefined;
}

/** A server that is notified of documents. */
export interface DocumentReceiver {
  readonly peer: Peer;
  readonly receives: ServerCapabilities["receives"];
}

export interface SyncedDocumentsOptions {
  /** Whether a document stays open unasked, and no answer waits for it. */
  readonly isKept: (path: PosixPath) => boolean;
  /** Called when a list that was held back as stale may be shown again. */
  readonly onAged: (path: PosixPath) => void;
}

/** The documents of one run of a server: the texts sent, and whether it has reported on them. */
export class SyncedDocuments {
  readonly #folder: ProviderFolder;
  readonly #options: SyncedDocumentsOptions;
  readonly #open = new Map<string, SyncedDocument>();
  /** The deadline for the first answer about a language; 0 after it. */
  readonly #coldUntilMs = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  #silences = 0;

  constructor(folder: ProviderFolder, options: SyncedDocumentsOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  get all(): readonly SyncedDocument[] {
    return [...this.#open.values()];
  }

  get(path: PosixPath): SyncedDocument | undefined {
    return this.#open.get(keyOf(path));
  }

  /** Opens, changes or closes a document in the server to match its current text; returns it if it has changed. */
  async sync(path: PosixPath, server: DocumentReceiver): Promise<SyncedDocument | undefined> {
    const isOpen = this.#folder.isWanted(path) || this.#options.isKept(path);
    const now = isOpen ? await this.#folder.read(path) : undefined;
    const document = this.get(path);
    if (now === undefined) {
      if (document !== undefined) this.#close(document, server);
      return undefined;
    }
    if (document === undefined) return this.#openNew(path, now.text, server);
    if (document.text === now.text) return undefined;
    this.#change(document, now, server);
    return document;
  }

  /**
   * Call when the server has reported on this text. If it may report more, waits for a quiet period before
   * passing anything on.
   */
  answered(
    document: SyncedDocument,
    { isClean, mayGoOn }: { readonly isClean: boolean; readonly mayGoOn: boolean },
  ): void {
    const isFirst = this.#warmUp(document);
    this.#silences = 0;
    document.isStale = false;
    document.wasHidden = false;
    document.wasClean = isClean;
    clearTimeout(document.staleness);
    if (document.waiting === undefined) return;
    clearTimeout(document.waiting);
    // The first answer may be about the text that was sent first.
    const none = isFirst ? ANSWER_MS : QUIET_MS.none;
    const quietMs = isClean ? none : QUIET_MS.some;
    if (mayGoOn) document.waiting = setTimeout(() => this.#settle(document), quietMs);
    else this.#settle(document);
  }

  /** Settles when the server has answered for all wanted documents, or the time is up. */
  async settled(): Promise<void> {
    if (this.#isSettled()) return;
    await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  /** Call when the run has ended: all documents are sent again to the next one. */
  reset(): void {
    for (const document of this.#open.values()) this.#forget(document);
    this.#open.clear();
    this.#coldUntilMs.clear();
    this.#wake();
  }

  #openNew(path: PosixPath, text: string, { peer, receives }: DocumentReceiver): SyncedDocument {
    const uri = toFileUri(path, platform);
    const document: SyncedDocument = {
      path,
      uri,
      text,
      version: 1,
      givenMs: 0,
      isStale: true,
      wasClean: false,
      wasHidden: false,
      waiting: undefined,
      staleness: undefined,
    };
    this.#open.set(keyOf(path), document);
    const languageId = languageIdOf(path);
    if (receives.openClose) {
      const textDocument = { uri, languageId, version: 1, text };
      peer.notify("textDocument/didOpen", { textDocument } satisfies DidOpenTextDocumentParams);
    }
    this.#await(document);
    return document;
  }

  #change(
    document: SyncedDocument,
    { text, isSaved }: ProviderText,
    { peer, receives }: DocumentReceiver,
  ): void {
    const { uri } = document;
    document.text = text;
    document.version += 1;
    const textDocument = { uri, version: document.version };
    if (receives.change) {
      const change = { textDocument, contentChanges: [{ text }] };
      peer.notify("textDocument/didChange", change satisfies DidChangeTextDocumentParams);
    }
    if (receives.save && isSaved) {
      const saved = { textDocument: { uri }, text };
      peer.notify("textDocument/didSave", saved satisfies DidSaveTextDocumentParams);
    }
    this.#await(document);
  }

  #close(document: SyncedDocument, { peer, receives }: DocumentReceiver): void {
    this.#forget(document);
    this.#open.delete(keyOf(document.path));
    const closed = { textDocument: { uri: document.uri } };
    if (receives.openClose) {
      peer.notify("textDocument/didClose", closed satisfies DidCloseTextDocumentParams);
    }
    this.#wake();
  }

  #await(document: SyncedDocument): void {
    const isOverdue = Date.now() - document.givenMs > ANSWER_MS;
    if (document.waiting !== undefined && isOverdue) this.#countSilence(document);
    this.#forget(document);
    document.isStale = true;
    document.givenMs = Date.now();
    this.#expectAnswer(document);
    document.staleness = setTimeout(() => {
      document.isStale = false;
      if (document.wasHidden) this.#options.onAged(document.path);
      document.wasHidden = false;
    }, STALE_MS);
  }

  #expectAnswer(document: SyncedDocument): void {
    clearTimeout(document.waiting);
    const language = languageIdOf(document.path);
    const coldUntilMs = this.#coldUntilMs.get(language) ?? Date.now() + COLD_MS;
    this.#coldUntilMs.set(language, coldUntilMs);
    document.waiting = setTimeout(
      () => {
        this.#countSilence(document);
        this.#settle(document);
      },
      Math.max(ANSWER_MS, coldUntilMs - Date.now()),
    );
  }

  #countSilence(document: SyncedDocument): void {
    if (!document.wasClean) this.#silences += 1;
  }

  /** Call after an answer; returns whether it is the first about the language, after which the others follow soon. */
  #warmUp(document: SyncedDocument): boolean {
    const language = languageIdOf(document.path);
    const isFirst = this.#coldUntilMs.get(language) !== 0;
    this.#coldUntilMs.set(language, 0);
    const others = this.all.filter((other) => other !== document && other.waiting !== undefined);
    for (const other of isFirst ? others : []) {
      if (languageIdOf(other.path) === language) this.#expectAnswer(other);
    }
    return isFirst;
  }

  #settle(document: SyncedDocument): void {
    clearTimeout(document.waiting);
    document.waiting = undefined;
    this.#wake();
  }

  #forget(document: SyncedDocument): void {
    clearTimeout(document.waiting);
    clearTimeout(document.staleness);
    document.waiting = undefined;
  }

  #isSettled(): boolean {
    if (this.#silences >= MAX_SILENCES) return true;
    const waiting = this.all.filter((document) => document.waiting !== undefined);
    return !waiting.some(({ path }) => this.#folder.isWanted(path));
  }

  #wake(): void {
    if (!this.#isSettled()) return;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}
