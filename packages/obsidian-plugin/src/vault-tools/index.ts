import { toNativePath, type Unsubscribe } from "@idewire/core";
import { IdewireError } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { type OpenFolderEndpoint, openFolderEndpoint } from "@idewire/node-server/internal";
import { toolsCommand } from "../connection/connect-command.ts";
import { type OnAnswer, reportAnswers } from "../privacy/answer-listener.ts";
import { platform } from "../vault-paths.ts";
import { describeNote } from "./describe-note.ts";
import type { VaultToolParts } from "./notes.ts";
import { renameNote } from "./rename-note.ts";
import { searchVault } from "./search-vault.ts";
import { setProperties } from "./set-properties.ts";

/** The dependencies of {@link VaultTools} besides its tools. */
export interface VaultToolsParts extends VaultToolParts {
  readonly version: string;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Settles when the exclusions are known. */
  readonly known: () => Promise<unknown>;
  /** Whether the tools that change notes are offered, too. */
  readonly mayChange: () => boolean;
  readonly onAnswer: OnAnswer<unknown>;
}

/** Interval of checks whether another window of this vault still offers them. */
const RETRY_MS = 10_000;

/**
 * Tools for the vault on a separate MCP endpoint: agents hide unknown tools of an IDE from their models,
 * but not those of an ordinary MCP server.
 */
export class VaultTools {
  readonly #parts: VaultToolsParts;
  readonly #server: McpServer<unknown>;
  #changing: readonly Unsubscribe[] = [];
  #open: OpenFolderEndpoint | undefined;
  /** Timer while another window of this vault offers them. */
  #retry: number | undefined;
  /** Changes run one after the other. */
  #change: Promise<void> = Promise.resolve();

  constructor(parts: VaultToolsParts) {
    this.#parts = parts;
    const { version, onAnswer } = parts;
    this.#server = new McpServer<unknown>({
      ...{ name: "idewire-vault", version, title: "Obsidian vault" },
      around: reportAnswers(onAnswer),
    });
    for (const add of [searchVault, describeNote]) add(this.#server, parts);
    this.followChangeable();
  }

  /** Offers the tools that change notes if they are allowed now, and withdraws them if not. */
  followChangeable(): void {
    for (const remove of this.#changing) remove();
    const allowed = this.#parts.mayChange() ? [renameNote, setProperties] : [];
    this.#changing = allowed.map((add) => add(this.#server, this.#parts));
  }

  /** The command that adds them to Claude Code; undefined if they are off. */
  async command(): Promise<string | undefined> {
    await (this.#retry === undefined ? this.#change : this.offer(true));
    const isOffered = this.#open !== undefined || this.#retry !== undefined;
    return isOffered ? toolsCommand(this.#parts.paths.root) : undefined;
  }

  /** Their URL, if it differs from that of the last run. */
  get newAddress(): string | undefined {
    return this.#open?.moved === true ? this.#open.endpoint.url : undefined;
  }

  /**
   * Starts or stops to offer them.
   * @throws IdewireError if they cannot be offered
   */
  offer(wanted: boolean): Promise<void> {
    const change = this.#change.then(() => (wanted ? this.#start() : this.#stop()));
    this.#change = change.catch(() => {});
    return change;
  }

  async #start(): Promise<void> {
    if (this.#open !== undefined) return;
    this.#forgetRetry();
    const { env, known } = this.#parts;
    await known();
    const server = this.#server;
    const options = { server, context: undefined, folder: this.#folder, env: env() };
    try {
      this.#open = await openFolderEndpoint(options);
    } catch (error) {
      if (!(error instanceof IdewireError) || error.code !== "folder-in-use") throw error;
      this.#retry = window.setTimeout(() => void this.offer(true).catch(() => {}), RETRY_MS);
    }
  }

  #forgetRetry(): void {
    window.clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  get #folder(): string {
    return toNativePath(this.#parts.paths.root, platform);
  }

  async #stop(): Promise<void> {
    this.#forgetRetry();
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }
}
