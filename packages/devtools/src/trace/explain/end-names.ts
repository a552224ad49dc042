/** What the two ends of a connection are called. */
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
