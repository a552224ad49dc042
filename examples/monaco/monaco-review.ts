import type { DiffRequest, PendingDiffs } from "@idewire/core";
import type * as api from "monaco-editor";
import { ExactText } from "./exact-text.ts";

/** Everything that a person could overlook. */
const visible: api.editor.IDiffEditorConstructionOptions = {
  automaticLayout: true,
  renderControlCharacters: true,
  renderWhitespace: "all",
  unicodeHighlight: { invisibleCharacters: true, includeComments: true, includeStrings: true },
  unusualLineTerminators: "off",
};

interface Context {
  readonly request: DiffRequest;
  readonly original: string;
  readonly diffs: PendingDiffs<MonacoReview>;
}

/** A diff that waits for the person; the proposal may be edited. */
export class MonacoReview {
  readonly request: DiffRequest;
  /** What the lines do not show. */
  readonly notes: readonly string[];
  readonly #monaco: typeof api;
  readonly #diffs: PendingDiffs<MonacoReview>;
  readonly #original: api.editor.ITextModel;
  readonly #proposed: api.editor.ITextModel;
  readonly #exact: ExactText;
  readonly #ended = new AbortController();

  constructor(monaco: typeof api, { request, original, diffs }: Context) {
    this.request = request;
    this.#monaco = monaco;
    this.#diffs = diffs;
    this.#original = monaco.editor.createModel(original);
    this.#proposed = monaco.editor.createModel(request.proposed);
    this.#exact = new ExactText(this.#proposed, request.proposed);
    this.notes = [
      ...(request.outsideWorkspace ? ["The file is outside the workspace folders"] : []),
      ...changesOf(original, request.proposed),
    ];
  }

  /** Aborted when the diff is answered or closed, also by the agent. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** The text that would be accepted now. */
  get text(): string {
    return this.#exact.text;
  }

  accept(): boolean {
    return this.#answer({ kind: "accepted", text: this.text });
  }

  reject(): boolean {
    return this.#answer({ kind: "rejected" });
  }

  show(place: HTMLElement): void {
    const editor = this.#monaco.editor.createDiffEditor(place, visible);
    editor.setModel({ original: this.#original, modified: this.#proposed });
    this.signal.addEventListener("abort", () => {
      // In this order: an editor that is disposed while it compares raises an error.
      editor.setModel(null);
      editor.dispose();
    });
  }

  /** The diff was answered or closed. */
  end(): void {
    this.#ended.abort();
    this.#original.dispose();
    this.#proposed.dispose();
  }

  #answer(answer: Parameters<PendingDiffs<MonacoReview>["answer"]>[1]): boolean {
    return this.#diffs.answer(this.request.id, answer, "editor");
  }
}

/** Changes that no line shows; a new file, and one of a single line, has no line ends that could change. */
function changesOf(original: string, proposed: string): readonly string[] {
  const [before, after] = [endingsOf(original), endingsOf(proposed)];
  const hasBom = (text: string) => text.startsWith("\uFEFF");
  return [
    ...(before !== "" && after !== "" && before !== after ? ["The line endings change"] : []),
    ...(original !== "" && hasBom(original) !== hasBom(proposed)
      ? ["The byte order mark changes"]
      : []),
  ];
}

function endingsOf(text: string): string {
  return [...new Set(text.match(/\r\n?|\n/g))].sort().join();
}
