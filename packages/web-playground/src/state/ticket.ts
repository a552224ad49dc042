/** The ticket of a page that idewire has not let in yet: a reload may come before that. */
export const TICKET = "idewire.ticket";

/**
 * What is behind this page: `folder` or `inspect`; undefined when it stands alone. The ticket that
 * leads there leaves the address, and is kept in this tab until it is used.
 */
export function takeTicket(): string | undefined {
  const behind = document.documentElement.dataset["live"];
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get("t");
  // A link that carries a trace wants nothing of what is behind the page.
  if (behind === undefined || (ticket === null && fragment.has("s"))) return undefined;
  if (ticket !== null) sessionStorage.setItem(TICKET, ticket);
  history.replaceState(null, "", location.pathname);
  return behind;
}
