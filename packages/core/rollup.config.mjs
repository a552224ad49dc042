import { library } from "../../scripts/rollup.mjs";

// Few files: finding and reading a file costs an import more than parsing code it does not need.
export default library({
  files: {
    base: /\/core\/src\/(rpc|text|paths|discovery)\/|\/core\/src\/secrets\/(known-secrets|decoded-text|create-token)\.ts$|\/core\/src\/json-schema\/usable-schema\.ts$|\/core\/src\/ide\/(share-policy|mention-delivery|editor\/editor-command)\.ts$|\/core\/src\/(?!(index|server|client|rpc|internal|internal-base)\.ts)[^/]+\.ts$/,
    // Patterns alone: whoever redacts known secrets needs none.
    secrets: /\/core\/src\/secrets\/(find-secrets|secret-patterns|token-formats|placeholders)\.ts$/,
    // A client compiles no schema: its chunk does not import the library that does.
    mcp: /\/core\/src\/(mcp\/(schemas\/(standard-schema|valibot-issues)|[^/]+)|json-schema\/lazy-check)\.ts$/,
    "mcp-server": /\/core\/src\/mcp\/(server|schemas)\//,
    "mcp-client": /\/core\/src\/mcp\/client\//,
    ide: /\/core\/src\/ide\//,
  },
});
