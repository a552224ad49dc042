import { realpath } from "node:fs/promises";
import type { McpServer } from "@idewire/core/server";
import { listenMcp, type McpListener } from "@idewire/node-server";
import { openFolderEndpoint } from "@idewire/node-server/internal";
import { type CommentServer, createCommentServer } from "@idewire/paired-comments";
import { createPrinter, openStdio, type Printer } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import type { Stop } from "../process/stop.ts";
import { invalid } from "./action.ts";
import type { CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { parseWhole } from "./usage-error.ts";
import { watchComments } from "./watch-comments.ts";

const leastTokenBytes = 16;

type ServeFlags = Pick<CommentFlags, "errors" | "http">;

/**
 * Serves the comments of a folder, on stdin and stdout until the agent closes its side, or over HTTP until
 * a signal.
 */
export function serveComments(folder: string, flags: ServeFlags, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const changes = new Set<CommentServer["changed"]>();
    const onchange = (filePath: string) => {
      for (const change of changes) change(filePath);
    };
    const store = await openCommentStore(folder, { onchange });
    const { server, changed } = createCommentServer({ store, errors: flags.errors });
    changes.add(changed);
    const watch = watchComments(folder, onchange);
    try {
      return flags.http === undefined
        ? await serveStdio(server, stop, io)
        : await serveHttp(server, { folder, stop, io, port: flags.http });
    } finally {
      (await watch).close();
    }
  });
}

async function serveStdio(server: McpServer<undefined>, stop: Stop, io: CliIo): Promise<number> {
  const { peer } = server.connect(openStdio(io), { context: undefined });
  void peer.closed.then(() => stop.request(ExitCode.Ok));
  const code = await stop.requested;
  peer.close();
  return code;
}

interface HttpServing {
  readonly folder: string;
  readonly stop: Stop;
  readonly io: CliIo;
  /** As on the command line; `true` for any free port. */
  readonly port: string | true;
}

async function serveHttp(server: McpServer<undefined>, serving: HttpServing): Promise<number> {
  const { folder, stop, io } = serving;
  const port = serving.port === true ? undefined : parsePort(serving.port);
  const common = { server, context: undefined, ...(port !== undefined && { port }) };
  const token = io.env["IDEWIRE_COMMENTS_TOKEN"];
  const printer = createPrinter(io);
  if (token !== undefined && token !== "") {
    if (Buffer.byteLength(token) < leastTokenBytes) {
      throw invalid(`IDEWIRE_COMMENTS_TOKEN: expected ${leastTokenBytes} bytes or more`);
    }
    const listener = await listenMcp(server, { token, ...(port !== undefined && { port }) });
    return serveUntilStopped(listener, stop, printer);
  }
  // Other users of this machine reach the port too.
  const opened = await openFolderEndpoint({
    ...common,
    folder: await realpath(folder),
    env: io.env,
    kind: "comments",
  });
  const { endpoint, record, moved, close } = opened;
  if (moved) printer.fail(line`Another program uses the port of the last run.`);
  printer.fail(line`Clients need Authorization: Bearer with the token in ${record}`);
  return serveUntilStopped({ url: endpoint.url, close }, stop, printer);
}

async function serveUntilStopped(
  { url, close }: Pick<McpListener, "url" | "close">,
  stop: Stop,
  { print }: Printer,
): Promise<number> {
  try {
    print(line`${url}`);
    return await stop.requested;
  } finally {
    await close();
  }
}

function parsePort(text: string): number {
  const port = parseWhole(text);
  if (port !== undefined && port <= 65_535) return port;
  throw invalid(`--http ${text}: expected a port from 0 to 65535`);
}
