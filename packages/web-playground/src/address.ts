/** A page's way to idewire. */
export interface Ticket {
  /** What is behind the page: `folder` or `inspect`; undefined when it stands alone. */
  readonly behind: string | undefined;
  readonly ticket: string | undefined;
}

/** What is behind this page, and the ticket that leads there, which leaves the address. */
export function takeTicket(): Ticket {
  const behind = document.documentElement.dataset["live"];
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get("t") ?? undefined;
  // A link that carries a trace wants nothing of what is behind the page.
  if (behind === undefined || (ticket === undefined && fragment.has("s"))) {
    return { behind: undefined, ticket: undefined };
  }
  history.replaceState(null, "", location.pathname);
  return { behind, ticket };
}
