import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

// The app inherits it: the lock file must not meet those of the person who runs this.
process.env.CLAUDE_CONFIG_DIR ??= mkdtempSync(join(tmpdir(), "idewire-app-"));

export const config = {
  runner: "local",
  framework: "mocha",
  specs: [join(here, "plugin.spec.mjs")],
  maxInstances: 1,
  capabilities: [
    {
      browserName: "obsidian",
      browserVersion: process.env.OBSIDIAN_VERSION ?? "latest",
      "wdio:obsidianOptions": {
        installerVersion: "latest",
        plugins: [join(here, "../../packages/obsidian-plugin/dist")],
        vault: join(here, "vault"),
      },
    },
  ],
  services: ["obsidian"],
  reporters: ["spec"],
  cacheDir: join(here, ".obsidian-cache"),
  mochaOpts: { ui: "bdd", timeout: 60_000 },
  logLevel: "warn",
};
