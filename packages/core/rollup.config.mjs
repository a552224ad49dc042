import { library } from "../../scripts/rollup.mjs";

// Few files: finding and reading a file costs an import more than parsing code it does not need.
export default library({
  files: {
    base: /\/core\/src\/(rpc|text|paths|discovery)\/|\/core\/src\/(?!(index|server|client|rpc|internal)\.ts)[^/]+\.ts$/,
    secrets: /\/core\/src\/secrets\//,
    mcp: /\/core\/src\/mcp\/(schemas\/|[^/]+\.ts$)/,
    "mcp-server": /\/core\/src\/mcp\/server\//,
    "mcp-client": /\/core\/src\/mcp\/client\//,
    ide: /\/core\/src\/ide\//,
  },
});
