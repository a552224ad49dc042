/** The names of the two ends of a connection. */
export interface EndNames {
  /** The end that connects: an MCP client. */
  readonly agent: string;
  /** The MCP server. */
  readonly ide: string;
}

/** The ends of a connection between an agent and its editor. */
export const editorEnds: EndNames = { agent: "agent", ide: "editor" };
/** The ends of any other MCP connection. */
export const mcpEnds: EndNames = { agent: "client", ide: "server" };

/** The name by which a log tells the connections between the views of MCP Apps and their host from others. */
export const APP_PROTOCOL = "io.modelcontextprotocol/ui";

const appEnds: EndNames = { agent: "view", ide: "host" };

/**
 * The ends of one connection of a log.
 * @param protocol the sub-protocol with which it was opened, if any
 * @param others the ends of the other connections of the log
 */
export function endsOf(protocol: string | undefined, others: EndNames): EndNames {
  return protocol === APP_PROTOCOL ? appEnds : others;
}
