/** Keeps the ticket until idewire has let the page in: a reload may come before that. */
export const TICKET = "idewire.ticket";

/**
 * Reads what is behind this page: `folder` or `inspect`; undefined when it stands alone. The ticket is
 * removed from the address and kept in the storage of this tab until it is used.
 */
export function takeTicket(): string | undefined {
  const behind = document.documentElement.dataset["live"];
  const fragment = new URLSearchParams(location.hash.slice(1));
  const ticket = fragment.get("t");
  // A link that carries a trace does not use what is behind the page.
  if (behind === undefined || (ticket === null && fragment.has("s"))) return undefined;
  if (ticket !== null) sessionStorage.setItem(TICKET, ticket);
  history.replaceState(null, "", location.pathname);
  return behind;
}
