import type { Text } from "@codemirror/state";
import { ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { isObject } from "@idewire/core";
import {
  type CachedMetadata,
  editorInfoField,
  getFrontMatterInfo,
  type MetadataCache,
  type Plugin,
  parseYaml,
  type TFile,
} from "obsidian";

/** Nobody's properties are longer, and they are read at each key. */
const MAX_PROPERTIES = 50_000;

const NOWHERE = { line: 0, col: 0, offset: 0 };

interface TypedEditor {
  readonly doc: () => Text;
  readonly file: () => TFile | null | undefined;
  /** The tags that were typed since Obsidian read the note. */
  readonly tags: Set<string>;
}

/**
 * What open notes say of themselves before they are saved, which Obsidian does two seconds after the
 * last key: that agents shall know nothing of a note counts from that key on. What is taken out
 * counts when it is saved, and a tag in what turns out to be code until then: both keep back more.
 */
export class TypedFacts {
  readonly #editors = new Set<TypedEditor>();

  /** @param onChange hears that somebody has typed, or that Obsidian has read a note */
  register(plugin: Plugin, metadataCache: MetadataCache, onChange: () => void): void {
    const extension = ViewPlugin.define((view) => {
      const doc = () => view.state.doc;
      const file = () => view.state.field(editorInfoField, false)?.file;
      const editor: TypedEditor = { doc, file, tags: new Set() };
      this.#editors.add(editor);
      return {
        update: (update) => {
          if (!update.docChanged) return;
          noteTags(editor.tags, update);
          // An editor is not to be drawn again while it updates.
          queueMicrotask(onChange);
        },
        destroy: () => this.#editors.delete(editor),
      };
    });
    plugin.registerEditorExtension(extension);
    plugin.registerEvent(
      metadataCache.on("changed", ({ path }, text) => {
        for (const { doc, tags } of this.#of(path)) if (doc().toString() === text) tags.clear();
        onChange();
      }),
    );
  }

  /** As Obsidian will find it in the text of each editor of a note. */
  in(vaultPath: string): readonly CachedMetadata[] {
    return this.#of(vaultPath).map(({ doc, tags }) => ({
      ...readProperties(doc()),
      tags: [...tags].map((tag) => ({ tag, position: { start: NOWHERE, end: NOWHERE } })),
    }));
  }

  #of(vaultPath: string): readonly TypedEditor[] {
    return [...this.#editors].filter(({ file }) => file()?.path === vaultPath);
  }
}

/** Looks at the lines that have changed alone: a note may be long. */
function noteTags(typed: Set<string>, { changes, startState, state }: ViewUpdate): void {
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const before = tagsIn(startState.doc, fromA, toA);
    const after = tagsIn(state.doc, fromB, toB);
    for (const tag of before) if (!after.has(tag)) typed.delete(tag);
    for (const tag of after) if (!before.has(tag)) typed.add(tag);
  });
}

function tagsIn(doc: Text, from: number, to: number): ReadonlySet<string> {
  const lines = doc.sliceString(doc.lineAt(from).from, doc.lineAt(to).to);
  return new Set(lines.match(/#[^\s#.,;:!?"'`()[\]{}<>]+/g));
}

function readProperties(doc: Text): Pick<CachedMetadata, "frontmatter"> {
  if (doc.line(1).text.trimEnd() !== "---") return {};
  try {
    const { frontmatter } = getFrontMatterInfo(doc.sliceString(0, MAX_PROPERTIES));
    const properties: unknown = parseYaml(frontmatter);
    return isObject(properties) ? { frontmatter: properties } : {};
  } catch {
    // Obsidian will not know them either.
    return {};
  }
}
