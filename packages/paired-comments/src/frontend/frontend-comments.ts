import { CommentError } from "../errors.ts";
import { type CommentStatus, type CommentTag, commentsSuffix } from "../format/document.ts";
import { readDocument } from "../format/read-document.ts";
import { writeDocument } from "../format/write-document.ts";
import { parseSearch } from "../search/parse-search.ts";
import { searchComments } from "../search/search.ts";
import type { CommentStore } from "../store/comment-store.ts";
import { type ShownComment, toShown } from "./shown-comment.ts";

/** A person's command on comments; lines are 1-based. */
export type CommentCommand =
  | {
      readonly do: "add";
      readonly filePath: string;
      readonly line: number;
      readonly endLine?: number;
      /** Text of the first line; corrects a wrong line number. */
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
  /** Restores a comment removed by `delete`. */
  | { readonly do: "restore"; readonly filePath: string; readonly deleted: string };

/** The result of a command. */
export interface CommentCommandResult {
  readonly filePath: string;
  readonly id: string;
  /** The deleted comment, for `restore`. */
  readonly deleted?: string;
}

/** The comments of a source, sorted by line; orphans by their last known line. */
export interface ShownFile {
  readonly comments: readonly ShownComment[];
  /** Repairs made in memory, for people. */
  readonly warnings: readonly string[];
}

/** The result of a search. */
export interface FoundComments {
  /** The most relevant first, at most 200. */
  readonly comments: readonly ShownComment[];
  /** Number of all matches. */
  readonly total: number;
  /** Sources whose `.comments` files could not be read. */
  readonly unreadable: readonly string[];
}

const mostFound = 200;

/** The comments of a workspace for a frontend: reads, searches and changes them for a person. */
export class FrontendComments {
  readonly #store: CommentStore;
  readonly #author: () => string | Promise<string>;

  /** @param author of new comments and replies, or a function that finds it for each */
  constructor(store: CommentStore, author: string | (() => Promise<string>)) {
    this.#store = store;
    this.#author = typeof author === "string" ? () => author : author;
  }

  /**
   * The comments of a source at their current places, with candidates for orphans.
   * @throws CommentError `FileNotFound`, `CommentFileCorrupted`, `InvalidFilePath`, `FileAccessDenied`
   */
  async file(filePath: string): Promise<ShownFile> {
    const { comments, warnings } = await this.#store.fileWithCandidates(filePath);
    return { comments: comments.map((each) => toShown(each, filePath)), warnings };
  }

  /**
   * All comments that match a typed search; see {@link parseSearch}.
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
   * Runs a command of the person; the change is saved when the promise resolves.
   * @throws CommentError and IdewireError as the store does
   */
  async run(command: CommentCommand): Promise<CommentCommandResult> {
    const { filePath } = command;
    switch (command.do) {
      case "add": {
        const author = await this.#author();
        const { comment } = await this.#store.add({ ...command, author });
        return { filePath, id: comment.id };
      }
      case "edit":
        await this.#store.edit(filePath, command.id, { text: command.text, tag: command.tag });
        return { filePath, id: command.id };
      case "reply": {
        const author = await this.#author();
        await this.#store.reply(filePath, command.id, { text: command.text, author });
        return { filePath, id: command.id };
      }
      case "setState":
        await this.#store.edit(filePath, command.id, { status: command.state });
        return { filePath, id: command.id };
      case "move": {
        const { to } = await this.#store.move(filePath, command.id, command.target);
        return { filePath: to.filePath, id: to.comment.id };
      }
      case "delete":
        return this.#delete(command);
      case "restore":
        return this.#restore(command);
    }
  }

  async #delete({
    filePath,
    id,
  }: Extract<CommentCommand, { readonly do: "delete" }>): Promise<CommentCommandResult> {
    const { document } = await this.#store.file(filePath);
    const { comment, marker } = await this.#store.remove(filePath, id);
    // With the outline of the stored marker, since the code may change before the comment is restored.
    const kept = document.ghostMarkers.find((each) => each.commentId === comment.id) ?? marker;
    const alone = { ...document, comments: [comment], ghostMarkers: [kept], unknown: {} };
    return { filePath, id, deleted: writeDocument(alone) };
  }

  async #restore({
    filePath,
    deleted,
  }: Extract<CommentCommand, { readonly do: "restore" }>): Promise<CommentCommandResult> {
    const read = readDocument(deleted, filePath, Date.now());
    if (!read.ok) throw new CommentError("CommentFileCorrupted", { filePath, ...read.damage });
    await this.#store.include({ ...read.document, filePath });
    return { filePath, id: read.document.comments[0]?.id ?? "" };
  }
}

/** Explains an error and its remedy to a person, in one line. */
export function explainCommentError(error: CommentError): string {
  if (error.name === "CommentNotFound") return "The comment no longer exists: it was deleted";
  const { parseError, reason, line, column, suggestion } = error.data;
  const why = [parseError, reason].find((each) => typeof each === "string");
  const where =
    typeof line === "number" && typeof column === "number" ? ` (${line}:${column})` : "";
  const what = why === undefined ? error.message : `${error.message}: ${String(why)}${where}`;
  return `${what}. ${suggestion}`;
}
