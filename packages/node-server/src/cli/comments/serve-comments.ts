import { IdewireError, type McpServer } from "@idewire/core";
import { type CommentServer, createCommentServer } from "@idewire/paired-comments";
import { createMcpListener, type McpListener } from "../../http/create-mcp-listener.ts";
import { listenMcp } from "../../http/listen-mcp.ts";
import { createPrinter, openStdio } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import type { Stop } from "../process/stop.ts";
import type { CommentFlags } from "./comment-flags.ts";
import { openCommentStore } from "./open-store.ts";
import { watchComments } from "./watch-comments.ts";

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
    const store = await openCommentStore(folder, onchange);
    const { server, changed } = createCommentServer({ store, errors: flags.errors });
    changes.add(changed);
    const watch = watchComments(folder, onchange);
    try {
      return flags.http === undefined
        ? await serveStdio(server, stop, io)
        : await serveHttp(server, { stop, io, port: flags.http });
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
  readonly stop: Stop;
  readonly io: CliIo;
  /** As on the command line; `true` for any free one. */
  readonly port: string | true;
}

async function serveHttp(
  server: McpServer<undefined>,
  { stop, io, port }: HttpServing,
): Promise<number> {
  const listener = await listen(server, port === true ? 0 : parsePort(port), io);
  try {
    createPrinter(io).print(line`${listener.url}`);
    return await stop.requested;
  } finally {
    await listener.close();
  }
}

/** With a token in the environment clients have to bring it; web pages are refused in any case. */
function listen(server: McpServer<undefined>, port: number, { env }: CliIo): Promise<McpListener> {
  const token = env["IDEWIRE_COMMENTS_TOKEN"];
  const common = { server, context: undefined, port };
  if (token !== undefined && token !== "") return listenMcp({ ...common, token });
  return createMcpListener({ ...common, allowedOrigins: [] });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new IdewireError("invalid-argument", `--http ${text}: expected a port from 0 to 65535`);
}
