import { IdewireError, isObject, parseJson } from "@idewire/core";
import type { CommentsDocument } from "../format/document.ts";
import { type Damage, readDocument } from "../format/read-document.ts";
import { parseSourcePath } from "../store/source-path.ts";

/** The comments of one file in an export. */
export interface ImportedFile {
  readonly filePath: string;
  readonly document: CommentsDocument;
}

const limits = { maxValues: 20_000_000, maxDepth: 200 };

/**
 * Reads an export in JSON.
 * @param nowMs the time for ids that have to be given
 * @throws IdewireError `invalid-argument` for what is no export; CommentError for a path that is none
 */
export function readExport(text: string, nowMs: number): readonly ImportedFile[] {
  const value = parseExport(text);
  const files = isObject(value) ? value["files"] : undefined;
  if (!Array.isArray(files))
    throw invalid('expected {"version":1,"files":[…]}, as export json writes');
  return files.map((file: unknown, index) => {
    const told = isObject(file) ? file["filePath"] : undefined;
    if (!isObject(file) || typeof told !== "string") {
      throw invalid(`files[${index}].filePath: expected a path`);
    }
    const filePath = parseSourcePath(told);
    const { context: _, ...rest } = file;
    const result = readDocument(JSON.stringify(rest), filePath, nowMs);
    if (!result.ok) throw invalid(`files[${index}]: ${wordsOf(result.damage)}`);
    return { filePath, document: result.document };
  });
}

function parseExport(text: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ""), limits);
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function wordsOf({ parseError, suggestion }: Damage): string {
  return `${parseError}. ${suggestion}`;
}

function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", `This is not an export of comments: ${message}`);
}
