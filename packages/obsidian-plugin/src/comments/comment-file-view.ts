import { commentsSuffix } from "@idewire/paired-comments/internal";
import { type App, FileView, type Plugin, type TFile, type WorkspaceLeaf } from "obsidian";

const COMMENT_FILE_VIEW = "idewire-comment-file";
/** How long Obsidian may take to notice a file that another program, or the store of comments, has written. */
const NOTICED_MS = 5_000;

/** The text of a file of comments, read-only: comments are changed beside their note. */
class CommentFileView extends FileView {
  override icon = "message-square";
  readonly #textEl: HTMLElement;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.#textEl = this.contentEl.createEl("pre", { cls: "idewire-comment-file" });
  }

  getViewType(): string {
    return COMMENT_FILE_VIEW;
  }

  override onload(): void {
    super.onload();
    this.registerEvent(
      this.app.vault.on("modify", (changed) => {
        if (changed === this.file) void this.onLoadFile(this.file);
      }),
    );
  }

  override async onLoadFile(file: TFile): Promise<void> {
    const text = await this.app.vault.cachedRead(file);
    if (file === this.file) this.#textEl.setText(text);
  }
}

/** Files of comments open in Obsidian; without a view of theirs it passes them on to another program. */
export function registerCommentFiles(plugin: Plugin): void {
  plugin.registerView(COMMENT_FILE_VIEW, (leaf) => new CommentFileView(leaf));
  try {
    plugin.registerExtensions([commentsSuffix.slice(1)], COMMENT_FILE_VIEW);
  } catch {
    // Another plugin shows them.
  }
}

/** Waits until Obsidian has noticed a new file, at most for some seconds. */
export function untilKnown({ vault }: App, path: string): Promise<void> {
  if (vault.getFileByPath(path) !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = (): void => {
      vault.offref(created);
      window.clearTimeout(timer);
      resolve();
    };
    const created = vault.on("create", (file) => {
      if (file.path === path) stop();
    });
    const timer = window.setTimeout(stop, NOTICED_MS);
  });
}
