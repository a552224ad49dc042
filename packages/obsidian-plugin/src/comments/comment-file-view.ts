import {
  type App,
  FileView,
  type TFile,
  type Vault,
  type View,
  type WorkspaceLeaf,
} from "obsidian";

/** The type of the view of a file of comments. */
export const COMMENT_FILE_VIEW = "idewire-comment-file";
/** How long Obsidian may take to notice a file that another program, or the store of comments, has written. */
const NOTICED_MS = 5_000;

/** The text of a file of comments, read-only: comments are changed beside their note. */
export class CommentFileView extends FileView {
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

/**
 * Opens a file of comments as the active file. Its extension is not registered, since that would list such files among
 * the notes of the vault.
 */
export async function openCommentFile({ workspace, vault }: App, path: string): Promise<void> {
  await waitForFile(vault, path);
  const leaf =
    workspace.getLeavesOfType(COMMENT_FILE_VIEW).find(({ view }) => isViewOf(view, path)) ??
    workspace.getLeaf("tab");
  await leaf.setViewState({ type: COMMENT_FILE_VIEW, state: { file: path }, active: true });
  await workspace.revealLeaf(leaf);
  workspace.setActiveLeaf(leaf, { focus: true });
}

function isViewOf(view: View, path: string): boolean {
  return view instanceof CommentFileView && view.file?.path === path;
}

/** Waits until Obsidian has noticed a new file, at most for some seconds. */
function waitForFile(vault: Vault, path: string): Promise<void> {
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
