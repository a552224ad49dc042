import type { PluginManifest } from "obsidian";
import type { App } from "./app.ts";
import type { Plugin } from "./plugin.ts";

type PluginClass = new (app: App, manifest: PluginManifest) => Plugin;
type Require = (name: string) => unknown;

/** How long a plugin delayed the start of the window. */
export interface StartTimes {
  /** Evaluating its script. */
  readonly evalMs: number;
  /** `onload`, until it returned. */
  readonly onloadMs: number;
  /** Both, and until the promise of `onload` resolved. */
  loadMs: number;
}

/** Community plugins: read from the vault's folder, started, and unloaded. */
export class Plugins {
  readonly plugins: Record<string, Plugin> = {};
  readonly manifests: Record<string, PluginManifest> = {};
  readonly times: Record<string, StartTimes> = {};
  readonly #app: App;
  /** The `require` of plugin scripts. */
  require: Require = () => undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async enablePlugin(id: string): Promise<boolean> {
    if (this.plugins[id] !== undefined) return true;
    const { adapter, configDir } = this.#app.vault;
    const folder = `${configDir}/plugins/${id}`;
    const manifest = JSON.parse(await adapter.read(`${folder}/manifest.json`)) as PluginManifest;
    const script = await adapter.read(`${folder}/main.js`);
    await this.#addStyle(id, `${folder}/styles.css`);
    const started = performance.now();
    const Loaded = evaluate(script, id, this.require);
    const evaluated = performance.now();
    const plugin = new Loaded(this.#app, { ...manifest, dir: folder });
    this.plugins[id] = plugin;
    this.manifests[id] = manifest;
    const loading = plugin.load();
    const onloadMs = performance.now() - evaluated;
    this.times[id] = { evalMs: evaluated - started, onloadMs, loadMs: 0 };
    await loading;
    this.times[id].loadMs = performance.now() - started;
    return true;
  }

  async disablePlugin(id: string): Promise<void> {
    this.plugins[id]?.unload();
    delete this.plugins[id];
    document.querySelector(`head > style[data-plugin="${id}"]`)?.remove();
    this.#app.workspace.trigger("css-change");
  }

  async #addStyle(id: string, path: string): Promise<void> {
    const { adapter } = this.#app.vault;
    if (!(await adapter.exists(path))) return;
    const text = await adapter.read(path);
    document.head.createEl("style", { text, attr: { "data-plugin": id } });
    this.#app.workspace.trigger("css-change");
  }
}

function evaluate(script: string, id: string, require: Require): PluginClass {
  const module: { exports: { default?: PluginClass } | PluginClass } = { exports: {} };
  const source = `(function anonymous(require,module,exports){${script}\n})`;
  // As Obsidian does; the name identifies the plugin's lines in a stack.
  // biome-ignore lint/security/noGlobalEval: the app runs its plugins so
  const run = globalThis.eval(`${source}\n//# sourceURL=plugin:${encodeURIComponent(id)}\n`);
  run(require, module, module.exports);
  const found = typeof module.exports === "function" ? module.exports : module.exports.default;
  if (typeof found !== "function") throw new Error(`Plugin ${id} exports no class`);
  return found;
}
