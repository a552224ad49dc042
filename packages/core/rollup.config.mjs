import { library } from "../../scripts/rollup.mjs";

// Few files: finding and reading a file costs an import more than parsing code it does not need.
export default library({
  files: {
    rpc: /\/core\/src\/(rpc\/|errors|emitter|exactly|parse-result|text\/(base64|json-pointer)\.)/,
    mcp: /\/core\/src\/mcp\/(schemas\/|[^/]+\.ts$)/,
    "mcp-server": /\/core\/src\/mcp\/server\//,
    "mcp-client": /\/core\/src\/mcp\/client\//,
    ide: /\/core\/src\/(ide|paths|text|discovery)\//,
  },
});
