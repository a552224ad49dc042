import esbuild from "rollup-plugin-esbuild";

export default {
  input: ["src/everything-client.ts", "src/everything-server.ts", "src/main.ts"],
  // Imports our published packages as their users do.
  external: /^(?![./])/,
  plugins: [esbuild({ target: "node20" })],
  output: { dir: "dist", format: "es", entryFileNames: "[name].js" },
};
