import { defaultSharePolicy, type EditorHost, type SharePolicy } from "@idewire/core";
import type { JoinedHosts } from "@idewire/core/internal";
import type { MemberShare } from "./join/protocol.ts";

/** The share policy of this process's editor. */
export interface OwnShare {
  readonly policy: SharePolicy;
  readonly exclude: readonly string[];
}

export interface ActiveShareOptions {
  readonly hosts: Pick<JoinedHosts, "active">;
  readonly own: () => OwnShare;
  /** Excludes files from sharing; returns whether others were excluded before. */
  readonly exclude: (globs: readonly string[]) => boolean;
  readonly onchange: () => void;
}

/** The share policy for agents: that of the active editor, in this process or in one that has joined. */
export class ActiveShare {
  readonly #options: ActiveShareOptions;
  /** The shares of the editors that have joined. */
  readonly #joined = new Map<EditorHost, MemberShare>();
  #policy: SharePolicy;

  constructor(options: ActiveShareOptions) {
    this.#options = options;
    this.#policy = options.own().policy;
  }

  get policy(): SharePolicy {
    return this.#policy;
  }

  /** An editor that has joined shares this; undefined when it has left. */
  set(host: EditorHost, share: MemberShare | undefined): void {
    if (share === undefined) this.#joined.delete(host);
    else this.#joined.set(host, share);
    this.follow();
  }

  /** Called when the share policy of this process has changed: agents immediately receive the remaining state. */
  ownChanged(): void {
    this.follow();
    if (!this.#joined.has(this.#options.hosts.active)) this.#options.onchange();
  }

  /** Applies the share policy of the active editor. */
  follow(): void {
    const { hosts, own, exclude, onchange } = this.#options;
    const joined = this.#joined.get(hosts.active);
    const { policy, exclude: ownGlobs } = own();
    const isExcluding = exclude(joined?.exclude ?? ownGlobs);
    const before = this.#policy;
    this.#policy = joined === undefined ? policy : { ...defaultSharePolicy, ...policyOf(joined) };
    if (isExcluding || !isSameShare(before, this.#policy)) onchange();
  }
}

function policyOf({ level, maxTextLength }: MemberShare): Partial<SharePolicy> {
  return { level, maxTextLength };
}

function isSameShare(one: SharePolicy, other: SharePolicy): boolean {
  return (
    one.level === other.level &&
    one.isExcluded === other.isExcluded &&
    one.leadsOutside === other.leadsOutside &&
    one.maxTextLength === other.maxTextLength
  );
}
