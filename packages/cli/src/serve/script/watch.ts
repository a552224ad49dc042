import { toNativePath, type Unsubscribe } from "@idewire/core";
import { Method } from "@idewire/core/internal";
import type { Call } from "@idewire/core/rpc";
import { listEndpoints, platform } from "@idewire/node-server/internal";
import type { FrontendContext } from "../frontend.ts";
import type { WriteEvent } from "./events.ts";

/** Writes `listening`, then all events of the agents. */
export function writeAgentEvents(
  { listener, host, page }: Pick<FrontendContext, "listener" | "host" | "page">,
  write: WriteEvent,
): Unsubscribe {
  const { endpoints, otherEndpoints } = listEndpoints(listener);
  const others = otherEndpoints && { otherEndpoints };
  for (const { port, lockFile } of endpoints) {
    write("listening", { port, lockFile, ...(page && { page: page.createLink() }), ...others });
  }
  if (endpoints.length === 0) {
    write("listening", { ...(page && { page: page.createLink() }), ...others });
  }
  const undo = [
    listener.on("connected", ({ id }) => write("connected", { session: id })),
    listener.on("initialized", ({ id, agent }) => {
      const { name = "unknown", version = "unknown" } = agent ?? {};
      write("initialized", { session: id, agent: name, version });
    }),
    listener.on("call", ({ id }, call) => writeCall(write, id, call)),
    listener.on("disconnected", ({ id }, { code }) => write("disconnected", { session: id, code })),
    listener.on("unreviewed", (session, { paths, isCertain }) => {
      const filePaths = paths.map((path) => toNativePath(path, platform));
      const writer = session && { session: session.id };
      write("unreviewed", { ...writer, certain: isCertain, filePaths });
    }),
    host.onDiff("diffOpened", ({ request }) => {
      write("diff-opened", {
        diff: request.id,
        session: request.session,
        filePath: toNativePath(request.path, platform),
        tabName: request.title,
        proposed: request.proposed,
      });
    }),
    host.onDiff("diffChanged", ({ request, notes = [] }) =>
      write("diff-changed", { diff: request.id, notes }),
    ),
    host.onDiff("diffClosed", ({ request }, { kind: outcome }, by) =>
      write("diff-closed", { diff: request.id, outcome, by }),
    ),
  ];
  return () => {
    for (const stop of undo) stop();
  };
}

function writeCall(write: WriteEvent, session: string, call: Call): void {
  const { method, params = {} } = call;
  if (call.id === undefined) {
    write("notification", { session, method, params });
    return;
  }
  const tool = method === Method.ToolsCall ? params["name"] : undefined;
  write("request", {
    session,
    method,
    ...(typeof tool === "string" && { tool }),
    params,
  });
}
