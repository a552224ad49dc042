import type { Text } from "@codemirror/state";
import { ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { isObject } from "@idewire/core/internal";
import {
  type CachedMetadata,
  editorInfoField,
  getFrontMatterInfo,
  type MetadataCache,
  type Plugin,
  parseYaml,
  type TFile,
} from "obsidian";

/** In UTF-16 units: properties are parsed at each key press, up to this length. */
const MAX_PROPERTIES = 50_000;

const NOWHERE = { line: 0, col: 0, offset: 0 };

interface TypedEditor {
  readonly doc: () => Text;
  readonly file: () => TFile | null | undefined;
  /** The tags typed since Obsidian last indexed the note. */
  readonly tags: Set<string>;
}

/**
 * Tags and properties of open notes that are not saved yet. Obsidian saves two seconds after the last key
 * press, but an exclusion applies from that key press on. Removed ones apply until the note is saved, and
 * so does a tag inside of code: both err on the side of sharing less.
 */
export class TypedFacts {
  readonly #editors = new Set<TypedEditor>();

  /** @param onChange called when text is typed or Obsidian has indexed a note */
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
          // An editor must not be redrawn during an update.
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

  /** The metadata that Obsidian will find in each editor of a note. */
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

/** Reads only the changed lines: a note may be long. */
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
    // Obsidian cannot parse them either.
    return {};
  }
}
