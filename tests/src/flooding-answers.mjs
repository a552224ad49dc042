/** A flooding server's answers to the methods before the flood. */
export const answers = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
    serverInfo: { name: "flood", version: "1" },
  },
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: { listChanged: true }, resources: {} },
  },
  "tools/list": { resultType: "complete", tools: [{ name: "a", inputSchema: { type: "object" } }] },
};
