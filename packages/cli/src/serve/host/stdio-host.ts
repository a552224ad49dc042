import { connectHost, type RemoteHost } from "@idewire/core";
import { answerLimits, type ConnectHostOptions, HostMethod } from "@idewire/core/internal";
import { IdewireError, Peer, RpcError, RpcErrorCode } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { listenIde } from "@idewire/node-server";
import { type ListeningNotice, platform } from "@idewire/node-server/internal";
import { answerControl } from "../../drive/control-server.ts";
import { controlEditor } from "../../drive/control-target.ts";
import { type ListenFlags, toListenOptions } from "../../flags/listen-flags.ts";
import { explainError } from "../../output/explain-error.ts";
import { complain, openStdio } from "../../output/print.ts";
import { ExitCode } from "../../process/exit-status.ts";
import type { CliIo } from "../../process/io.ts";
import { createStop } from "../../process/stop.ts";
import { changeShare, deliverMention } from "./editor-requests.ts";
import { watchWrites } from "./host-writes.ts";
import { type NotifiedEditor, notifyEditor, toWarning, warnEditor } from "./notify-editor.ts";
import { createWorkspaceReader } from "./read-workspace-file.ts";
import { SentFrames } from "./sent-frames.ts";

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

/** An editor that agents can find. */
interface ServedEditor {
  readonly notified: NotifiedEditor;
  readonly notice: ListeningNotice;
}

async function serveEditor(
  peer: Peer,
  flags: ListenFlags,
  io: CliIo,
  log: (words: string) => void,
): Promise<void> {
  const served = createDeferred<ServedEditor>();
  const frames = new SentFrames();
  const editor = await connectHost(peer, {
    platform,
    read: createWorkspaceReader(),
    onproblem: log,
    ...answerEditor(served.promise, flags),
    sent: async () => frames.list((await served.promise).notified.listener),
  });
  refuseWithoutFolder(editor);
  const watched = editor.receives.has("written") ? watchWrites(editor) : undefined;
  let listener: IdeListener | undefined;
  const target = controlEditor(editor, () => listener);
  try {
    listener = await listenIde(watched?.host ?? editor, {
      ...(await toListenOptions(flags, io)),
      wrapTransport: (transport) => frames.wrap(transport),
      commands: (peer, editors) => answerControl(peer, target, editors),
    });
    const notified = { peer, editor, listener, log };
    served.resolve({ notified, notice: notifyEditor(notified) });
    await editor.closed;
  } catch (error) {
    warnEditor(peer, editor, toWarning(error as Error));
    throw error;
  } finally {
    watched?.close();
    await listener?.close();
  }
}

/** Handles the editor's requests to idewire, which may arrive before agents can find it. */
function answerEditor(
  served: Promise<ServedEditor>,
  { name, exclude: always = [] }: ListenFlags,
): ConnectHostOptions {
  return {
    mention: async (_, mention) => deliverMention((await served).notified, mention),
    async share(_, change) {
      const { notified, notice } = await served;
      const level = changeShare(notified.listener, change, always);
      notice.send();
      return level;
    },
    ...(name !== undefined && { name }),
  };
}

function createDeferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Agents find an editor by its folders. */
function refuseWithoutFolder(editor: RemoteHost): void {
  if (editor.workspace().folders.length > 0) return;
  throw new IdewireError(
    "invalid-argument",
    "host/hello: state.folders: expected at least one folder, by which agents find the editor, got none",
  );
}
