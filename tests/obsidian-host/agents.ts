import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RawClient } from "../src/raw-client.ts";
import { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import type { ClaudeClientOptions } from "../src/reference-clients/claude-options.ts";
import { TIMEOUT_MS, until } from "../src/reference-clients/transcript.ts";
import { parseJson } from "../src/reference-clients/wire.ts";
import type { TestVault } from "./node/test-vault.ts";

export interface LockFacts {
  readonly path: string;
  readonly port: number;
  readonly pid: number;
  readonly ideName: string;
  readonly workspaceFolders: readonly string[];
  readonly authToken: string;
  readonly transport: string;
  readonly generator?: string;
}

/** Agents that find the vault as real ones do: by the lock file, over the socket. */
export class Agents {
  readonly #testVault: TestVault;
  readonly #env: Readonly<Record<string, string>>;
  readonly #clients: ClaudeClient[] = [];
  readonly #raw: RawClient[] = [];

  constructor(testVault: TestVault, env: Readonly<Record<string, string>>) {
    this.#testVault = testVault;
    this.#env = env;
  }

  get lockFolder(): string {
    const folder = this.#env["CLAUDE_CONFIG_DIR"] ?? join(this.#testVault.home, ".claude");
    return join(folder, "ide");
  }

  /** The lock files of this vault; other editors' are left out. */
  locks(): LockFacts[] {
    let names: string[];
    try {
      names = readdirSync(this.lockFolder);
    } catch {
      return [];
    }
    return names
      .filter((name) => /^\d+\.lock$/.test(name))
      .flatMap((name) => {
        const path = join(this.lockFolder, name);
        const facts = parseJson(readIfThere(path))?.value as Partial<LockFacts> | undefined;
        const isOurs = facts?.workspaceFolders?.includes(this.#testVault.vault) === true;
        const port = Number.parseInt(name, 10);
        return isOurs && facts.generator === "idewire"
          ? [{ ...(facts as LockFacts), path, port }]
          : [];
      });
  }

  /** Waits for the vault's lock file, of the given process if any. */
  lock(pid?: number): Promise<LockFacts> {
    const find = () => this.locks().find((lock) => pid === undefined || lock.pid === pid);
    return until("the vault's lock file", find);
  }

  /** Starts a Claude Code in the vault and connects it. */
  async connect(options: Partial<ClaudeClientOptions> = {}): Promise<ClaudeClient> {
    await this.lock();
    const client = await this.start(options);
    await client.untilReady();
    return client;
  }

  /** Starts a Claude Code, which may find no editor. */
  async start(options: Partial<ClaudeClientOptions> = {}): Promise<ClaudeClient> {
    const client = await ClaudeClient.start({
      env: { HOME: this.#testVault.home, ...this.#env },
      cwd: this.#testVault.vault,
      pollMs: 10,
      pollForMs: TIMEOUT_MS,
      retryFactor: 0.02,
      moreTries: 120,
      lenient: true,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** A client that sends only the given messages after its handshake. */
  async raw(): Promise<RawClient> {
    const client = await RawClient.ready((await this.lock()).path);
    this.#raw.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.splice(0)) await client.exit();
    for (const client of this.#raw.splice(0)) client.socket.terminate();
  }
}

/** A lock file may be deleted after its folder was listed. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
