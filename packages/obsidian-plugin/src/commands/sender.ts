import type { Emitter, HostEvents, IdeSession, PosixPath, ShareLevel } from "@idewire/core";
import { baseName } from "@idewire/core";
import { agentName } from "../connection/agent-name.ts";
import type { Exclusion, FindExclusion } from "../privacy/exclusions.ts";
import { explainExclusion } from "../privacy/explain-exclusion.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { describeLines, type LineRange } from "./note-parts.ts";

/** A note, a part of one, or a folder. */
export interface Sendable {
  readonly vaultPath: string;
  readonly lines?: LineRange;
}

export interface SenderParts {
  readonly sessions: () => readonly IdeSession[];
  readonly level: () => ShareLevel;
  readonly isPaused: () => boolean;
  readonly findExclusion: FindExclusion;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
  readonly notify: (text: string) => void;
  /** Lets the person choose; undefined if they cancel. */
  readonly choose: (sessions: readonly IdeSession[]) => Promise<IdeSession | "all" | undefined>;
  /** Agents read from disk. */
  readonly save: (path: PosixPath) => Promise<unknown>;
}

/** Sends notes to agents, or notifies the person why not. */
export class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Returns whether anything was sent. */
  async send(things: readonly Sendable[]): Promise<boolean> {
    const { sessions, notify, paths, save, choose } = this.#parts;
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      notify(refusal);
      return false;
    }
    const allowed = things.filter((thing) => !this.#isRefused(thing));
    if (allowed.length === 0) return false;
    const connected = sessions().filter(({ takesMentions }) => takesMentions);
    const unable = sessions().filter(({ takesMentions }) => !takesMentions);
    const others = [...new Set(unable.map(agentName))].join(", ");
    if (connected.length === 0) {
      notify(texts.send.unable(others));
      return false;
    }
    const target = connected.length > 1 ? await choose(connected) : connected[0];
    if (target === undefined) return false;
    for (const { vaultPath } of allowed) await save(paths.toAbsolute(vaultPath));
    for (const thing of allowed) this.#mention(thing, target);
    const what = this.#describe(allowed);
    notify(
      target === "all"
        ? texts.send.sentToAll(what)
        : texts.send.sent({ what, agent: agentName(target) }),
    );
    if (others !== "" && target === "all") notify(texts.send.unable(others));
    return true;
  }

  #refusal(): string | undefined {
    const { sessions, level, isPaused } = this.#parts;
    if (sessions().length === 0) return texts.send.nobody;
    if (level() !== "off") return undefined;
    return isPaused() ? texts.send.paused : texts.send.off;
  }

  #isRefused({ vaultPath }: Sendable): boolean {
    const { findExclusion, paths, notify } = this.#parts;
    const exclusion: Exclusion | undefined = findExclusion(paths.toAbsolute(vaultPath));
    if (exclusion === undefined) return false;
    const why = explainExclusion(exclusion);
    notify(texts.send.excluded({ note: nameOf(vaultPath), why }));
    return true;
  }

  #mention({ vaultPath, lines }: Sendable, target: IdeSession | "all"): void {
    const { events, paths } = this.#parts;
    events.emit("mention", {
      path: paths.toAbsolute(vaultPath),
      ...(lines !== undefined && { lines }),
      ...(target !== "all" && { session: target.id }),
    });
  }

  #describe(things: readonly Sendable[]): string {
    const [first] = things;
    if (things.length > 1 || first === undefined) return texts.send.counted(things.length);
    const { lines } = first;
    const name = nameOf(first.vaultPath);
    if (lines === undefined) return name;
    return `${name}, ${describeLines(lines)}`;
  }
}

function nameOf(vaultPath: string): string {
  return baseName(vaultPath).replace(/\.md$/, "") || "/";
}
