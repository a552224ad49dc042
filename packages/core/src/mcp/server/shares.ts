/** A part of a limit. */
export interface Holding {
  readonly principal: string | undefined;
  readonly amount: number;
  /** Whether its own principal cannot replace it by a newer one. */
  readonly isBusy: boolean;
}

interface Group<H> {
  readonly idle: H[];
  readonly busy: H[];
  total: number;
}

/**
 * Finds the holdings that must end so that a principal can hold more. Below the limit a principal may hold any
 * amount; at the limit, principals have equal shares: those that hold most yield to those that hold less, and
 * anything that a principal takes beyond its share replaces its own holdings. The oldest end first, idle ones
 * before busy ones.
 * @param holdings the oldest first
 * @returns undefined when the principal has used its share, and none of its holdings is idle
 */
export function findSurplus<H extends Holding>(
  holdings: Iterable<H>,
  wanted: Pick<Holding, "principal" | "amount">,
  limit: number,
): readonly H[] | undefined {
  const { groups, total } = groupsOf(holdings);
  const own = groups.get(wanted.principal) ?? emptyGroup<H>();
  groups.delete(wanted.principal);
  own.total += wanted.amount;
  let surplus = total + wanted.amount - limit;
  const ended: H[] = [];
  while (surplus > 0) {
    const heaviest = heaviestOf(groups.values());
    const isOverShare = heaviest === undefined || heaviest.total <= own.total;
    const group = isOverShare ? own : heaviest;
    const next = group.idle.pop() ?? (isOverShare ? undefined : group.busy.pop());
    if (next === undefined) return undefined;
    group.total -= next.amount;
    surplus -= next.amount;
    ended.push(next);
  }
  return ended;
}

function emptyGroup<H>(): Group<H> {
  return { idle: [], busy: [], total: 0 };
}

/** The holdings of each principal, the newest first, so that the oldest is popped. */
function groupsOf<H extends Holding>(holdings: Iterable<H>) {
  const groups = new Map<string | undefined, Group<H>>();
  let total = 0;
  for (const holding of [...holdings].reverse()) {
    const group = groups.get(holding.principal) ?? emptyGroup<H>();
    groups.set(holding.principal, group);
    (holding.isBusy ? group.busy : group.idle).push(holding);
    group.total += holding.amount;
    total += holding.amount;
  }
  return { groups, total };
}

function heaviestOf<H>(groups: Iterable<Group<H>>): Group<H> | undefined {
  let heaviest: Group<H> | undefined;
  for (const group of groups) {
    if (heaviest === undefined || group.total > heaviest.total) heaviest = group;
  }
  return heaviest;
}

/** The holder of a part of a limit. */
export interface ShareHolder {
  /** Ends it in favour of others; its part is already free. */
  evict(): void;
}

/** Counts the holdings of a limit, and shares it out among principals by {@link findSurplus}. */
export class Shares {
  readonly #limit: number;
  /** The oldest first. */
  readonly #held = new Set<Share>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a part for a principal; undefined when it has used its share. Ends the holdings that it replaces. */
  take(principal: string | undefined, holder: ShareHolder, amount = 1): Share | undefined {
    const share = new Share(this, principal, holder);
    this.#held.add(share);
    if (this.resize(share, amount)) return share;
    this.#held.delete(share);
    return undefined;
  }

  /** For a share: changes its amount; false, having changed nothing, when its principal has used its share. */
  resize(share: Share, amount: number): boolean {
    const more = amount - share.amount;
    if (!this.#held.has(share)) return false;
    if (more > 0 && this.#used + more > this.#limit) {
      const wanted = { principal: share.principal, amount: more };
      const ended = findSurplus(this.#held, wanted, this.#limit);
      if (ended === undefined) return false;
      for (const other of ended) {
        this.release(other);
        other.holder.evict();
      }
    }
    this.#used += more;
    share.amount = amount;
    return true;
  }

  /** For a share. */
  release(share: Share): void {
    if (this.#held.delete(share)) this.#used -= share.amount;
  }
}

/** A part of a limit that is held until it is released. */
export class Share implements Holding {
  readonly principal: string | undefined;
  /** For the shares. */
  readonly holder: ShareHolder;
  /** For the shares. */
  amount = 0;
  isBusy = true;
  readonly #shares: Shares;

  constructor(shares: Shares, principal: string | undefined, holder: ShareHolder) {
    this.#shares = shares;
    this.principal = principal;
    this.holder = holder;
  }

  /** Changes the amount; false, having changed nothing, when the principal has used its share. */
  resize(amount: number): boolean {
    return this.#shares.resize(this, amount);
  }

  release(): void {
    this.#shares.release(this);
  }
}
