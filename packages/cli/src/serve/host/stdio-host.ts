import { connectHost, type RemoteHost } from "@idewire/core";
import { answerLimits, HostMethod } from "@idewire/core/internal";
import { IdewireError, Peer, RpcError, RpcErrorCode } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { listenIde } from "@idewire/node-server";
import { platform, undeliverableReason } from "@idewire/node-server/internal";
import { openControl } from "../../drive/control-server.ts";
import { controlEditor } from "../../drive/control-target.ts";
import { type ListenFlags, toListenOptions } from "../../flags/listen-flags.ts";
import { explainError } from "../../output/explain-error.ts";
import { complain, openStdio } from "../../output/print.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { createStop } from "../../process/stop.ts";
import { createWorkspaceReader } from "./read-workspace-file.ts";

/**
 * Offers the editor on stdin and stdout to agents, until it closes or the command is stopped; resolves to the
 * exit code.
 */
export async function serveStdioHost(flags: ListenFlags, io: CliIo): Promise<number> {
  const log = (words: string) => complain(io, words);
  const stop = createStop(io);
  const peer = openPeer(io, log);
  void stop.requested.then(() => peer.close());
  try {
    await serveEditor(peer, flags, io, log);
    // The editor has closed its end, which stops the command normally, unless a signal came first.
    stop.request(0);
    return await stop.requested;
  } catch (error) {
    if (stop.signal.aborted) return await stop.requested;
    const message = explainError(error);
    log(message);
    peer.notify(HostMethod.Problem, { message });
    return ExitCode.Failed;
  } finally {
    peer.close();
    await peer.closed;
    stop.close();
  }
}

function openPeer(io: CliIo, log: (words: string) => void): Peer {
  const peer = new Peer(openStdio(io), {
    onerror: (error) => log(`warning: ${error.message}`),
    onrefused: log,
    ...answerLimits,
    // Without this, a notification with a misspelt name would be silently dropped.
    handler: {
      handle({ method, id }) {
        const message = `${method}: there is no such method`;
        log(message);
        if (id === undefined) peer.notify(HostMethod.Problem, { message });
        else throw new RpcError(RpcErrorCode.MethodNotFound, message);
      },
    },
  });
  return peer;
}

async function serveEditor(
  peer: Peer,
  flags: ListenFlags,
  io: CliIo,
  log: (words: string) => void,
): Promise<void> {
  const { name } = flags;
  const editor = await connectHost(peer, {
    platform,
    read: createWorkspaceReader(),
    onproblem: log,
    ...(name !== undefined && { name }),
  });
  refuseWithoutFolder(editor);
  const listener = await listenIde(editor, await toListenOptions(flags, io));
  editor.on("mention", ({ path }) => {
    const reason = undeliverableReason(path, listener);
    if (reason !== undefined) log(`warning: a mention was lost: ${reason}`);
  });
  const control = openControl({
    target: controlEditor(editor, listener),
    env: io.env,
    warn: (words) => log(`warning: ${words}`),
  });
  try {
    emitEditor(peer, listener, log);
    await editor.closed;
  } finally {
    (await control).close();
    await listener.close();
  }
}

/** Agents find an editor by its folders. */
function refuseWithoutFolder(editor: RemoteHost): void {
  if (editor.workspace().folders.length > 0) return;
  throw new IdewireError(
    "invalid-argument",
    "host/hello: state.folders: expected at least one folder, by which agents find the editor, got none",
  );
}

/** Notifies the editor when agents can find it, and of their connections. */
function emitEditor(peer: Peer, listener: IdeListener, log: (words: string) => void): void {
  const warn = ({ message }: Error) => log(`warning: ${message}`);
  listener.warnings.forEach(warn);
  listener.on("warning", warn);
  const emitAgents = () => {
    const agents = [...listener.sessions].map(({ id, agent }) => {
      return { session: id, name: agent?.name, version: agent?.version };
    });
    peer.notify(HostMethod.Agents, { agents });
  };
  listener.on("initialized", emitAgents);
  listener.on("disconnected", emitAgents);
  const all = listener.endpoints.map(({ folders: _, ...endpoint }) => endpoint);
  const isKnown = ({ kind }: { readonly kind: string }) => kind === "web-socket";
  // Editors of protocol 1 expect WebSockets alone.
  const endpoints = all.filter(isKnown).map(({ kind: _, ...endpoint }) => endpoint);
  const otherEndpoints = all.filter((endpoint) => !isKnown(endpoint));
  peer.notify(HostMethod.Listening, {
    endpoints,
    ...(otherEndpoints.length > 0 && { otherEndpoints }),
  });
}
