import { hasNoDiff } from "@idewire/core/internal";
import { isReviewer } from "@idewire/node-server/internal";
import { Notice, type Plugin } from "obsidian";
import type { SharedLog } from "../privacy/last-shared.ts";
import type { Reviews } from "../review/index.ts";
import { announceWrites } from "../review/unreviewed/announce-writes.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { agentName } from "./agent-name.ts";
import type { VaultConnection } from "./vault-connection.ts";

/** How long a failure is shown, which may cover a review; the doctor lists it as long as it lasts. */
export const FAILURE_MS = 10_000;

export interface WatchAgentsParts {
  readonly connection: VaultConnection;
  readonly plugin: Pick<Plugin, "register">;
  readonly paths: VaultPaths;
  readonly shared: SharedLog;
  readonly reviews: Pick<Reviews, "unreviewed">;
}

/** Reports the connected agents' actions to the person, the edits without a review, and the log of sent frames. */
export function watchAgents(parts: WatchAgentsParts): void {
  const { connection, plugin, shared } = parts;
  watchWrites(parts);
  plugin.register(
    connection.on("came", ({ agent }) => {
      const isReviewed = connection.sessions.some((session) => isReviewer(session.agent));
      if (hasNoDiff(agent) && !isReviewed)
        new Notice(texts.connection.noDiff(agentName({ agent })));
    }),
  );
  plugin.register(connection.on("warning", ({ message }) => new Notice(message, FAILURE_MS)));
  plugin.register(
    connection.on("sent", (session, fact, frame) => {
      shared.addSent(agentName(session), fact, frame);
    }),
  );
  plugin.register(
    connection.on("answered", (session, tool, answer) => {
      shared.addAnswer(agentName(session), tool, answer);
    }),
  );
}

function watchWrites({ connection, plugin, paths, reviews }: WatchAgentsParts): void {
  const { unreviewed } = reviews;
  plugin.register(
    connection.on("change", () => unreviewed.agentsChanged(connection.sessions.map(agentName))),
  );
  plugin.register(
    connection.on("unreviewed", (session, writes) => {
      const agent = session && agentName(session);
      announceWrites(writes, {
        agent,
        show: () => unreviewed.show(),
        nameOf: (path) => paths.toVault(path) ?? path,
      });
    }),
  );
  plugin.register(
    connection.on("written", (session, { path, isReviewed, isCertain, turn }) => {
      if (isReviewed || session === undefined) return;
      const agent = isCertain ? agentName(session) : undefined;
      unreviewed.attribute(agent, [path], turn);
    }),
  );
}
