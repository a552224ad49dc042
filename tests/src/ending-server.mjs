// An MCP server over stdio with a description of 42,000 characters and a URI template with a query. It ends with
// exit code 3 when its tool is called.
import { createInterface } from "node:readline";

const tool = {
  name: "end",
  description: "Ends at once. ".repeat(3_000),
  inputSchema: {
    type: "object",
    properties: { why: { type: "string", description: "The reason" } },
    required: ["why"],
  },
};
const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "ending", version: "1.0.0" },
  },
  "tools/list": { tools: [tool] },
  "resources/list": { resources: [] },
  "resources/templates/list": {
    resourceTemplates: [{ name: "search", uriTemplate: "beds://search/{bed}{?crop,year}" }],
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "tools/call") {
    console.error("no bed is left");
    process.exit(3);
  }
  if (id === undefined) return;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
