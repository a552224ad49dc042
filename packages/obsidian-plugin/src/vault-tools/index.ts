import { IdewireError, McpServer, toNativePath } from "@idewire/core";
import { type OpenFolderEndpoint, openFolderEndpoint } from "@idewire/node-server";
import { toolsCommand } from "../connection/connect-command.ts";
import { type OnAnswer, withAnswerListener } from "../privacy/answer-listener.ts";
import { platform } from "../vault-paths.ts";
import { describeNote } from "./describe-note.ts";
import type { VaultToolParts } from "./notes.ts";
import { renameNote } from "./rename-note.ts";
import { searchVault } from "./search-vault.ts";
import { setProperties } from "./set-properties.ts";

/** What {@link VaultTools} needs beside what its tools need. */
export interface VaultToolsParts extends VaultToolParts {
  readonly version: string;
  readonly env: () => Readonly<Record<string, string | undefined>>;
  /** Settles when it is known what may be shared. */
  readonly known: () => Promise<unknown>;
  readonly onAnswer: OnAnswer<unknown>;
}

/** So often it is looked whether another window of this vault still offers them. */
const RETRY_MS = 10_000;

/**
 * Tools for the vault that the models of agents see: they hide the tools of an IDE that they do not
 * know, so these are on an ordinary MCP endpoint of their own.
 */
export class VaultTools {
  readonly #parts: VaultToolsParts;
  #open: OpenFolderEndpoint | undefined;
  /** While another window of this vault offers them. */
  #retry: number | undefined;
  /** One after the other, whatever is asked for in between. */
  #change: Promise<void> = Promise.resolve();

  constructor(parts: VaultToolsParts) {
    this.#parts = parts;
  }

  /** The line that tells Claude Code of them, when they are on offer, or about to be. */
  async command(): Promise<string | undefined> {
    await (this.#retry === undefined ? this.#change : this.offer(true));
    const isOffered = this.#open !== undefined || this.#retry !== undefined;
    return isOffered ? toolsCommand(this.#parts.paths.root) : undefined;
  }

  /** Where they are now, when that is not where they were in the last run. */
  get newAddress(): string | undefined {
    return this.#open?.moved === true ? this.#open.endpoint.url : undefined;
  }

  /**
   * Offers them, or not.
   * @throws IdewireError when they cannot be offered
   */
  offer(wanted: boolean): Promise<void> {
    const change = this.#change.then(() => (wanted ? this.#start() : this.#stop()));
    this.#change = change.catch(() => {});
    return change;
  }

  async #start(): Promise<void> {
    if (this.#open !== undefined) return;
    this.#forgetRetry();
    const { version, env, onAnswer, known } = this.#parts;
    await known();
    const tools = [searchVault, describeNote, renameNote, setProperties];
    const server = new McpServer<unknown>({
      info: { name: "idewire-vault", version, title: "Obsidian vault" },
      tools: tools.map((create) => withAnswerListener(create(this.#parts), onAnswer)),
    });
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
