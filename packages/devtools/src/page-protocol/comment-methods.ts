import type { PageCommentTag } from "../page-comment-tags.ts";

/** A possible place of a comment. */
export interface CommentCandidate {
  /** Of another file, relative to the folder; absent in the comment's own. */
  readonly filePath?: string;
  /** 1-based. */
  readonly line: number;
  /** The similarity to the deleted code, from 0 to 1. */
  readonly score: number;
  /** The line as it is, trimmed. */
  readonly text: string;
}

/** The state of a comment. */
export type PageCommentState = "open" | "resolved" | "wontfix";

/** A comment beside the code, where it is now; paths are relative to the folder. */
export interface PageComment {
  readonly id: string;
  /** Of its source. */
  readonly filePath: string;
  /** 1-based; of an orphan, the line where it was last. */
  readonly line: number;
  /** Of a comment on several lines; included. */
  readonly endLine?: number;
  /** The state of its place since the file of comments was written. */
  readonly status: "exact" | "moved" | "edited" | "ambiguous" | "orphaned";
  /** How its place was found, for people. */
  readonly how: string;
  /** Of an orphan, and where there is a doubt: the likeliest places. */
  readonly candidates: readonly CommentCandidate[];
  readonly tag: PageCommentTag;
  readonly text: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
  readonly state: PageCommentState;
  readonly replies: readonly {
    readonly id: string;
    readonly text: string;
    readonly author: string;
    /** ISO 8601. */
    readonly created: string;
  }[];
  /** The declaration around it, such as `function 'run'`. */
  readonly anchor?: string;
  /** The line that it was on when its file was last written, trimmed. */
  readonly quote?: string;
}

/** Actions of a person on comments; lines are 1-based. */
export type PageCommentAct = { readonly filePath: string } & (
  | {
      readonly do: "add";
      readonly line: number;
      readonly endLine?: number;
      /** The text of the first line: corrects a wrong line number. */
      readonly quote?: string;
      readonly tag: PageCommentTag;
      readonly text: string;
    }
  | {
      readonly do: "edit";
      readonly id: string;
      readonly tag: PageCommentTag;
      readonly text: string;
    }
  | { readonly do: "reply"; readonly id: string; readonly text: string }
  | { readonly do: "setState"; readonly id: string; readonly state: PageCommentState }
  | {
      readonly do: "move";
      readonly id: string;
      readonly target: { readonly filePath: string; readonly line: number };
    }
  | { readonly do: "delete"; readonly id: string }
  | { readonly do: "restore"; readonly deleted: string }
);

/** Further methods of the page of a folder whose comments are shown. */
export interface CommentMethods {
  /** The comments of a source, sorted by line; its unsaved text counts. */
  "comments/file": {
    params: { readonly filePath: string };
    result: { readonly comments: readonly PageComment[]; readonly warnings: readonly string[] };
  };
  /** Comments of all files, the most relevant first; `total` counts those that are left out as well. */
  "comments/search": {
    params: { readonly typed: string };
    result: {
      readonly comments: readonly PageComment[];
      readonly total: number;
      /** Files of comments that cannot be read. */
      readonly unreadable: readonly string[];
    };
  };
  /** Performs an action; it is on disk when answered. */
  "comments/act": {
    params: PageCommentAct;
    result: {
      readonly filePath: string;
      readonly id: string;
      /** The deleted comment, as `restore` expects it. */
      readonly deleted?: string;
    };
  };
}

/** Further events of such a page. */
export interface CommentsEvents {
  /** A source or its comments have changed, by the page or otherwise. */
  "comments/changed": { readonly filePath: string };
}
