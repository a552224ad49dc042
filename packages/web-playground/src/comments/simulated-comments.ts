import { parserUrl } from "virtual:comment-parser";
import type { CommentMethods, PageCommentAct } from "@idewire/devtools/internal";
import { CommentStore, type CommentWorkspace, FrontendComments } from "@idewire/paired-comments";
import {
  CommentError,
  commentsSuffix,
  explainCommentError,
  type LockedFiles,
} from "@idewire/paired-comments/internal";
import { type Signal, signal } from "@preact/signals";
import type { CommentSource } from "../state/comments.ts";
import type { PageModel } from "../state/page-model.ts";
import { createPageReader } from "./page-reader.ts";

type Result<M extends keyof CommentMethods> = CommentMethods[M]["result"];

/** The comments of the simulated workspace, or of a recorded trace: in its files, at the moment shown. */
export class SimulatedComments implements CommentSource {
  readonly version: Signal<number> = signal(0);
  readonly #comments: FrontendComments;

  constructor(model: PageModel) {
    const store = new CommentStore({
      workspace: workspaceOf(model),
      reader: createPageReader(),
      onchange: () => {
        this.version.value += 1;
      },
    });
    this.#comments = new FrontendComments(store, "you");
  }

  file(filePath: string): Promise<Result<"comments/file">> {
    return inWords(this.#comments.file(filePath));
  }

  search(typed: string): Promise<Result<"comments/search">> {
    return inWords(this.#comments.search(typed));
  }

  run(act: PageCommentAct): Promise<Result<"comments/act">> {
    return inWords(this.#comments.run(act));
  }
}

async function inWords<T>(acting: Promise<T>): Promise<T> {
  try {
    return await acting;
  } catch (error) {
    throw error instanceof CommentError ? new Error(explainCommentError(error)) : error;
  }
}

/** The files at the shown moment; changes are made as if by another program. */
function workspaceOf(model: PageModel): CommentWorkspace {
  const files = () => model.stateAt(model.cursor.peek() ?? model.own.log.last).files;
  const readComments = async (path: string) => {
    const text = files().get(path + commentsSuffix);
    if (text !== undefined && parserUrl === undefined) demandTextOutline(path, text);
    return text;
  };
  const locked: LockedFiles = {
    read: readComments,
    write: async (path, text) => write(model, path + commentsSuffix, text),
    backup: async (path) => {
      write(model, `${path}${commentsSuffix}.backup`, files().get(path + commentsSuffix));
    },
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    readSource: async (path) => files().get(path),
    readComments,
    update<T>(_: readonly string[], change: (files: LockedFiles) => Promise<T>): Promise<T> {
      const done = last.then(() => change(locked));
      last = done.catch(() => {});
      return done;
    },
    list: async () =>
      [...files().keys()]
        .filter((path) => path.endsWith(commentsSuffix))
        .map((path) => path.slice(0, -commentsSuffix.length))
        .sort(),
    findSources: async (extensions) =>
      [...files().keys()].filter((path) => extensions.includes(path.split(".").at(-1) ?? "")),
  };
}

function write({ simulation }: PageModel, path: string, text: string | undefined): void {
  if (simulation === undefined) {
    const suggestion = "A recorded trace cannot be changed: branch from it first";
    throw new CommentError("FileAccessDenied", { filePath: path, suggestion });
  }
  simulation.editor.writeFile(simulation.pathOf(path), text ?? "");
  // The in-memory editor cannot delete a file.
  if (text === undefined)
    simulation.log.append({ ev: "editor", change: { kind: "deleted", path } });
}

/** The single file has no grammars; comments anchored with one would appear orphaned. */
function demandTextOutline(filePath: string, text: string): void {
  if (!text.includes('"outline"') || /"language":\s*"(text|markdown)"/.test(text)) return;
  const suggestion = "Open the page from a server: this file of it has no grammars";
  throw new CommentError("ASTParseError", { filePath, suggestion });
}
