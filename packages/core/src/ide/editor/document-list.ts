import type { PosixPath } from "../../paths/posix-path.ts";
import type { OpenDocument } from "../editor-host.ts";

type Identity = Pick<OpenDocument, "path" | "uri" | "languageId" | "untitled" | "label">;

/** The open documents of an editor, in the order of their tabs; one has the focus. */
export class DocumentList {
  /** Oldest first; replaced, never changed. */
  all: readonly OpenDocument[] = [];
  readonly #identify: (path: PosixPath) => Identity;
  #focused = 0;

  /** @param identify returns the name, language and URI of a document */
  constructor(identify: (path: PosixPath) => Identity) {
    this.#identify = identify;
  }

  at(path: PosixPath): OpenDocument | undefined {
    return this.all.find((document) => document.path === path);
  }

  /** The document whose label or path is `key`, or whose path ends with it. */
  named(key: string): OpenDocument | undefined {
    return this.all.find(
      ({ label, path }) => label === key || path === key || path.endsWith(`/${key}`),
    );
  }

  /** Focuses a document, opening it if necessary; false when it already has the focus. */
  focus(path: PosixPath): boolean {
    const document = this.at(path);
    if (document?.active === true) return false;
    this.#focused += 1;
    const facts = { active: true, visible: true, lastFocusedMs: this.#focused };
    const others = this.all.map(({ active, visible, ...other }) => {
      return { ...other, active: false, visible: visible && !active };
    });
    this.all =
      document === undefined
        ? [...others, { ...this.#identify(path), dirty: false, ...facts }]
        : others;
    this.update(path, facts);
    return true;
  }

  update(path: PosixPath, facts: Partial<OpenDocument>): void {
    this.all = this.all.map((one) => (one.path === path ? { ...one, ...facts } : one));
  }

  /** Closes a document; the previously focused one gets the focus. */
  close(path: PosixPath): void {
    const wasActive = this.at(path)?.active === true;
    this.all = this.all.filter((one) => one.path !== path);
    const last = [...this.all].sort((a, b) => a.lastFocusedMs - b.lastFocusedMs).at(-1);
    if (wasActive && last !== undefined) this.update(last.path, { active: true, visible: true });
  }
}
