import { type PosixPath, toNativePath } from "@idewire/core";
import { type App, Notice, type Plugin, type TFile } from "obsidian";
import { registerCli } from "./commands/cli.ts";
import { registerCommands } from "./commands/commands.ts";
import { readDropped } from "./commands/dropped-notes.ts";
import { flushNote } from "./commands/flush-note.ts";
import { registerMenus } from "./commands/menus.ts";
import { readOpenedPlace } from "./commands/open-link.ts";
import { Sender } from "./commands/sender.ts";
import { chooseSession } from "./commands/session-chooser.ts";
import { connectCommand } from "./connection/connect-command.ts";
import { ConnectionModal } from "./connection/connection-modal.ts";
import type { ConnectionPanelParts } from "./connection/connection-panel.ts";
import { examine, gatherFacts } from "./connection/doctor.ts";
import { noticeWithAction } from "./notice-with-action.ts";
import type { OpenWindow } from "./plugin-windows.ts";
import { LastSharedModal } from "./privacy/last-shared-modal.ts";
import { createSharingMenu } from "./privacy/sharing-menu.ts";
import { StatusBar } from "./privacy/status-bar.ts";
import { reviewSettingPage } from "./review/review-settings.ts";
import { WaitingItem } from "./review/waiting-item.ts";
import { showFirstSteps } from "./settings/first-steps.ts";
import type { SettingsStore } from "./settings/settings-store.ts";
import { SettingsTab } from "./settings/settings-tab.ts";
import { openTerminal } from "./terminal/open-terminal.ts";
import { texts } from "./texts/index.ts";
import type { VaultIde } from "./vault-ide.ts";
import { platform, type VaultPaths } from "./vault-paths.ts";
import { registerVaultTools } from "./vault-tools/register.ts";

export interface VaultFrontendParts {
  readonly app: App;
  readonly plugin: Plugin;
  readonly ide: VaultIde;
  readonly paths: VaultPaths;
  readonly store: SettingsStore;
  readonly openWindow: OpenWindow;
}

/** The user interface: status bar, menus, commands, settings, links. */
export class VaultFrontend {
  readonly #parts: VaultFrontendParts;
  readonly #sender: Sender;
  #answer = "";

  constructor(parts: VaultFrontendParts) {
    const { app, ide, paths, store, openWindow } = parts;
    this.#parts = parts;
    this.#sender = new Sender({
      sessions: () => ide.connection.sessions,
      level: () => ide.level,
      isPaused: () => store.now.paused,
      findExclusion: ide.findExclusion,
      paths,
      events: ide.events,
      notify: (text) => this.#notify(text),
      choose: (sessions) => chooseSession(app, sessions, openWindow),
      save: (path) => ide.saveIfOpen(path),
    });
  }

  /** Everything registered is removed when the plugin unloads. */
  register(): void {
    const { app, plugin, ide, store } = this.#parts;
    const sending = {
      app,
      sender: this.#sender,
      settle: (file: TFile) => this.#settle(file),
    };
    registerMenus(plugin, sending);
    registerCommands(plugin, {
      ...sending,
      showConnection: () => this.#showConnection(),
      showLastShared: () => this.#showLastShared(),
      togglePause: () => void this.#togglePause(),
      copyCommand: () => this.#copy(this.#command()),
      openTerminal: () => void this.#openTerminal(),
    });
    const statusBar = new StatusBar({
      element: plugin.addStatusBarItem(),
      state: () => ide.sharing(),
      openMenu: (event) => this.#openMenu(event),
      drop: (text) => void this.#drop(text),
    });
    plugin.register(ide.onChange(() => statusBar.update()));
    const waiting = new WaitingItem(plugin.addStatusBarItem(), ide.reviews);
    plugin.register(ide.reviews.onChange(() => waiting.update()));
    const toolsSetting = registerVaultTools({
      ...this.#parts,
      version: plugin.manifest.version,
      env: () => ide.env,
      findExclusion: ide.findExclusion,
      level: () => ide.level,
      known: () => ide.links.known(),
      saveIfOpen: (path) => ide.saveIfOpen(path),
      onAnswer: (_, tool, answer) => ide.shared.addAnswer(texts.last.someone, tool, answer),
      copy: (text) => this.#copy(text),
    });
    plugin.addSettingTab(
      new SettingsTab(app, plugin, {
        store,
        connection: this.#panel(),
        showLastShared: () => this.#showLastShared(),
        more: () => [reviewSettingPage(() => ide.reviews.openHistory()), ide.comments.settings()],
        tools: toolsSetting,
      }),
    );
    plugin.registerObsidianProtocolHandler("idewire", (params) => void this.#openLink(params));
    this.#registerCli();
  }

  /** Shows the first steps once per vault, until an agent connects, whose review they would cover. */
  async showFirstSteps(): Promise<void> {
    const { store, plugin, ide } = this.#parts;
    if (store.now.firstStepsShown) return;
    await store.change({ firstStepsShown: true });
    const notice = showFirstSteps({
      openTerminal: () => void this.#openTerminal(),
      copyCommand: () => this.#copy(this.#command()),
    });
    plugin.register(() => notice.hide());
    plugin.register(ide.onChange(() => ide.connection.sessions.length > 0 && notice.hide()));
  }

  #registerCli(): void {
    const { app, plugin, ide, paths } = this.#parts;
    registerCli(plugin, {
      check: () => this.#check(),
      sharing: () => ide.sharing().tooltip,
      activePath: () => app.workspace.getActiveFile()?.path,
      exists: (vaultPath) => app.vault.getAbstractFileByPath(vaultPath) !== null,
      send: async (thing) => {
        await this.#sender.send([thing]);
        return this.#answer;
      },
      pending: () =>
        ide.reviews.pending.map(({ path, title }) => ({
          path: paths.toVault(path) ?? path,
          title,
        })),
    });
  }

  #notify(text: string): void {
    this.#answer = text;
    new Notice(text);
  }

  #command(): string {
    return connectCommand(this.#parts.paths.root);
  }

  async #openTerminal(): Promise<void> {
    if (await openTerminal(toNativePath(this.#parts.paths.root, platform))) return;
    const command = this.#command();
    const copy = { text: texts.first.copy, run: () => this.#copy(command) };
    noticeWithAction(texts.connection.noTerminal(command), copy, 0);
  }

  #copy(text: string): void {
    activeWindow.navigator.clipboard.writeText(text).then(
      () => new Notice(texts.connection.copied),
      // Copying needs the focus; without it, the person can copy from the notice.
      () => new Notice(texts.connection.notCopied(text), 0),
    );
  }

  async #check() {
    const { ide, paths } = this.#parts;
    const where = { cwd: toNativePath(paths.root, platform), env: ide.env };
    return examine(await gatherFacts(ide.connection, ide.level, where));
  }

  #panel(): ConnectionPanelParts {
    const { ide } = this.#parts;
    return {
      check: () => this.#check(),
      command: () => this.#command(),
      copy: (text) => this.#copy(text),
      openTerminal: () => void this.#openTerminal(),
      reconnect: () => ide.reconnect(),
      onChange: (listener) => ide.onChange(listener),
    };
  }

  #showConnection(): void {
    const { app, openWindow } = this.#parts;
    openWindow(new ConnectionModal(app, this.#panel()));
  }

  #showLastShared(): void {
    const { app, ide, paths, openWindow } = this.#parts;
    const nameOf = (path: PosixPath) => paths.toVault(path) ?? toNativePath(path, platform);
    openWindow(new LastSharedModal(app, { log: ide.shared, nameOf }));
  }

  async #togglePause(): Promise<void> {
    const { store } = this.#parts;
    const paused = !store.now.paused;
    await store.change({ paused });
    new Notice(paused ? texts.sharing.isPaused : texts.sharing.isResumed);
  }

  #openMenu(event: MouseEvent | KeyboardEvent): void {
    const { store } = this.#parts;
    event.preventDefault();
    const menu = createSharingMenu({
      settings: store.now,
      change: (changes) => void store.change(changes),
      showLastShared: () => this.#showLastShared(),
      showConnection: () => this.#showConnection(),
    });
    const element = event.currentTarget as HTMLElement;
    const { left, top } = element.getBoundingClientRect();
    menu.showAtPosition({ x: left, y: top }, element.doc);
  }

  async #drop(text: string): Promise<void> {
    const { app } = this.#parts;
    const things = readDropped(text).flatMap(({ name, isPath }) => {
      const file = isPath
        ? (app.vault.getAbstractFileByPath(name) ?? app.vault.getFileByPath(`${name}.md`))
        : app.metadataCache.getFirstLinkpathDest(name, "");
      return file === null ? [] : [{ vaultPath: file.path }];
    });
    if (things.length === 0) new Notice(texts.send.noNote);
    else await this.#sender.send(things);
  }

  async #openLink(params: Readonly<Record<string, string>>): Promise<void> {
    const { ide, paths } = this.#parts;
    const target = readOpenedPlace(params, paths);
    if (target === undefined) {
      new Notice(texts.open.noPath);
      return;
    }
    const { path, start } = target;
    try {
      await ide.documents.reveal(path, start === undefined ? {} : { range: { start, end: start } });
    } catch {
      const vaultPath = paths.toVault(path);
      new Notice(
        vaultPath === undefined ? texts.open.outside(path) : texts.open.missing(vaultPath),
      );
    }
  }

  #settle(file: TFile): Promise<void> {
    const { app, ide, paths } = this.#parts;
    if (!ide.documents.isDirty(file)) return Promise.resolve();
    return flushNote(app, file, () => ide.documents.save(paths.toAbsolute(file.path)));
  }
}
