import type { PosixPath } from "../../paths/posix-path.ts";
import type { EditorHost, FileDiagnostics, SessionId } from "../editor-host.ts";

/** A request of an agent for diagnostics. */
export interface DiagnosticsCall {
  /** The same object in each call of one agent. */
  readonly session: { readonly id: SessionId };
  /** The editor as the agent sees it. */
  readonly host: EditorHost;
  /** Whether a file is shared with the agent: the share policy of its session. */
  readonly isShared: (path: PosixPath) => boolean;
  /** The one requested file; the whole workspace when undefined. */
  readonly path: PosixPath | undefined;
  /**
   * Whether the agent is about to write the file, as Claude Code is at such a request: it does not pass the
   * diagnostics of this answer on to its model, and waits for half a second at most.
   */
  readonly isBaseline: boolean;
}

/**
 * Resolves to the diagnostics with further ones for the agent added, one entry for each file. The caller leaves
 * out excluded files.
 */
export type AnnotateDiagnostics = (
  files: readonly FileDiagnostics[],
  call: DiagnosticsCall,
) => Promise<readonly FileDiagnostics[]>;
