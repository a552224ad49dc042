import type { GenericSchema } from "valibot";
import { RpcError, RpcErrorCode, ToolFailure } from "../../errors.ts";
import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import { type Call, releaseParams } from "../../rpc/call.ts";
import type { Peer } from "../../rpc/peer.ts";
import { DiffCalls } from "../diffs/diff-calls.ts";
import type { EditorHost } from "../editor-host.ts";
import * as HostMethod from "./host-method.ts";
import { StateProvider } from "./serve-state.ts";
import * as wire from "./wire-calls.ts";
import { checked, checkedPath, WireFault } from "./wire-fault.ts";
import { HOST_PROTOCOL, type HostHello, hostMembers } from "./wire-state.ts";

export interface ServeHostOptions {
  /** How this editor's machine writes paths; `posix` by default. */
  readonly platform?: Platform;
}

/**
 * Serves an editor to the other end, which calls {@link connectHost}: sends it the state and its changes,
 * and answers its requests, until the peer is closed. It does not own the host. Call this in the turn in
 * which the peer is created; it resolves when the other end has accepted the hello.
 * @throws RpcError when the other end refuses the hello
 * @throws IdewireError `closed` or `timeout`
 */
export async function serveHost(
  peer: Peer,
  host: EditorHost,
  { platform = "posix" }: ServeHostOptions = {},
): Promise<void> {
  const provider = new StateProvider(peer, host, platform);
  const served = { peer, host, platform, provider };
  answerRequests(served);
  const { name, version } = host;
  const hello: HostHello = {
    protocol: HOST_PROTOCOL,
    name,
    version,
    platform,
    members: hostMembers.filter((member) => host[member] !== undefined),
    state: provider.whole(),
  };
  const accepted = peer.request(HostMethod.Hello, { ...hello });
  const stop = emitEvents(served);
  void peer.closed.then(stop);
  try {
    await accepted;
  } catch (error) {
    stop();
    throw error;
  }
}

interface ServedHost {
  readonly peer: Peer;
  readonly host: EditorHost;
  readonly platform: Platform;
  readonly provider: StateProvider;
}

/** @returns the undo */
function emitEvents({ peer, host, platform, provider }: ServedHost): () => void {
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

/** Handles the requests for which the host has a member; the others are unknown methods. */
function answerRequests(served: ServedHost): void {
  const { host, platform } = served;
  const path = (native: string) => checkedPath("path", native, platform);
  const answer = createAnswer(served);
  answer(HostMethod.Read, wire.pathParams, async (params) => ({
    text: await host.read(path(params.path)),
  }));
  if (host.reveal !== undefined) {
    answer(HostMethod.Reveal, wire.revealParams, ({ path: native, ...options }) =>
      host.reveal?.(path(native), options),
    );
  }
  if (host.select !== undefined) {
    answer(HostMethod.Select, wire.selectParams, (params) =>
      host.select?.(path(params.path), params.range),
    );
  }
  if (host.save !== undefined) {
    answer(HostMethod.Save, wire.pathParams, (params) => host.save?.(path(params.path)));
  }
  if (host.format !== undefined) {
    answer(HostMethod.Format, wire.pathParams, (params) => host.format?.(path(params.path)));
  }
  if (host.closeTab !== undefined) {
    answer(HostMethod.CloseTab, wire.closeTabParams, async ({ key }) => ({
      closed: await host.closeTab?.(key),
    }));
  }
  if (host.diagnostics !== undefined) {
    answer(HostMethod.Diagnostics, wire.diagnosticsParams, async (params) => {
      const files = await host.diagnostics?.(
        params.path === undefined ? undefined : path(params.path),
      );
      return {
        files: files?.map((file) => ({ ...file, path: toNativePath(file.path, platform) })),
      };
    });
  }
  if (host.openDiff !== undefined) answerDiffs(served, answer);
}

function answerDiffs({ host, platform }: ServedHost, answer: Answer): void {
  const diffs = new DiffCalls(host);
  answer(HostMethod.OpenDiff, wire.openDiffParams, async (params, call) => {
    const path = checkedPath("path", params.path, platform);
    const oldPath = checkedPath("oldPath", params.oldPath, platform);
    const outcome = await diffs.open({ ...params, path, oldPath }, call.signal);
    return outcome.kind === "accepted" ? { kind: outcome.kind, text: outcome.text } : outcome;
  });
  answer(HostMethod.CloseDiff, wire.closeDiffParams, ({ id, why }) => diffs.close(id, why));
}

type Answer = <T>(
  method: string,
  schema: GenericSchema<unknown, T>,
  act: (params: T, call: Call) => unknown,
) => void;

/** Sends changes of the state before the answer to the request that caused them. */
function createAnswer({ peer, provider }: ServedHost): Answer {
  return (method, schema, act) =>
    peer.handle(method, async (call) => {
      try {
        const params = checked(schema, call.params, "params");
        releaseParams(call);
        return await act(params, call);
      } catch (error) {
        if (error instanceof ToolFailure) throw new RpcError(RpcErrorCode.Failure, error.message);
        if (!(error instanceof WireFault)) throw error;
        throw new RpcError(RpcErrorCode.InvalidParams, `${method}: ${error.message}`);
      } finally {
        provider.flush();
      }
    });
}
