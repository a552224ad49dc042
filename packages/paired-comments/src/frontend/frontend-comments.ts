import { CommentError } from "../errors.ts";
import { demandText } from "../format/comment-text.ts";
import { type CommentStatus, type CommentTag, commentsSuffix } from "../format/document.ts";
import { IdSequence } from "../format/ids.ts";
import { readDocument } from "../format/read-document.ts";
import { writeDocument } from "../format/write-document.ts";
import { parseSearch } from "../search/parse-search.ts";
import { searchComments } from "../search/search.ts";
import type { CommentStore } from "../store/comment-store.ts";
import { type ShownComment, toShown } from "./shown-comment.ts";

/** What a person does with comments; lines are 1-based. */
export type CommentAct =
  | {
      readonly do: "add";
      readonly filePath: string;
      readonly line: number;
      readonly endLine?: number;
      /** What the first line says: corrects a wrong number. */
      readonly quote?: string;
      readonly tag: CommentTag;
      readonly text: string;
    }
  | {
      readonly do: "edit";
      readonly filePath: string;
      readonly id: string;
      readonly tag: CommentTag;
      readonly text: string;
    }
  | { readonly do: "reply"; readonly filePath: string; readonly id: string; readonly text: string }
  | {
      readonly do: "setState";
      readonly filePath: string;
      readonly id: string;
      readonly state: CommentStatus;
    }
  | {
      readonly do: "move";
      readonly filePath: string;
      readonly id: string;
      readonly target: { readonly filePath: string; readonly line: number };
    }
  | { readonly do: "delete"; readonly filePath: string; readonly id: string }
  /** Puts back what `delete` has removed. */
  | { readonly do: "restore"; readonly filePath: string; readonly deleted: string };

/** What an act has done. */
export interface CommentActResult {
  readonly filePath: string;
  readonly id: string;
  /** What was deleted, for `restore`. */
  readonly deleted?: string;
}

/** The comments of a source, sorted by line; orphans by the line where they were last. */
export interface ShownFile {
  readonly comments: readonly ShownComment[];
  /** What has been mended in memory, for people. */
  readonly remarks: readonly string[];
}

/** Comments that were searched for. */
export interface FoundComments {
  /** The most relevant first, at most 200. */
  readonly comments: readonly ShownComment[];
  /** How many there are. */
  readonly total: number;
  /** Files of comments that could not be read. */
  readonly unreadable: readonly string[];
}

const mostFound = 200;

/** The comments of a workspace for a frontend: what a person sees of them, and does with them. */
export class FrontendComments {
  readonly #store: CommentStore;
  readonly #author: string;

  /** @param author who adds and replies */
  constructor(store: CommentStore, author: string) {
    this.#store = store;
    this.#author = author;
  }

  /**
   * The comments of a source, where they are now, with candidates for those that have lost their code.
   * @throws CommentError `FileNotFound`, `CommentFileCorrupted`, `InvalidFilePath`, `FileAccessDenied`
   */
  async file(filePath: string): Promise<ShownFile> {
    const { comments, remarks } = await this.#store.fileWithCandidates(filePath);
    return { comments: comments.map((each) => toShown(each, filePath)), remarks };
  }

  /**
   * All comments that match what was typed, as {@link parseSearch} reads it.
   * @throws IdewireError `invalid-argument`
   */
  async search(typed: string): Promise<FoundComments> {
    const { query, matches } = parseSearch(typed);
    const { files, errors } = await this.#store.all();
    const found = searchComments(files, query).filter(matches);
    return {
      comments: found.slice(0, mostFound).map((each) => toShown(each, each.filePath)),
      total: found.length,
      unreadable: errors.map((error) => `${error.filePath}${commentsSuffix}`),
    };
  }

  /**
   * Does what a person wants; it is kept when the promise resolves.
   * @throws CommentError and IdewireError as the store does
   */
  async run(act: CommentAct): Promise<CommentActResult> {
    const { filePath } = act;
    switch (act.do) {
      case "add": {
        const { comment } = await this.#store.add({ ...act, author: this.#author });
        return { filePath, id: comment.id };
      }
      case "edit":
        await this.#store.edit(filePath, act.id, { text: act.text, tag: act.tag });
        return { filePath, id: act.id };
      case "reply":
        return this.#reply(act);
      case "setState":
        await this.#store.edit(filePath, act.id, { status: act.state });
        return { filePath, id: act.id };
      case "move": {
        const { to } = await this.#store.move(filePath, act.id, act.target);
        return { filePath: to.filePath, id: to.comment.id };
      }
      case "delete":
        return this.#delete(act);
      case "restore":
        return this.#restore(act);
    }
  }

  async #reply({
    filePath,
    id,
    text,
  }: Extract<CommentAct, { readonly do: "reply" }>): Promise<CommentActResult> {
    demandText(text);
    const now = Date.now();
    await this.#store.edit(filePath, id, ({ replies = [] }) => {
      const taken = replies.map((reply) => reply.id);
      const created = new Date(now).toISOString();
      const reply = { id: new IdSequence("r_", taken).next(now), text, created };
      return { replies: [...replies, { ...reply, author: this.#author }] };
    });
    return { filePath, id };
  }

  async #delete({
    filePath,
    id,
  }: Extract<CommentAct, { readonly do: "delete" }>): Promise<CommentActResult> {
    const { document } = await this.#store.file(filePath);
    const { comment, marker } = await this.#store.remove(filePath, id);
    // With the outline that the marker was kept with: the code may change until it comes back.
    const kept = document.ghostMarkers.find((each) => each.commentId === id) ?? marker;
    const alone = { ...document, comments: [comment], ghostMarkers: [kept], unknown: {} };
    return { filePath, id, deleted: writeDocument(alone) };
  }

  async #restore({
    filePath,
    deleted,
  }: Extract<CommentAct, { readonly do: "restore" }>): Promise<CommentActResult> {
    const read = readDocument(deleted, filePath, Date.now());
    if (!read.ok) throw new CommentError("CommentFileCorrupted", { filePath, ...read.damage });
    await this.#store.include({ ...read.document, filePath });
    return { filePath, id: read.document.comments[0]?.id ?? "" };
  }
}

/** What went wrong, and what to do, in one line for a person. */
export function explainCommentError(error: CommentError): string {
  if (error.name === "CommentNotFound") return "The comment is gone: somebody has deleted it";
  const { parseError, reason, line, column, suggestion } = error.data;
  const why = [parseError, reason].find((each) => typeof each === "string");
  const where =
    typeof line === "number" && typeof column === "number" ? ` (${line}:${column})` : "";
  const what = why === undefined ? error.message : `${error.message}: ${String(why)}${where}`;
  return `${what}. ${suggestion}`;
}
