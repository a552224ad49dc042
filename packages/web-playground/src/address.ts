/** A page's way to idewire. */
export interface Ticket {
  /** What is behind the page: `folder` or `inspect`; undefined when it stands alone. */
  readonly behind: string | undefined;
  readonly ticket: string | undefined;
}

/** What is behind this page, and the ticket that leads there, which leaves the address. */
export function takeTicket(): Ticket {
  const behind = document.documentElement.dataset["live"];
  if (behind === undefined) return { behind, ticket: undefined };
  const ticket = new URLSearchParams(location.hash.slice(1)).get("t") ?? undefined;
  history.replaceState(null, "", location.pathname);
  return { behind, ticket };
}
