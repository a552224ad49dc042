import {
  type Diagnostic,
  type EditorHost,
  type FileDiagnostics,
  isInside,
  type PosixPath,
  parsePosixPath,
} from "@idewire/core";
import type { DiagnosticsCall } from "@idewire/core/internal";
import { inOneLine, relativeTo } from "@idewire/core/internal";
import { CommentError } from "../errors.ts";
import type { EarlierFile } from "../store/changed-code.ts";
import type { CommentStore } from "../store/comment-store.ts";
import type { DisplacedComment } from "../store/displaced-comments.ts";
import type { LocatedComment } from "../store/located-comments.ts";

const longestText = 300;

/** A file that an agent has written or is about to write. */
interface EditedFile {
  readonly path: PosixPath;
  /** Its workspace folder. */
  readonly folder: PosixPath;
  /** The version before all unreported edits. */
  readonly earlier: EarlierFile;
  readonly isReported: boolean;
}

/** The edits of one agent, and the annotations already reported to it. */
interface AgentEdits {
  readonly files: Map<string, EditedFile>;
  readonly reported: Set<string>;
}

interface Reporting {
  readonly reported: Set<string>;
  /** Whether another file of the folder may be named to the agent. */
  readonly mayName: (filePath: string) => boolean;
}

/**
 * Reports comments among the diagnostics after an edit, which is the only way to reach an agent's model: open
 * TODO, FIXME and QUESTION comments of the edited file, each once per session, and comments whose code the edit
 * has removed or moved.
 */
export class CommentDiagnostics {
  readonly #store: CommentStore;
  readonly #agents = new WeakMap<DiagnosticsCall["session"], AgentEdits>();

  constructor(store: CommentStore) {
    this.#store = store;
  }

  /** Adds annotations for the agent to the diagnostics; returns them unchanged before a write. */
  async answer(
    files: readonly FileDiagnostics[],
    { session, host, isShared, path, isBaseline }: DiagnosticsCall,
  ): Promise<readonly FileDiagnostics[]> {
    const edits = this.#editsOf(session);
    if (isBaseline) {
      if (path !== undefined) await this.#expectWrite(edits, host, path);
      return files;
    }
    const requested = path === undefined ? undefined : placeInWorkspace(host, path)?.filePath;
    const annotations = new Map<PosixPath, readonly Diagnostic[]>();
    for (const [filePath, file] of edits.files) {
      if (path !== undefined && filePath !== requested) continue;
      // Files excluded from sharing are not named as candidates.
      const mayName = (other: string) => {
        const parsed = parsePosixPath(`${file.folder}/${other}`);
        return parsed.ok && isShared(parsed.value);
      };
      const diagnostics = await this.#annotationsOf(filePath, file, {
        reported: edits.reported,
        mayName,
      });
      if (diagnostics.length > 0) annotations.set(file.path, diagnostics);
      edits.files.set(filePath, { ...file, isReported: true });
    }
    return join(files, annotations);
  }

  async #expectWrite({ files }: AgentEdits, host: EditorHost, path: PosixPath): Promise<void> {
    const place = placeInWorkspace(host, path);
    if (place === undefined || files.get(place.filePath)?.isReported === false) return;
    const { folder, filePath } = place;
    const earlier = await orUndefined(this.#store.snapshot(filePath));
    if (earlier !== undefined) files.set(filePath, { path, folder, earlier, isReported: false });
  }

  async #annotationsOf(
    filePath: string,
    { earlier }: EditedFile,
    { reported, mayName }: Reporting,
  ): Promise<readonly Diagnostic[]> {
    const now = await orUndefined(this.#store.file(filePath));
    const displaced = await orUndefined(this.#store.displacedSince(filePath, earlier, mayName));
    const once = (id: string, what: string) => {
      const key = `${filePath} ${id} ${what}`;
      if (reported.has(key)) return false;
      reported.add(key);
      return true;
    };
    const moves = (displaced ?? [])
      .filter(({ located, what }) => once(located.comment.id, what))
      .map(displacedDiagnostic);
    const open = (now?.comments ?? [])
      .filter((located) => isOpen(located) && once(located.comment.id, "open"))
      .map((located) => diagnosticAt(located, "information", textOf(located)));
    return [...moves, ...open];
  }

  #editsOf(session: DiagnosticsCall["session"]): AgentEdits {
    const known = this.#agents.get(session);
    if (known !== undefined) return known;
    const edits: AgentEdits = { files: new Map(), reported: new Set() };
    this.#agents.set(session, edits);
    return edits;
  }
}

/** One entry for each file. */
function join(
  files: readonly FileDiagnostics[],
  annotations: ReadonlyMap<PosixPath, readonly Diagnostic[]>,
): readonly FileDiagnostics[] {
  const rest = new Map(annotations);
  const joined = files.map((file) => {
    const more = rest.get(file.path) ?? [];
    rest.delete(file.path);
    return { ...file, diagnostics: [...file.diagnostics, ...more] };
  });
  return [...joined, ...[...rest].map(([path, diagnostics]) => ({ path, diagnostics }))];
}

function placeInWorkspace(
  host: EditorHost,
  path: PosixPath,
): { readonly folder: PosixPath; readonly filePath: string } | undefined {
  const folder = host.workspace().folders.find((each) => isInside(each.path, path))?.path;
  const filePath = folder === undefined ? undefined : relativeTo(folder, path);
  return folder === undefined || filePath === undefined ? undefined : { folder, filePath };
}

/** Errors of comments must not cost an agent its diagnostics. */
async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CommentError) return undefined;
    throw error;
  }
}

function isOpen({ comment, place }: LocatedComment): boolean {
  const { tag, status = "open" } = comment;
  const needsAction = tag === "TODO" || tag === "FIXME" || tag === "QUESTION";
  return needsAction && status === "open" && place.status !== "orphaned";
}

function displacedDiagnostic({ what, located, line }: DisplacedComment): Diagnostic {
  const { id } = located.comment;
  const words = textOf(located);
  if (what === "moved") {
    const text = `Your edit moved the code of ${id}, "${words}", from line ${line}; the comment went with it`;
    return diagnosticAt(located, "information", text);
  }
  const [first] = located.place.candidates;
  const where = first === undefined ? "" : `, perhaps to ${wordsOf(first)}`;
  const happened = what === "lost" ? "removed the code of" : "left in doubt the place of";
  const text = `Your edit ${happened} ${id}, "${words}": move_comment${where}, or delete_comment`;
  return diagnosticAt(located, "warning", text);
}

function wordsOf({
  filePath,
  line,
}: {
  readonly filePath?: string;
  readonly line: number;
}): string {
  return filePath === undefined ? `line ${line}` : `${filePath}:${line}`;
}

function textOf({ comment }: LocatedComment): string {
  const text = inOneLine(comment.text, Number.POSITIVE_INFINITY);
  const tagged = text.toUpperCase().startsWith(comment.tag) ? text : `${comment.tag}: ${text}`;
  const cut = inOneLine(tagged, longestText);
  return cut === tagged ? tagged : `${cut}…`;
}

function diagnosticAt(
  { comment, place }: LocatedComment,
  severity: Diagnostic["severity"],
  message: string,
): Diagnostic {
  const start = { line: place.line - 1, character: 0 };
  const end = { line: place.endLine ?? place.line, character: 0 };
  return { range: { start, end }, severity, message, source: "comments", code: comment.id };
}
