interface Sent {
  readonly method: string;
  readonly params?: object;
}

/** The lines of an MCP client over stdio: its handshake, other requests, and the call of a tool `a`. */
export function linesOfClient(...others: readonly Sent[]): string {
  const requests = [
    {
      method: "initialize",
      params: {
        ...{ protocolVersion: "2025-11-25", capabilities: {} },
        clientInfo: { name: "me", version: "1" },
      },
    },
    ...others,
    { method: "tools/call", params: { name: "a", arguments: {} } },
  ].map((request, index) => ({ id: index + 1, ...request }));
  const [initialize, ...rest] = requests;
  return [initialize, { method: "notifications/initialized" }, ...rest]
    .map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`)
    .join("");
}
