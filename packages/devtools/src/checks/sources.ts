/** A section of the measurements of Claude Code. */
export function measured(section: string): string {
  return `docs/clients/claude-code.md, ${section}`;
}

export function jsonRpc(section: string): string {
  return `JSON-RPC 2.0, section ${section}`;
}

export function rfc(number: number, section: string): string {
  return `RFC ${number}, section ${section}`;
}

/** A page of the last MCP revision with a handshake. */
export function mcp(page: string): string {
  return `MCP 2025-11-25, ${page}`;
}

/** Web pages could connect to editors that required no token. */
export const OPEN_ENDPOINTS = "CVE-2025-52882";

/** A file with a secret that others can read. */
export const LOOSE_FILE = "CWE-732";

/** A page of the revision without a handshake. */
export function modern(page: string): string {
  return `MCP 2026-07-28, ${page}`;
}
