import { McpServer, toNativePath } from "@idewire/core";
import { type OpenFolderEndpoint, openFolderEndpoint } from "@idewire/node-server";
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
}

/**
 * Tools for the vault that the models of agents see: they hide the tools of an IDE that they do not
 * know, so these are on an ordinary MCP endpoint of their own.
 */
export class VaultTools {
  readonly #parts: VaultToolsParts;
  #open: OpenFolderEndpoint | undefined;
  /** One after the other, whatever is asked for in between. */
  #change: Promise<void> = Promise.resolve();

  constructor(parts: VaultToolsParts) {
    this.#parts = parts;
  }

  /** The line that tells Claude Code of them, when they are on offer, or about to be. */
  async command(): Promise<string | undefined> {
    await this.#change;
    const endpoint = this.#open?.endpoint;
    if (endpoint === undefined) return undefined;
    const header = `Authorization: Bearer ${endpoint.token}`;
    return `claude mcp add --transport http vault ${endpoint.url} --header "${header}"`;
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
    const { version, paths, env } = this.#parts;
    const tools = [searchVault, describeNote, renameNote, setProperties];
    const server = new McpServer<unknown>({
      info: { name: "idewire-vault", version, title: "Obsidian vault" },
      tools: tools.map((create) => create(this.#parts)),
    });
    const folder = toNativePath(paths.root, platform);
    this.#open = await openFolderEndpoint({ server, context: undefined, folder, env: env() });
  }

  async #stop(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }
}
