// The vault as a separate plugin that runs the contract of hosts in the app.
import { EditorView } from "@codemirror/view";
import type { EditorHost, HostEvents, PosixPath, Range } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { DiffAnswer } from "@idewire/core/internal";
import { systemClock } from "@idewire/core/internal";
import { editorHostContract, type HostUnderTest } from "@idewire/core/testing";
import { type App, FileSystemAdapter, MarkdownView, Plugin, type TFile } from "obsidian";
import { createDiagnostics } from "../diagnostics/index.ts";
import { VaultDocuments } from "../documents/vault-documents.ts";
import { createWindows } from "../plugin-windows.ts";
import { createReviews, type Reviews } from "../review/index.ts";
import { readReviewSettings } from "../review/review-settings.ts";
import { editInPlace } from "../review/text/note-edits.ts";
import { replacements } from "../review/text/replacements.ts";
import { REVIEW_VIEW, ReviewView } from "../review/view/review-view.ts";
import { SelectionTracker } from "../selection/selection-tracker.ts";
import { SelectionWatch } from "../selection/watch-selection.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import { createVaultHost } from "../vault-host.ts";
import { createVaultPaths, type VaultPaths } from "../vault-paths.ts";
import { expect } from "./expect.ts";

const text = "first line ✓\nsecond line\n";

/** Registers the laws as `window.runLaw(name)`, which rejects if the vault breaks one. */
export class ContractPlugin extends Plugin {
  override async onload(): Promise<void> {
    const { adapter } = this.app.vault;
    if (!(adapter instanceof FileSystemAdapter)) throw new Error("the vault is no folder");
    const vault = new VaultUnderTest(this, await createVaultPaths(adapter.getBasePath()));
    const laws = new Map<string, () => Promise<void>>();
    editorHostContract(
      { test: (name, body) => laws.set(name, body), expect },
      { name: "vault", makeHost: () => vault.makeHost() },
    );
    const runLaw = (name: string) => {
      const law = laws.get(name);
      if (law === undefined) throw new Error(`there is no law ${JSON.stringify(name)}`);
      return law();
    };
    Object.assign(window, { runLaw });
  }
}

/** The vault as agents see it, and the person before it. */
class VaultUnderTest {
  readonly #app: App;
  readonly #paths: VaultPaths;
  readonly #host: EditorHost;
  readonly #reviews: Reviews;
  /** The proposals of agents, which identify a review. */
  readonly #proposed = new Map<string, string>();
  #notes = 0;

  constructor(plugin: Plugin, paths: VaultPaths) {
    const { app } = plugin;
    this.#app = app;
    this.#paths = paths;
    const store = new SettingsStore({
      loadData: async () => ({}),
      saveData: async () => {},
      keepAside: async () => undefined,
    });
    const events = new Emitter<HostEvents>();
    const tracker = new SelectionTracker(systemClock, () => events.emit("selection"));
    const documents = new VaultDocuments({ app, paths, onChange: () => events.emit("documents") });
    const watch = new SelectionWatch({ app, plugin, tracker, isKnown: () => false });
    const parts = {
      app,
      plugin,
      paths,
      isExcluded: () => false,
      isKnownExcluded: () => false,
      onWritten: () => {},
      openWindow: createWindows(plugin),
    };
    const settings = readReviewSettings(store);
    this.#reviews = createReviews({
      ...{ ...parts, registrar: plugin, settings, agentName: () => "agent" },
      shownText: (path) => documents.shownText(path),
      isUnsaved: (path) => documents.mayBeUnsaved(path),
      comments: {
        store: () => Promise.reject(new Error("no comments")),
        mention: () => ({ unable: [] }),
        open: () => Promise.resolve(),
      },
    });
    this.#host = createVaultHost({
      ...{ version: "1.0.0", vaultName: "Vault", paths, events, documents },
      reviews: this.#reviews,
      diagnostics: createDiagnostics(parts),
      workspace: app.workspace,
      tracker,
      isExcluded: () => false,
    });
    watch.register();
    documents.register(plugin);
    plugin.register(() => tracker.close());
  }

  /** A note that was never opened. */
  async makeHost(): Promise<HostUnderTest> {
    this.#notes += 1;
    const note = await this.#app.vault.create(`note-${this.#notes}.md`, text);
    const openDiff = this.#host.openDiff?.bind(this.#host);
    return {
      host: {
        ...this.#host,
        ...(openDiff !== undefined && {
          openDiff: (request, signal) => {
            this.#proposed.set(request.id, request.proposed);
            return openDiff(request, signal);
          },
        }),
      },
      file: { path: this.#paths.toAbsolute(note.path), text },
      edit: async (_, unsaved) => this.#type(await this.#open(note), unsaved),
      select: (path, range) => this.#select(note, path, range),
      answer: (id, answer) => this.#answer(id, answer),
      dispose: async () => {
        this.#app.workspace.detachLeavesOfType("markdown");
        await this.#app.fileManager.trashFile(note);
      },
    };
  }

  async #open(note: TFile): Promise<MarkdownView> {
    const leaf = this.#app.workspace.getLeaf(false);
    await leaf.openFile(note);
    if (leaf.view instanceof MarkdownView) return leaf.view;
    throw new Error(`${note.path} is shown as ${leaf.view.getViewType()}`);
  }

  /**
   * Edits in place, as typing does: CodeMirror drops the selection of a text that is replaced as a whole.
   * A note that is still being loaded takes back what was typed before.
   */
  async #type({ editor }: MarkdownView, unsaved: string): Promise<void> {
    let kept = 0;
    await until(() => {
      kept = editor.getValue() === unsaved ? kept + 1 : 0;
      if (kept === 0) editInPlace(editor, replacements(editor.getValue(), unsaved));
      return kept > 1;
    });
  }

  async #select(note: TFile, path: PosixPath, { start, end }: Range): Promise<void> {
    const { editor } = await this.#open(note);
    const place = ({ line, character }: Range["start"]) => ({ line, ch: character });
    editor.setSelection(place(start), place(end));
    const wanted = JSON.stringify({ start, end });
    await until(() => {
      const now = this.#host.selection("current");
      const [first] = now?.ranges ?? [];
      const seen = first && JSON.stringify({ start: first.start, end: first.end });
      return now?.path === path && seen === wanted;
    });
  }

  /** Acts as a person: opens the review, edits the text, and presses a button. */
  async #answer(id: string, answer: DiffAnswer): Promise<boolean> {
    const view = this.#app.workspace.getLeavesOfType(REVIEW_VIEW)[0]?.view;
    if (!this.#isWaiting(id) || !(view instanceof ReviewView)) return false;
    const editor = findEditor(view);
    if (editor === undefined || editor.state.doc.toString() !== this.#proposed.get(id)) {
      this.#run("review-next-file");
      return false;
    }
    if (answer.kind === "closed") view.leaf.detach();
    if (answer.kind === "accepted" && answer.text !== this.#proposed.get(id)) {
      const changes = { from: 0, to: editor.state.doc.length, insert: answer.text };
      editor.dispatch({ changes });
    }
    await until(() => {
      if (!this.#isWaiting(id)) return true;
      // A press counts once the review has been there for a moment.
      if (answer.kind !== "closed")
        view.decideFile(answer.kind === "accepted" ? "accept" : "reject");
      return false;
    });
    return true;
  }

  #isWaiting(id: string): boolean {
    return this.#reviews.pending.some((review) => review.id === id);
  }

  #run(command: string): void {
    const { commands } = this.#app as App & {
      readonly commands: { executeCommandById(id: string): boolean };
    };
    commands.executeCommandById(`idewire:${command}`);
  }
}

/** The editor of a review that the person may type in. */
function findEditor(view: ReviewView): EditorView | undefined {
  const found = [...view.contentEl.querySelectorAll<HTMLElement>(".cm-editor")];
  const editors = found.map((element) => EditorView.findFromDOM(element));
  return editors.find((editor) => editor !== null && !editor.state.readOnly) ?? undefined;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => window.setTimeout(resolve, 5));
}
