import { type Extension, Facet, StateField } from "@codemirror/state";
import { type EditorView, ViewPlugin } from "@codemirror/view";
import type { MarkdownFileInfo } from "obsidian";

/** What each editor of the app receives at its creation. */
export interface EditorFacts {
  readonly info: MarkdownFileInfo;
  readonly view: () => EditorView;
  readonly livePreview: () => boolean;
}

const facts = Facet.define<EditorFacts, EditorFacts | undefined>({ combine: ([first]) => first });

function field<T>(read: (known: EditorFacts) => T): StateField<T> {
  return StateField.define<T>({
    create: (state) => {
      const known = state.facet(facts);
      if (known === undefined) throw new RangeError("Field is not present in this state");
      return read(known);
    },
    update: (_, { state }) => {
      const known = state.facet(facts);
      if (known === undefined) throw new RangeError("Field is not present in this state");
      return read(known);
    },
  });
}

export const editorInfoField: StateField<MarkdownFileInfo> = field(({ info }) => info);
export const editorEditorField: StateField<EditorView> = field(({ view }) => view());
export const editorLivePreviewField: StateField<boolean> = field(({ livePreview }) =>
  livePreview(),
);
export const livePreviewState: ViewPlugin<{ mousedown: boolean }> = ViewPlugin.define(() => ({
  mousedown: false,
}));

export function withFacts(known: EditorFacts): Extension {
  return [
    facts.of(known),
    editorInfoField,
    editorEditorField,
    editorLivePreviewField,
    livePreviewState,
  ];
}
