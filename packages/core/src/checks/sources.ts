/** A section of what was measured of the real client. */
export function cli(section: string): string {
  return `Claude Code 2.1.330 as it was measured, section ${section}`;
}

export function seed(section: string): string {
  return `seed 002, ${section}`;
}

export function jsonRpc(section: string): string {
  return `JSON-RPC 2.0, section ${section}`;
}

/** A page of the last revision with a handshake. */
export function mcp(page: string): string {
  return `MCP 2025-11-25, ${page}`;
}
