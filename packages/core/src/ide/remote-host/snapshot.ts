import { toFileUri } from "../../paths/file-uri.ts";
import { baseName, type Platform } from "../../paths/posix-path.ts";
import type { Range } from "../../text/position.ts";
import type { EditorHost, OpenDocument, Selection } from "../editor-host.ts";
import { checkedPath, WireFault } from "./wire-fault.ts";
import type { HostState, StatePart, WireDocument, WireSelection } from "./wire-state.ts";

type WorkspaceState = ReturnType<EditorHost["workspace"]>;

const NOWHERE: WorkspaceState = { folders: [], trusted: true };

/** The newest state that an editor has sent. */
export class HostSnapshot {
  workspace: WorkspaceState = NOWHERE;
  documents: readonly OpenDocument[] = [];
  readonly #platform: Platform;
  readonly #versions: Record<StatePart, number> = { workspace: 0, documents: 0, selection: 0 };
  #selection: Selection | undefined;
  #focused = true;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The newest version that the editor has sent. */
  get version(): number {
    return Math.max(...Object.values(this.#versions));
  }

  selection(which: "current" | "latest"): Selection | undefined {
    return which === "latest" || this.#focused ? this.#selection : undefined;
  }

  /**
   * Applies the parts that are newer than the present ones; none of them if the state is invalid.
   * @returns the parts that were applied
   * @throws WireFault when the state is invalid
   */
  apply(state: HostState, field = ""): readonly StatePart[] {
    const version = state.version ?? this.version + 1;
    const workspace = this.#readWorkspace(state, field);
    const documents = state.documents && this.#readDocuments(state.documents, field);
    const selection = state.selection && this.#readSelection(state.selection, field);
    const sent: StatePart[] = [];
    const isNewer = (part: StatePart) => {
      if (version <= this.#versions[part]) return false;
      this.#versions[part] = version;
      return sent.push(part) > 0;
    };
    if (workspace !== undefined && isNewer("workspace")) this.workspace = workspace;
    if (documents !== undefined && isNewer("documents")) {
      if (this.#closesSelected(documents)) {
        this.#selection = undefined;
        sent.push("selection");
      }
      this.documents = documents;
    }
    if (selection !== undefined && isNewer("selection")) {
      this.#selection = selection ?? undefined;
      this.#focused = state.focused ?? true;
    }
    return [...new Set(sent)];
  }

  /** Empties the state, after the editor has disconnected. */
  clear(): void {
    this.workspace = NOWHERE;
    this.documents = [];
    this.#selection = undefined;
  }

  /** The document of the selection is open no more: nothing is selected in it. */
  #closesSelected(documents: readonly OpenDocument[]): boolean {
    const isSelected = ({ path }: OpenDocument) => path === this.#selection?.path;
    return this.documents.some(isSelected) && !documents.some(isSelected);
  }

  #readWorkspace({ folders, trusted }: HostState, field: string): WorkspaceState | undefined {
    if (folders === undefined && trusted === undefined) return undefined;
    const read = folders?.map(({ path: native, name }, index) => {
      const path = checkedPath(`${field}folders.${index}.path`, native, this.#platform);
      return { path, name: name ?? baseName(path) };
    });
    return {
      folders: read ?? this.workspace.folders,
      trusted: trusted ?? this.workspace.trusted,
    };
  }

  #readDocuments(documents: readonly WireDocument[], field: string): readonly OpenDocument[] {
    const active = documents.filter((document) => document.active === true).length;
    if (active > 1) throw new WireFault(`${field}documents: expected one active, got ${active}`);
    return documents.map((document, index) => {
      const path = checkedPath(`${field}documents.${index}.path`, document.path, this.#platform);
      return {
        uri: toFileUri(path, this.#platform),
        languageId: "plaintext",
        dirty: false,
        untitled: false,
        active: false,
        visible: document.active ?? false,
        lastFocusedMs: 0,
        label: baseName(path),
        ...document,
        path,
      };
    });
  }

  #readSelection({ path, ranges, primary = 0 }: WireSelection, field: string): Selection {
    const where = `${field}selection`;
    for (const [index, range] of ranges.entries()) {
      refuseBackwards(range, `${where}.ranges.${index}.end`);
    }
    if (primary >= ranges.length) {
      throw new WireFault(`${where}.primary: expected less than ${ranges.length}, got ${primary}`);
    }
    return { path: checkedPath(`${where}.path`, path, this.#platform), ranges, primary };
  }
}

function refuseBackwards({ start, end }: Range, field: string): void {
  const isBackwards =
    end.line < start.line || (end.line === start.line && end.character < start.character);
  if (!isBackwards) return;
  const least = `${start.line}:${start.character}`;
  throw new WireFault(`${field}: expected ${least} or later, got ${end.line}:${end.character}`);
}
