import { type RemoteHost, toNativePath } from "@idewire/core";
import { HostMethod, wellFormed } from "@idewire/core/internal";
import { IdewireError, type Peer } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { isOwnCommand, ListeningNotice } from "@idewire/node-server/internal";

/** The editor at the other end, and its listener. */
export interface NotifiedEditor {
  readonly peer: Peer;
  readonly editor: RemoteHost;
  readonly listener: IdeListener;
  /** Writes a line for people. */
  readonly log: (words: string) => void;
}

/** A warning for an editor; the reaction depends on its code. */
export interface HostWarning {
  readonly code: string;
  readonly message: string;
  /** Native. */
  readonly path?: string;
}

/** Sends a warning to an editor that has asked for warnings. */
export function warnEditor(peer: Peer, editor: RemoteHost, warning: HostWarning): void {
  if (editor.receives.has("warning")) peer.notify(HostMethod.Warning, wellFormed({ ...warning }));
}

/** The code of an error of idewire, and the file or folder in question. */
export function toWarning(error: Error): HostWarning {
  const { message } = error;
  if (!(error instanceof IdewireError)) return { code: "other", message };
  const { code, path } = error;
  return { code, message, ...(path !== undefined && { path }) };
}

/** Notifies the editor when and how agents can find it, of their connections and writes, and of warnings. */
export function notifyEditor(notified: NotifiedEditor): ListeningNotice {
  const { peer, editor, listener, log } = notified;
  const warn = (error: Error) => {
    log(`warning: ${error.message}`);
    warnEditor(peer, editor, toWarning(error));
  };
  listener.warnings.forEach(warn);
  listener.on("warning", warn);
  listener.on("initialized", () => notifyAgents(notified));
  listener.on("disconnected", () => notifyAgents(notified));
  listener.on("identified", () => notifyAgents(notified));
  if (editor.receives.has("written")) {
    listener.on("written", (session, { path, isReviewed: reviewed }) => {
      const by = session === undefined ? {} : { session: session.id };
      const native = toNativePath(path, editor.platform);
      peer.notify(HostMethod.Written, wellFormed({ path: native, ...by, reviewed }));
    });
  }
  const notice = new ListeningNotice(notified);
  listener.on("published", () => notice.send());
  notice.send();
  if (listener.sessions.size > 0) notifyAgents(notified);
  return notice;
}

function notifyAgents({ peer, listener }: NotifiedEditor): void {
  const agents = [...listener.sessions].flatMap(({ id: session, agent, dialect, pid }) => {
    if (isOwnCommand(agent)) return [];
    const { name, title, version } = agent ?? {};
    return [{ session, name, title, version, dialect, pid }];
  });
  peer.notify(HostMethod.Agents, wellFormed({ agents }));
}
