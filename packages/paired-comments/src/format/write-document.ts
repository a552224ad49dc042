import type { Quote } from "../anchors/store/anchor.ts";
import {
  type CommentsDocument,
  formatVersion,
  type GhostMarker,
  type PairedComment,
} from "./document.ts";

export interface WriteOptions {
  /**
   * Also writes the fields that the original's extension requires, so that it and its server can read the file,
   * including a hash of the line: the first 16 hexadecimal digits of the SHA-256 of the trimmed text.
   */
  readonly forOriginal?: { readonly hashLine: (trimmed: string) => string };
}

/** The text of a `.comments` file: JSON, two spaces of indentation, sorted by line. */
export function writeDocument(document: CommentsDocument, options: WriteOptions = {}): string {
  const markers = new Map(document.ghostMarkers.map((marker) => [marker.commentId, marker]));
  const lineOf = ({ id }: PairedComment) => markers.get(id)?.line ?? 0;
  const comments = [...document.comments].sort((a, b) => lineOf(a) - lineOf(b));
  const { forOriginal } = options;
  const value = {
    ...document.unknown,
    version: forOriginal === undefined ? formatVersion : "2.1.0",
    filePath: document.filePath,
    ...(forOriginal === undefined ? {} : { file: document.filePath }),
    comments: comments.map((comment) => writeComment(comment, markers.get(comment.id), options)),
    ghostMarkers: comments.flatMap(({ id }) => {
      const marker = markers.get(id);
      return marker === undefined ? [] : [writeMarker(marker, options)];
    }),
    ...(document.outline === undefined ? {} : { outline: document.outline }),
    ...(document.mergedOutlines === undefined ? {} : { mergedOutlines: document.mergedOutlines }),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function writeComment(
  { unknown, ...comment }: PairedComment,
  marker: GhostMarker | undefined,
  { forOriginal }: WriteOptions,
): object {
  if (forOriginal === undefined || marker === undefined) return { ...unknown, ...comment };
  const { line, endLine, id } = marker;
  const end = endLine === undefined ? {} : { endLine };
  const { sourceTag = comment.tag } = unknown;
  const place = { line, startLine: line, ...end, ghostMarkerId: id };
  return { ...unknown, ...comment, tag: sourceTag, ...place };
}

function writeMarker({ unknown, ...marker }: GhostMarker, { forOriginal }: WriteOptions): object {
  if (forOriginal === undefined) return { ...unknown, ...marker };
  const quote: Quote = marker.tracking?.quote ?? { exact: "", prefix: "", suffix: "" };
  return {
    astAnchor: null,
    lastVerified: "1970-01-01T00:00:00.000Z",
    ...unknown,
    ...marker,
    commentIds: [marker.commentId],
    lineHash: forOriginal.hashLine(quote.exact === "" ? "[blank line]" : quote.exact),
    lineText: quote.exact,
    prevLineText: quote.prefix,
    nextLineText: quote.suffix,
  };
}
