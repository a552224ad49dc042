import { connect } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { IdewireError, RpcError } from "@idewire/core/rpc";
import type { ServerControl, ServerRestarts } from "@idewire/devtools/internal";
import { realFolder } from "@idewire/node-server/internal/files";
import { workingFolder } from "../../../flags/agent-flags.ts";
import type { McpContext } from "../../../mcp/open-client.ts";
import { type ProgramWatch, watchProgram } from "./program-watch.ts";

/** The pause between two attempts to reach a server of this machine that is not running. */
const RETRY_MS = 1_000;
const CONNECT_MS = 1_000;

export interface RestartsOptions {
  readonly context: Pick<McpContext, "run" | "io">;
  readonly server: Pick<ServerControl, "restart" | "print">;
}

/** When an inspected server is connected to again: a program when its files change, a server of this machine when it listens. */
export class Restarts implements ServerRestarts {
  readonly #options: RestartsOptions;
  #watch: ProgramWatch | undefined;
  #hasLooked = false;
  #isClosed = false;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RestartsOptions) {
    this.#options = options;
  }

  get isLocal(): boolean {
    const { target } = this.#options.context.run;
    return !("url" in target) || isThisMachine(new URL(target.url));
  }

  async begin(): Promise<void> {
    clearTimeout(this.#timer);
    this.#attempts += 1;
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      await this.#look();
    }
    this.#watch?.started();
  }

  failed(error: unknown): void {
    const { target } = this.#options.context.run;
    if (!("url" in target) || this.#isClosed) return;
    const url = new URL(target.url);
    if (!isThisMachine(url)) return;
    const { hostname, port, protocol } = url;
    const host = hostname.replace(/^\[|\]$/g, "");
    const number = Number(port) || (protocol === "https:" ? 443 : 80);
    const attempt = this.#attempts;
    // A server that has refused, or a login that has failed, is the same a second later.
    let wasGone = !isRefusal(error);
    const check = async () => {
      const isThere = await accepts(host, number);
      if (attempt !== this.#attempts || this.#isClosed) return;
      wasGone ||= !isThere;
      if (isThere && wasGone) this.#options.server.restart("the server listens again: connecting");
      else plan();
    };
    const plan = () => {
      this.#timer = setTimeout(() => void check(), RETRY_MS);
    };
    plan();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watch?.close();
  }

  async #look(): Promise<void> {
    const { context, server } = this.#options;
    const { target, cwd } = context.run;
    if (!("command" in target)) return;
    // A folder that is missing is reported by the start itself.
    const folder = await realFolder(workingFolder(context.io, cwd)).catch(() => undefined);
    if (folder === undefined || this.#isClosed) return;
    this.#watch = watchProgram(
      { ...target, cwd: folder },
      {
        onchange([first = "", ...others]) {
          const more = others.length > 0 ? ` and ${others.length} more` : "";
          server.restart(`${first}${more} changed: starting again`);
        },
        onloop: (file) => server.print(`${file} changes at each start, and is no longer watched`),
      },
    );
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["unauthorized", "protocol", "cancelled"]);

/** Whether a server that failed to connect was reached. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof IdewireError && REFUSALS.has(error.code));
}

/** Whether an address is a loopback one. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether something accepts connections at a port. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
