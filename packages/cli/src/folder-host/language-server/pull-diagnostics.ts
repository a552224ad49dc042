import { type Peer, RpcError } from "@idewire/core/rpc";
import type {
  DocumentDiagnosticParams,
  LSPErrorCodes,
  WorkspaceDiagnosticParams,
} from "vscode-languageserver-protocol";
import type { PullCapability } from "./capabilities.ts";
import { member } from "./capabilities.ts";
import { type DocumentReport, readDocumentReport, readWorkspaceReport } from "./protocol.ts";
import type { SyncedDocument } from "./synced-documents.ts";

/** How long to wait for an answer about a document. */
const ANSWER_MS = 30_000;

/** LSP's codes for a request that may be retried, and for one made obsolete by a change. */
const SERVER_CANCELLED: typeof LSPErrorCodes.ServerCancelled = -32_802;
const MAX_TRIES = 3;

/** How many result ids are remembered. */
const MAX_RESULT_IDS = 5_000;

export interface PullOptions {
  readonly peer: Peer;
  readonly capability: PullCapability;
  /** Called with the server's diagnostics of a file. */
  readonly onItems: (uri: string, items: readonly unknown[]) => void;
  /** Called once it has answered for the current document, or cannot. */
  readonly onAnswered: (document: SyncedDocument) => void;
}

/** Pulls diagnostics from one run of a server. */
export class PullDiagnostics {
  readonly #options: PullOptions;
  readonly #resultIds = new Map<string, string>();
  #isAskingAll = false;
  #askAllAgain = false;

  constructor(options: PullOptions) {
    this.#options = options;
  }

  /** For a document; the answer is used only if the text has not changed meanwhile. */
  async ask(document: SyncedDocument): Promise<void> {
    const { onAnswered } = this.#options;
    const { version, uri } = document;
    const previousResultId = this.#resultIds.get(uri);
    const params: DocumentDiagnosticParams = {
      textDocument: { uri },
      ...this.#identity(),
      ...(previousResultId !== undefined && { previousResultId }),
    };
    const result = await this.#request("textDocument/diagnostic", { ...params });
    if (document.version !== version) return;
    for (const [name, report] of readDocumentReport(uri, result)) this.#apply(name, report);
    onAnswered(document);
  }

  /** For all files, if the server supports that; one request at a time. */
  askAll(): void {
    if (!this.#options.capability.workspace) return;
    if (this.#isAskingAll) this.#askAllAgain = true;
    else void this.#askAll();
  }

  async #askAll(): Promise<void> {
    this.#isAskingAll = true;
    const previousResultIds = [...this.#resultIds].map(([uri, value]) => ({ uri, value }));
    const params: WorkspaceDiagnosticParams = { ...this.#identity(), previousResultIds };
    const result = await this.#request(
      "workspace/diagnostic",
      { ...params },
      Number.POSITIVE_INFINITY,
    );
    for (const [uri, report] of readWorkspaceReport(result)) this.#apply(uri, report);
    this.#isAskingAll = false;
    if (this.#askAllAgain && result !== undefined) this.askAll();
    this.#askAllAgain = false;
  }

  #identity(): { readonly identifier?: string } {
    const { identifier } = this.#options.capability;
    return identifier === undefined ? {} : { identifier };
  }

  #apply(uri: string, report: DocumentReport): void {
    this.#resultIds.delete(uri);
    if (report.resultId !== undefined && this.#resultIds.size < MAX_RESULT_IDS) {
      this.#resultIds.set(uri, report.resultId);
    }
    if (report.kind === "full") this.#options.onItems(uri, report.items);
  }

  /** Undefined when there is no answer. */
  async #request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    timeoutMs: number = ANSWER_MS,
  ): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#options.peer.request(method, params, { timeoutMs });
      } catch (error) {
        if (tries === MAX_TRIES || !mayAskAgain(error)) return undefined;
      }
    }
  }
}

function mayAskAgain(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== SERVER_CANCELLED) return false;
  return member(error.data, "retriggerRequest") !== false;
}
