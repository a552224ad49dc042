import { type EditorHost, toNativePath } from "@idewire/core";
import type { IdeListener, ListenIdeOptions } from "@idewire/node-server";
import { listenIde } from "@idewire/node-server";
import { findNestedEditors, platform } from "@idewire/node-server/internal";
import { commentSender } from "../comments/comment-sender.ts";
import { AgentConnections } from "../drive/agent-connections.ts";
import { answerControl } from "../drive/control-server.ts";
import { controlFolder } from "../drive/control-target.ts";
import { toListenOptions } from "../flags/listen-flags.ts";
import { commandsOf, openProviders } from "../flags/provider-flags.ts";
import { type FolderHost, followAgents, openFolderHost } from "../folder-host/index.ts";
import { explainError } from "../output/explain-error.ts";
import { createNotices, type Notices } from "../output/notices.ts";
import { complain } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { createStop, type Stop } from "../process/stop.ts";
import type { FolderObservers } from "./folder-observers.ts";
import type { FolderPage, Frontend } from "./frontend.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type Opened, startUnlessStopped } from "./start-up.ts";
import { agentOf } from "./terminal/activity.ts";
import { DiffQueue } from "./terminal/review/diff-queue.ts";

/** Serves a folder until it is stopped; resolves to the exit code. */
export async function serve(options: ServeOptions, frontend: Frontend, io: CliIo): Promise<number> {
  const stop = createStop(io);
  const start = startUnlessStopped(openServed(options, io, stop), stop);
  try {
    const served = await start.opened;
    if (served !== undefined) {
      await runFrontend(frontend, served, stop);
      frontend.closed();
    }
    return await stop.requested;
  } catch (error) {
    const message = explainError(error);
    complain(io, message);
    frontend.failed(message);
    return ExitCode.Failed;
  } finally {
    // Until then, this command handles a second signal.
    void start.settled.then(() => stop.close());
    // An open reader would keep the process alive.
    io.stdin.destroy();
  }
}

/** A folder that agents can find. */
interface ServedFolder extends Opened {
  readonly host: FolderHost;
  readonly notices: Notices;
  readonly checkers: readonly string[];
  readonly listener: IdeListener;
  readonly diffs: DiffQueue;
  readonly page: FolderPage | undefined;
}

async function runFrontend(frontend: Frontend, served: ServedFolder, stop: Stop): Promise<void> {
  try {
    const { host, listener, notices, checkers, diffs, page } = served;
    await frontend.run({ host, listener, notices, checkers, diffs, stop, ...(page && { page }) });
  } finally {
    await served.close();
  }
}

async function openServed(options: ServeOptions, io: CliIo, stop: Stop): Promise<ServedFolder> {
  const { name } = options.listen;
  const notices = createNotices(io);
  const host = await openFolderHost(options.folder, {
    diagnosticsProviders: await openProviders(options.providers, notices),
    warn: notices.print,
    ...(!options.checks && { diagnosticSources: [] }),
    ...(name !== undefined && { name }),
  });
  try {
    stop.signal.throwIfAborted();
    const observers = await observe(host, options, { io, notices });
    const { shared = host, ...annotating } = options.comments
      ? await withComments(host, options.folder)
      : {};
    const connections = new AgentConnections();
    const diffs = new DiffQueue(host);
    let agents: IdeListener | undefined;
    const agentNamed = (session: string) =>
      agents === undefined ? session : agentOf(agents, session);
    const comment = commentSender({ host, agents: () => agents, env: io.env });
    const target = controlFolder(
      { host, connections, queue: diffs, agentOf: agentNamed, comment },
      () => agents,
    );
    const listener = await listenIde(shared, {
      ...annotating,
      ...(await toListenOptions(options.listen, io)),
      wrapTransport: connections.wrapper(observers?.wrapTransport),
      commands: (peer, editors) => answerControl(peer, target, editors),
    }).catch(async (error: unknown) => {
      await observers?.close();
      throw error;
    });
    agents = listener;
    connections.watch(listener);
    followAgents(host, listener);
    observers?.watch(listener);
    void warnOfRivals(listener, host, { notices, io });
    const close = () => closeServed({ host, listener, observers });
    const { page } = observers ?? {};
    const checkers = commandsOf(options.providers);
    return { host, listener, notices, checkers, diffs, page, close };
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Opens the requested page and recording, whose modules are loaded only then. */
async function observe(
  host: FolderHost,
  options: ServeOptions,
  context: { readonly io: CliIo; readonly notices: Notices },
): Promise<FolderObservers | undefined> {
  if (options.page === undefined && options.record === undefined) return undefined;
  const { openObservers } = await import("./folder-observers.ts");
  return openObservers(host, options, context);
}

/** Adds comments to selections and diagnostics. Parsers are loaded on first use. */
async function withComments(
  host: FolderHost,
  folder: string,
): Promise<{ readonly shared?: EditorHost } & Pick<ListenIdeOptions, "annotateDiagnostics">> {
  const { openCommentStore } = await import("../comments/open-store.ts");
  const { CommentDiagnostics } = await import("@idewire/paired-comments");
  const { withSelectionComments } = await import("@idewire/paired-comments/internal");
  const store = await openCommentStore(folder);
  const annotations = new CommentDiagnostics(store);
  return {
    shared: withSelectionComments(host, (filePath) => store.file(filePath)),
    annotateDiagnostics: (files, call) => annotations.answer(files, call),
  };
}

/** Agents connect on their own only if exactly one editor is for their working directory. */
async function warnOfRivals(
  { endpoints }: IdeListener,
  host: FolderHost,
  { notices, io }: { readonly notices: Notices; readonly io: CliIo },
): Promise<void> {
  const folder = toNativePath(host.folder, platform);
  const own = new Set(endpoints.map(({ port }) => port));
  for (const { name, port, folders } of await findNestedEditors(folder, io.env).catch(() => [])) {
    if (own.has(port)) continue;
    const words = `${name} on port ${port} is for ${folders.join(", ")}: in a folder that both serve, Claude Code does not connect on its own. Close one, or type /ide in Claude Code.`;
    notices.print(words);
  }
}

async function closeServed({
  host,
  listener,
  observers,
}: Pick<ServedFolder, "host" | "listener"> & {
  readonly observers: FolderObservers | undefined;
}): Promise<void> {
  try {
    await listener.close();
    await observers?.close();
  } finally {
    await host.close();
  }
}
