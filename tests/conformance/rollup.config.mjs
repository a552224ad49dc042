import esbuild from "rollup-plugin-esbuild";

export default {
  input: ["src/everything-client.ts", "src/everything-server.ts", "src/main.ts"],
  // What we publish is used as its users have it.
  external: /^(?![./])/,
  plugins: [esbuild({ target: "node20" })],
  output: { dir: "dist", format: "es", entryFileNames: "[name].js" },
};
