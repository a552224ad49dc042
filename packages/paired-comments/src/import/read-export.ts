import { describeValue, isObject, parseJson } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { CommentError } from "../errors.ts";
import type { CommentsDocument } from "../format/document.ts";
import type { UnreadableFile } from "../store/comment-requests.ts";
import { documentOf } from "../store/document-changes.ts";
import { parseSourcePath } from "../store/source-path.ts";

/** The comments of one file in an export. */
export interface ImportedFile {
  readonly filePath: string;
  readonly document: CommentsDocument;
}

const limits = { maxValues: 20_000_000, maxDepth: 200 };

/** The content of an export, and errors for files that cannot be imported. */
export interface ImportedFiles {
  readonly files: readonly ImportedFile[];
  readonly errors: readonly UnreadableFile[];
}

/**
 * Reads an export in JSON.
 * @param nowMs the time for new ids
 * @throws IdewireError `invalid-argument` if the text is not an export
 */
export function readExport(text: string, nowMs: number): ImportedFiles {
  const files: ImportedFile[] = [];
  const errors: UnreadableFile[] = [];
  for (const [index, file] of filesOf(parseExport(text)).entries()) {
    const givenPath = isObject(file) ? file["filePath"] : undefined;
    if (!isObject(file) || typeof givenPath !== "string") {
      throw invalid(`files[${index}].filePath: expected a path`);
    }
    try {
      files.push(readFile(file, givenPath, nowMs));
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      errors.push({ filePath: givenPath, error });
    }
  }
  return { files, errors };
}

function filesOf(value: unknown): readonly unknown[] {
  if (!isObject(value)) {
    throw invalid('expected an object: {"version":1,"files":[…]}, as written by export json');
  }
  const { version, files } = value;
  if (version !== undefined && version !== 1) {
    const isNewer = typeof version === "number" && version > 1;
    const why = isNewer ? ": a newer version of idewire wrote it" : "";
    throw invalid(`version: expected 1, got ${describeValue(version)}${why}`);
  }
  if (!Array.isArray(files)) throw invalid("files: expected an array");
  return files;
}

/** @throws CommentError for an invalid path or invalid comments */
function readFile(file: Readonly<Record<string, unknown>>, givenPath: string, nowMs: number) {
  const filePath = parseSourcePath(givenPath);
  const { context: _, ...rest } = file;
  const { document } = documentOf(filePath, JSON.stringify(rest), nowMs);
  return { filePath, document };
}

function parseExport(text: string): unknown {
  try {
    return parseJson(text, limits);
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", `This is not an export of comments: ${message}`);
}
