import type { PosixPath } from "../../paths/posix-path.ts";
import type { Selection } from "../editor-host.ts";
import { mapSelection } from "../map-selection.ts";

/** The selection of an editor: the current one, and the latest, which remains while the editor has no focus. */
export class EditorSelection {
  current: Selection | undefined;
  latest: Selection | undefined;

  set(selection: Selection | undefined): void {
    this.current = selection;
    this.latest = selection;
  }

  /** The editor has lost the focus: the latest selection remains. */
  blur(): void {
    this.current = undefined;
  }

  /** Moves it with the text of a document, so that the same text stays selected; returns whether it has moved. */
  follow(path: PosixPath, before: string | undefined, text: string): boolean {
    const { latest } = this;
    if (latest?.path !== path || before === undefined || before === text) return false;
    const mapped = mapSelection(latest, before, text);
    if (JSON.stringify(mapped) === JSON.stringify(latest)) return false;
    if (this.current !== undefined) this.current = mapped;
    this.latest = mapped;
    return true;
  }
}
