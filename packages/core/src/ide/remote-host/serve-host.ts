import type { GenericSchema } from "valibot";
import { RpcError, RpcErrorCode, ToolFailure } from "../../errors.ts";
import { type Platform, type PosixPath, toNativePath } from "../../paths/posix-path.ts";
import type { Call } from "../../rpc/call.ts";
import type { Peer } from "../../rpc/peer.ts";
import { DiffCalls } from "../diffs/diff-calls.ts";
import type { EditorHost } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import { StateProvider } from "./serve-state.ts";
import * as wire from "./wire-calls.ts";
import { checked, checkedPath, WireFault } from "./wire-fault.ts";
import { HOST_PROTOCOL, type HostHello, hostMembers } from "./wire-state.ts";

export interface ServeHostOptions {
  /** How this editor's machine writes its paths; `posix` when left out. */
  readonly platform?: Platform;
}

/**
 * Offers an editor to the other end, which calls {@link connectHost}: tells it the state whenever
 * that changes, and answers what it asks. It ends with the peer; the host is not closed with it.
 * Call it in the turn in which the peer is made; it resolves when the other end has understood.
 * @throws RpcError with what the other end found wrong
 * @throws IdewireError `closed` or `timeout`
 */
export async function serveHost(
  peer: Peer,
  host: EditorHost,
  { platform = "posix" }: ServeHostOptions = {},
): Promise<void> {
  const provider = new StateProvider(peer, host, platform);
  const answers = new HostAnswers(peer, host, platform, provider);
  answers.register();
  const { name, version } = host.info;
  const hello: HostHello = {
    protocol: HOST_PROTOCOL,
    name,
    version,
    platform,
    members: hostMembers.filter((member) => host[member] !== undefined),
    state: provider.whole(),
  };
  const greeted = peer.request(HostMethod.Hello, { ...hello });
  const stop = emitEvents(peer, host, platform, provider);
  void peer.closed.then(stop);
  try {
    await greeted;
  } catch (error) {
    stop();
    throw error;
  }
}

/** @returns the undo */
function emitEvents(
  peer: Peer,
  host: EditorHost,
  platform: Platform,
  provider: StateProvider,
): () => void {
  const undo = [
    host.on("workspace", () => provider.changed("workspace")),
    host.on("documents", () => provider.changed("documents")),
    host.on("selection", () => provider.changed("selection")),
    host.on("diagnostics", (paths) => {
      const native = paths.map((path) => toNativePath(path, platform));
      peer.notify(HostMethod.DiagnosticsChanged, { paths: native });
    }),
    host.on("mention", (mention) => {
      provider.flush();
      peer.notify(HostMethod.Mention, { ...mention, path: toNativePath(mention.path, platform) });
    }),
  ];
  return () => {
    for (const each of undo) each();
  };
}

/** Answers the other end from the host. */
class HostAnswers {
  readonly #peer: Peer;
  readonly #host: EditorHost;
  readonly #platform: Platform;
  readonly #provider: StateProvider;

  constructor(peer: Peer, host: EditorHost, platform: Platform, provider: StateProvider) {
    this.#peer = peer;
    this.#host = host;
    this.#platform = platform;
    this.#provider = provider;
  }

  /** Takes the requests that the host has a member for; the others are unknown methods. */
  register(): void {
    const host = this.#host;
    const path = (native: string, name = "path") => checkedPath(name, native, this.#platform);
    this.#answer(HostMethod.Read, wire.pathParams, async (params) => {
      return { text: await host.read(path(params.path)) };
    });
    this.#registerActs(path);
    this.#registerDiffs(path);
    if (host.diagnostics !== undefined) {
      this.#answer(HostMethod.Diagnostics, wire.diagnosticsParams, async (params) => {
        const one = params.path === undefined ? undefined : path(params.path);
        const files = (await host.diagnostics?.(one)) ?? [];
        const native = files.map((file) => {
          return { ...file, path: toNativePath(file.path, this.#platform) };
        });
        return { files: native };
      });
    }
  }

  #registerActs(path: (native: string) => PosixPath): void {
    const host = this.#host;
    if (host.reveal !== undefined) {
      this.#answer(HostMethod.Reveal, wire.revealParams, ({ path: native, ...options }) =>
        host.reveal?.(path(native), options),
      );
    }
    if (host.select !== undefined) {
      this.#answer(HostMethod.Select, wire.selectParams, (params) =>
        host.select?.(path(params.path), params.range),
      );
    }
    if (host.save !== undefined) {
      this.#answer(HostMethod.Save, wire.pathParams, (params) => host.save?.(path(params.path)));
    }
    if (host.format !== undefined) {
      this.#answer(HostMethod.Format, wire.pathParams, (p) => host.format?.(path(p.path)));
    }
    if (host.closeTab !== undefined) {
      this.#answer(HostMethod.CloseTab, wire.closeTabParams, async ({ key }) => {
        return { closed: await host.closeTab?.(key) };
      });
    }
  }

  #registerDiffs(path: (native: string, name?: string) => PosixPath): void {
    if (this.#host.openDiff === undefined) return;
    const diffs = new DiffCalls(this.#host);
    this.#answer(HostMethod.OpenDiff, wire.openDiffParams, async (params, call) => {
      const paths = { path: path(params.path), oldPath: path(params.oldPath, "oldPath") };
      const outcome = await diffs.open({ ...params, ...paths }, call.signal);
      return outcome.kind === "accepted" ? { kind: outcome.kind, text: outcome.text } : outcome;
    });
    this.#answer(HostMethod.CloseDiff, wire.closeDiffParams, ({ id, why }) => diffs.close(id, why));
  }

  #answer<T>(
    method: string,
    schema: GenericSchema<unknown, T>,
    act: (params: T, call: Call) => unknown,
  ): void {
    this.#peer.handle(method, async (call) => {
      try {
        const params = checked(schema, call.params, "params");
        call.release();
        return await act(params, call);
      } catch (error) {
        if (error instanceof ToolFailure) throw new RpcError(RpcErrorCode.Failure, error.message);
        if (!(error instanceof WireFault)) throw error;
        throw new RpcError(RpcErrorCode.InvalidParams, `${method}: ${error.message}`);
      } finally {
        this.#provider.flush();
      }
    });
  }
}
