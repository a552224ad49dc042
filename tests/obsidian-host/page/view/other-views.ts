import type { WorkspaceLeaf } from "../workspace/leaf.ts";
import { FileView } from "./file-view.ts";
import { ItemView, type State, View, type ViewStateResult } from "./view.ts";

/** A tab with nothing in it. */
export class EmptyView extends ItemView {
  getViewType(): string {
    return "empty";
  }

  getDisplayText(): string {
    return "New tab";
  }

  override async onOpen(): Promise<void> {
    this.contentEl.createDiv({ cls: "empty-state", text: "No file is open" });
  }
}

/** The placeholder in a tab that has not been shown yet. */
export class DeferredView extends View {
  readonly #type: string;
  #state: State = {};

  constructor(leaf: WorkspaceLeaf, type: string) {
    super(leaf);
    this.#type = type;
  }

  getViewType(): string {
    return this.#type;
  }

  getDisplayText(): string {
    const { file, title } = this.#state;
    const name = String(file ?? title ?? this.#type);
    return name.slice(name.lastIndexOf("/") + 1).replace(/\.md$/, "");
  }

  override getState(): State {
    return this.#state;
  }

  override async setState(state: State, _result: ViewStateResult): Promise<void> {
    this.#state = state;
  }
}

/** A view whose plugin is not loaded. */
export class UnknownView extends DeferredView {
  override getDisplayText(): string {
    return `Plugin no longer active`;
  }
}

/** A file that is shown but not edited as text here, such as an image. */
export class OtherFileView extends FileView {
  readonly #type: string;

  constructor(leaf: WorkspaceLeaf, type: string) {
    super(leaf);
    this.#type = type;
  }

  getViewType(): string {
    return this.#type;
  }

  override async onOpen(): Promise<void> {
    this.contentEl.createDiv({ cls: "other-file", text: `A ${this.#type} is shown here` });
  }
}
