import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { editorHostContract } from "@idewire/core/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHost, type ObsidianHost } from "../obsidian-host/index.ts";

const source = fileURLToPath(
  new URL("../../packages/obsidian-plugin/src/testing/contract-plugin.ts", import.meta.url),
);
/** Modules that the app provides to plugins; all others are bundled. */
const given = [
  ...["obsidian", "electron", "@lezer/common", "@lezer/highlight", "@lezer/lr"],
  ...["commands", "language", "lint", "search", "state", "view"].map(
    (name) => `@codemirror/${name}`,
  ),
];
let host: ObsidianHost | undefined;

/** Replaces the built plugin by the vault, built from source. */
beforeAll(async () => {
  host = createHost({});
  await build({
    entryPoints: [source],
    outfile: join(host.vault, ".obsidian/plugins/idewire/main.js"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "chrome120",
    conditions: ["@idewire/source"],
    external: given,
    footer: { js: "module.exports = module.exports.ContractPlugin;" },
    logLevel: "error",
  });
  await host.launch();
});
afterAll(() => host?.stop());

// The laws are declared here and run in the app.
editorHostContract(
  {
    test: (name) =>
      test(name, async () => {
        const law = `runLaw(${JSON.stringify(name)})`;
        await expect(host?.page.evaluate(law)).resolves.toBeUndefined();
      }),
    expect,
  },
  {
    name: "vault",
    makeHost: () => {
      throw new Error("the vault is in the app");
    },
  },
);
