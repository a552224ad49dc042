/** The ticket is kept until idewire has admitted the page, in case of an earlier reload. */
export const TICKET = "idewire.ticket";

/**
 * Reads the backend of this page: `folder` or `inspect`, or `in-page` for an MCP server that the page reaches by
 * itself; undefined for the standalone page. The ticket is removed from the address and kept in the storage of this
 * tab until it is used.
 */
export function takeTicket(): string | undefined {
  const behind = document.documentElement.dataset["live"];
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (behind === "in-page") return fragment.has("url") ? behind : undefined;
  const ticket = fragment.get("t");
  // A link that contains a trace does not use the backend.
  if (behind === undefined || (ticket === null && fragment.has("s"))) return undefined;
  if (ticket !== null) sessionStorage.setItem(TICKET, ticket);
  history.replaceState(null, "", location.pathname);
  return behind;
}
