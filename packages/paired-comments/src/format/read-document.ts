import { findJsonError, parseJson } from "@idewire/core/internal";
import type { Outline } from "../anchors/store/outline.ts";
import {
  type CommentsDocument,
  formatVersion,
  type GhostMarker,
  type PairedComment,
} from "./document.ts";
import { DamagedField, Fields } from "./fields.ts";
import { commentIds, isCommentId, markerIds } from "./ids.ts";
import { readOutline } from "./read-anchor.ts";
import { type ReadComment, readComment } from "./read-comment.ts";
import { type ReadMarker, readMarker } from "./read-marker.ts";

/** The program that wrote a file: this package, the original's server, extension or playground. */
export type Dialect = "idewire" | "server" | "extension" | "playground";

/** Why a file cannot be read. */
export interface Damage {
  /** The parser's message, or the field with the expected and the actual value. */
  readonly parseError: string;
  /** 1-based; for JSON errors and conflicts. */
  readonly line?: number;
  readonly column?: number;
  readonly suggestion: string;
  /** The file is valid, but was written by a newer version of this package. */
  readonly isNewer?: true;
}

export type ReadResult =
  | {
      readonly ok: true;
      readonly document: CommentsDocument;
      readonly dialect: Dialect;
      /** Repairs made in memory, such as new ids for duplicate ones, for people. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly damage: Damage };

/** Larger files are rejected. */
const largestFile = 50 * 1024 * 1024;
const limits = { maxValues: 20_000_000, maxDepth: 200 };

/**
 * Reads a `.comments` file of any dialect and version, and preserves unknown fields.
 * @param filePath the source's path, relative to the workspace; the path in the file may be wrong
 * @param nowMs the time for new marker ids; new comment ids are derived from the file alone
 */
export function readDocument(text: string, filePath: string, nowMs: number): ReadResult {
  if (text.length > largestFile)
    return damaged(`${text.length} characters are more than ${largestFile}`);
  if (/^<{7}[ \r\n]/m.test(text)) return damagedByConflict(text);
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = parseJson(json, limits);
  } catch (error) {
    return damagedJson(json, (error as Error).message);
  }
  try {
    return readValue(value, filePath, nowMs);
  } catch (error) {
    if (error instanceof DamagedField) return damaged(error.message);
    throw error;
  }
}

function readValue(value: unknown, filePath: string, nowMs: number): ReadResult {
  const fields = new Fields(value, "");
  const version = fields.text("version") ?? "1.0";
  if (!/^\d{1,9}(\.\d{1,9}){0,9}$/.test(version)) {
    throw fields.damage("version", `numbers such as ${formatVersion}`, version);
  }
  // Compared numerically: 10.0 is newer than 3.0.0.
  if (version.localeCompare(formatVersion, "en", { numeric: true }) > 0) {
    const parseError = `version: ${version} is newer than ${formatVersion}`;
    const suggestion = "Update idewire; the file was not changed";
    return { ok: false, damage: { parseError, suggestion, isNewer: true } };
  }
  const dialect = dialectOf(fields);
  for (const key of ["file", "fileName", "filePath"]) fields.text(key);
  const comments = fields
    .required(fields.list("comments"), "comments", "an array")
    .map((comment, index) => readComment(comment, `comments[${index}]`));
  const markers = (fields.list("ghostMarkers") ?? []).map((marker, index) =>
    readMarker(marker, `ghostMarkers[${index}]`),
  );
  const outline = fields.take("outline");
  const merged = fields.list("mergedOutlines");
  const joined = join(comments, markers, nowMs);
  return {
    ok: true,
    dialect,
    warnings: joined.warnings,
    document: {
      filePath,
      comments: joined.comments,
      ghostMarkers: joined.markers,
      ...(outline === undefined ? {} : { outline: readOutline(outline, "outline") }),
      ...(merged === undefined ? {} : { mergedOutlines: merged.map(readMergedOutline) }),
      unknown: { ...fields.rest(), ...joined.unknown },
    },
  };
}

function dialectOf(fields: Fields): Dialect {
  if (fields.text("version")?.startsWith("3")) return "idewire";
  if (fields.has("fileName")) return "playground";
  return fields.has("filePath") ? "server" : "extension";
}

interface Joined {
  readonly comments: readonly PairedComment[];
  readonly markers: readonly GhostMarker[];
  readonly warnings: readonly string[];
  readonly unknown: Readonly<Record<string, unknown>>;
}

/**
 * Gives each comment a valid id and its own marker. The ids are the same at each reading of the file, so that
 * one process can look up an id from another.
 */
function join(
  comments: readonly ReadComment[],
  markers: readonly ReadMarker[],
  nowMs: number,
): Joined {
  const ids = commentIds(comments.map(({ id }) => id));
  const newMarkerIds = markerIds(markers.map(({ id }) => id));
  const given = new Set<string>();
  const markersOf = markersByComment(markers);
  // Of several with one id, the first.
  const byId = new Map([...markers].reverse().map((marker) => [marker.id, marker]));
  const used = new Set<ReadMarker>();
  const warnings: string[] = [];
  const joined = comments.map((read) => {
    const isTaken = given.has(read.id);
    const id = isCommentId(read.id) && !isTaken ? read.id : ids.derive(read.id);
    given.add(id);
    if (isTaken) warnings.push(`Duplicate id ${read.id}: the second comment is now ${id}`);
    const found =
      markersOf.get(read.id)?.firstUnused(used) ??
      (read.markerId === undefined ? undefined : byId.get(read.markerId));
    if (found !== undefined) used.add(found);
    const isOwn = found !== undefined && /^gm_\d+$/.test(found.id) && found.commentIds.length === 1;
    const markerId = isOwn && !isTaken ? found.id : newMarkerIds.next(nowMs);
    return { comment: commentOf(read, id), marker: markerOfComment(read, found, id, markerId) };
  });
  const stray = markers.filter((marker) => !used.has(marker));
  return {
    comments: joined.map(({ comment }) => comment),
    markers: joined.map(({ marker }) => marker),
    warnings,
    unknown: stray.length === 0 ? {} : { strayMarkers: stray.map(({ raw }) => raw) },
  };
}

/**
 * Retains the id of another program as `sourceId`. Most comments are created by one literal: chained spreads
 * would take twice the memory, with a hidden class for each.
 */
function commentOf({ id: readId, comment }: ReadComment, id: string): PairedComment {
  const { text, tag, author, created, updated, optional } = comment;
  const unknown = id === readId ? comment.unknown : { sourceId: readId, ...comment.unknown };
  const plain = { id, text, tag, author, created, updated, unknown };
  return Object.keys(optional).length === 0 ? plain : { ...plain, ...optional };
}

/** The markers that name one comment id. */
class NamingMarkers {
  readonly markers: ReadMarker[] = [];
  #next = 0;

  /** Used markers stay used, so that no marker is looked at twice; the first one if all are used. */
  firstUnused(used: ReadonlySet<ReadMarker>): ReadMarker | undefined {
    for (; this.#next < this.markers.length; this.#next++) {
      const marker = this.markers[this.#next];
      if (marker !== undefined && !used.has(marker)) return marker;
    }
    return this.markers[0];
  }
}

function markersByComment(markers: readonly ReadMarker[]): ReadonlyMap<string, NamingMarkers> {
  const found = new Map<string, NamingMarkers>();
  for (const marker of markers) {
    for (const id of new Set(marker.commentIds)) {
      const naming = found.get(id) ?? new NamingMarkers();
      naming.markers.push(marker);
      found.set(id, naming);
    }
  }
  return found;
}

/**
 * A marker with a range belongs to all comments inside it. A comment below its first line gets a marker of its
 * own line, without the fields of the shared one.
 */
function markerInside(
  { line, endLine }: ReadComment,
  { id: sourceId, commentIds, ...range }: ReadMarker,
  { commentId, id }: Pick<GhostMarker, "commentId" | "id">,
): GhostMarker | undefined {
  const { line: first, endLine: last = first, unknown: sharedMarker } = range;
  if (commentIds.length < 2 || line === undefined || line <= first || line > last) return undefined;
  const unknown = { sourceId, sharedMarker };
  const end = endLine !== undefined && endLine > line ? { endLine } : {};
  return { id, commentId, line, ...end, originalLine: line, unknown };
}

/** Assigns field by field: with thousands of markers, spreads of optional fields take several times as long. */
function markerOfComment(
  comment: ReadComment,
  found: ReadMarker | undefined,
  commentId: string,
  id: string,
): GhostMarker {
  const { line, endLine } = comment;
  const inside = found && markerInside(comment, found, { commentId, id });
  if (inside !== undefined) return inside;
  const start = found?.line ?? line ?? 1;
  const end = found?.endLine ?? endLine;
  const originalLine = found?.originalLine ?? start;
  const unknown = found?.unknown ?? {};
  const marker: { -readonly [Key in keyof GhostMarker]: GhostMarker[Key] } = {
    id,
    commentId,
    line: start,
    originalLine,
    unknown: found === undefined || found.id === id ? unknown : { sourceId: found.id, ...unknown },
  };
  if (end !== undefined && end > start) marker.endLine = end;
  if (found?.anchor !== undefined) marker.anchor = found.anchor;
  if (found?.anchorType !== undefined) marker.anchorType = found.anchorType;
  if (found?.isOrphaned !== undefined) marker.isOrphaned = found.isOrphaned;
  // Neither the comment nor a marker has a line.
  if (found === undefined && line === undefined) marker.isOrphaned = true;
  if (found?.tracking !== undefined) marker.tracking = found.tracking;
  return marker;
}

function damaged(parseError: string): ReadResult {
  return { ok: false, damage: { parseError, suggestion: mendByHand } };
}

const mendByHand = "Fix the file by hand, or restore it from a backup; it was not changed";

function damagedByConflict(text: string): ReadResult {
  const line = text.slice(0, text.search(/^<{7}[ \r\n]/m)).split("\n").length;
  const parseError = "the file contains conflict markers of git";
  const suggestion = "Run idewire comments merge <source>, or merge it by hand; it was not changed";
  return { ok: false, damage: { parseError, line, column: 1, suggestion } };
}

function damagedJson(text: string, parseError: string): ReadResult {
  const before = text.slice(0, findJsonError(text)).split("\n");
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return { ok: false, damage: { parseError, ...place, suggestion: mendByHand } };
}

function readMergedOutline(value: unknown, index: number): Outline {
  return readOutline(value, `mergedOutlines[${index}]`);
}
