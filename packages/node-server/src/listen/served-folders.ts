import type { FolderClaims } from "../discovery/folder-claims.ts";
import type { AgentSide, OfferedFolder } from "./agent-side.ts";
import type { DialectEndpoint } from "./dialect-endpoint.ts";
import type { FolderSockets } from "./folder-sockets.ts";

export interface ServedFoldersOptions {
  readonly side: Pick<AgentSide, "folders">;
  /** Undefined without a state directory: folders are then neither claimed nor have sockets. */
  readonly claims: FolderClaims | undefined;
  readonly sockets: FolderSockets | undefined;
  readonly endpoints: () => readonly DialectEndpoint[];
  /** Called after discovery files have changed. */
  readonly onpublished: () => void;
  readonly warn: (error: Error) => void;
}

/** The folders of the editor: claimed by this process, published in discovery files, reachable by sockets. */
export class ServedFolders {
  readonly #options: ServedFoldersOptions;
  #isOutdated = false;
  #isClosed = false;
  #publishing: Promise<void> | undefined;

  constructor(options: ServedFoldersOptions) {
    this.#options = options;
  }

  /**
   * Claims all folders.
   * @throws IdewireError `folder-in-use`
   */
  async claim(): Promise<readonly OfferedFolder[]> {
    const { side, claims } = this.#options;
    const folders = await side.folders();
    // In one order in all processes, so that no two of them wait for each other.
    const byClaim = [...folders].sort((one, two) => (one.claim < two.claim ? -1 : 1));
    for (const folder of byClaim) await claims?.add(folder.claim);
    await this.#openSockets(folders);
    return folders;
  }

  /** Agents that look for an editor from now on must find it by its current folders. */
  changed(): void {
    this.#isOutdated = true;
    this.#publishing ??= this.#publish()
      .catch((error: unknown) => this.#options.warn(error as Error))
      .finally(() => {
        this.#publishing = undefined;
      });
  }

  /** Publishes nothing from now on; resolves when nothing is being published. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#publishing;
  }

  async #publish(): Promise<void> {
    while (this.#isOutdated && !this.#isClosed) {
      this.#isOutdated = false;
      const folders = await this.#freeFolders();
      let isChanged = false;
      for (const each of this.#options.endpoints()) {
        if (await each.offer(folders)) isChanged = true;
      }
      if (isChanged) this.#options.onpublished();
    }
  }

  /** The folders that no other process serves: if two processes serve one, agents connect to neither. */
  async #freeFolders(): Promise<readonly OfferedFolder[]> {
    const { side, claims, warn } = this.#options;
    const free: OfferedFolder[] = [];
    try {
      for (const folder of await side.folders()) {
        const claiming = claims?.add(folder.claim) ?? Promise.resolve();
        await claiming.then(() => free.push(folder), warn);
      }
    } catch (error) {
      warn(error as Error);
    }
    await claims?.keepOnly(free.map(({ claim }) => claim));
    if (!this.#isClosed) await this.#openSockets(free);
    return free;
  }

  /** Only for claimed folders. */
  async #openSockets(folders: readonly OfferedFolder[]): Promise<void> {
    const { claims, sockets } = this.#options;
    const claimed = folders.filter(({ claim }) => claims?.has(claim));
    await sockets?.follow(claimed.map(({ own }) => own));
  }
}
