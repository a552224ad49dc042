import { toNativePath } from "@idewire/core";
import {
  type Change,
  type CompiledInput,
  type DiffId,
  explainFailure,
  relativeTo,
} from "@idewire/core/internal";
import { type Params, type Peer, RpcError, RpcErrorCode, ToolFailure } from "@idewire/core/rpc";
import { platform } from "@idewire/node-server/internal";
import type { SendComments } from "../comments/send-folder-comments.ts";
import type { FolderHost } from "../folder-host/folder-host.ts";
import type { DiffQueue, QueuedDiff } from "../serve/terminal/review/diff-queue.ts";
import { editsOf } from "../serve/terminal/review/edit-prompt.ts";
import type { AgentConnections } from "./agent-connections.ts";
import {
  type ClosedDiffFacts,
  COMMENT_CHANGE,
  commentedChange,
  DECIDE_EDIT,
  DIFF_CHANGED,
  DIFF_CLOSED,
  editDecision,
  LIST_DIFFS,
  type ListedDiff,
  type ListedEdit,
  SHOW_DIFF,
  SHOW_EDIT,
  type ShownDiffText,
  UNDO_TURN,
  wantedDiff,
  wantedEdit,
} from "./review-protocol.ts";

/** The diffs of a folder that other terminals may review. */
export interface ReviewedFolder {
  readonly host: FolderHost;
  readonly queue: DiffQueue;
  readonly connections: AgentConnections;
  /** The name of the agent of a session. */
  readonly agentOf: (session: string) => string;
  /** Sends comments on a diff or an edit. */
  readonly comment: SendComments;
}

/**
 * Lists and shows the diffs of a folder to a client.
 * @param folder undefined for an editor that shows its diffs itself
 * @returns whether the client was shown a diff, and so may answer it
 */
export function serveReviews(
  peer: Peer,
  folder: ReviewedFolder | undefined,
): (id: DiffId) => boolean {
  const seen = new Set<DiffId>();
  const demand = () => {
    if (folder !== undefined) return folder;
    throw new ToolFailure("this editor shows its diffs itself: answer them there");
  };
  peer.handle(LIST_DIFFS, () =>
    explainFailure(() => {
      const own = demand();
      const edits = own.host.changes.list.all.filter(({ state }) => state === "unreviewed");
      return {
        diffs: own.queue.all.map((queued) => list(queued, own)),
        edits: edits.map(listEdit),
      };
    }),
  );
  peer.handle(SHOW_DIFF, ({ params }) => {
    const wanted = wantedDiff.parse(params ?? {});
    if (!wanted.ok) throw new RpcError(RpcErrorCode.InvalidParams, wanted.issue);
    const { number, pid } = wanted.value;
    return explainFailure(async () => {
      const own = demand();
      await demandPerson(pid, own);
      const shown = show(find(own.queue, number), own);
      seen.add(shown.id);
      return shown;
    });
  });
  const seenEdits = serveEdits(peer, demand);
  peer.handle(COMMENT_CHANGE, ({ params }) => {
    const { id, comments } = parse(commentedChange, params);
    return explainFailure(async () => {
      if (!seen.has(id) && !seenEdits.has(id))
        throw new ToolFailure(`the change ${id} must be shown before it is commented on`);
      return { ...(await demand().comment(id, comments)) };
    });
  });
  const unfollow = folder?.host.onDiff("diffChanged", (pending) => {
    const queued = folder.queue.of(pending);
    if (queued === undefined || !seen.has(pending.request.id)) return;
    peer.notify(DIFF_CHANGED, { ...show(queued, folder) });
  });
  const forget = folder?.host.onDiff("diffClosed", ({ request: { id } }, outcome, by) => {
    if (!seen.delete(id)) return;
    const edited = outcome.kind === "accepted" && outcome.edited;
    const facts: ClosedDiffFacts = { id, outcome: outcome.kind, edited, by };
    peer.notify(DIFF_CLOSED, { ...facts });
  });
  void peer.closed.then(() => {
    unfollow?.();
    forget?.();
  });
  return (id) => seen.has(id);
}

/**
 * Shows edits that came without a review, and decides about those that were shown.
 * @returns those that were shown
 */
function serveEdits(peer: Peer, demand: () => ReviewedFolder): ReadonlySet<string> {
  const seen = new Set<string>();
  const demandShown = (id: string) => {
    const { host } = demand();
    if (seen.has(id)) return host.changes;
    throw new ToolFailure(`the edit ${id} must be shown before it is decided`);
  };
  peer.handle(SHOW_EDIT, ({ params }) => {
    const { id, pid } = parse(wantedEdit, params);
    return explainFailure(async () => {
      const own = demand();
      await demandPerson(pid, own);
      const shown = await editsOf(own.host.changes)
        .show(id)
        .catch((error: Error) => {
          throw new ToolFailure(error.message);
        });
      seen.add(id);
      return { ...shown };
    });
  });
  peer.handle(DECIDE_EDIT, ({ params }) => {
    const decision = parse(editDecision, params);
    return explainFailure(async () => ({ ...(await demandShown(decision.id).decide(decision)) }));
  });
  peer.handle(UNDO_TURN, ({ params }) => {
    const { id } = parse(wantedEdit, params);
    return explainFailure(async () => ({ ...(await demandShown(id).undoTurn(id)) }));
  });
  return seen;
}

function parse<T>(input: CompiledInput<T>, params: Params | undefined): T {
  const read = input.parse(params ?? {});
  if (read.ok) return read.value;
  throw new RpcError(RpcErrorCode.InvalidParams, read.issue);
}

/** @throws ToolFailure for an agent, or a program that it has started */
async function demandPerson(pid: number, { connections }: ReviewedFolder): Promise<void> {
  const refusal = await connections.refusalOf(pid);
  if (refusal !== undefined)
    throw new ToolFailure(`only a person answers a diff, in a terminal: ${refusal}`);
}

function listEdit({ id: edit, path, agent, added, removed }: Change): ListedEdit {
  return { edit, path, agent, added, removed };
}

/** @throws ToolFailure that lists the pending ones */
function find(queue: DiffQueue, number: number): QueuedDiff {
  try {
    return queue.find(String(number));
  } catch (error) {
    throw new ToolFailure((error as Error).message);
  }
}

function list({ number, pending }: QueuedDiff, { host, agentOf }: ReviewedFolder): ListedDiff {
  const { path, outsideWorkspace, session } = pending.request;
  const named = outsideWorkspace ? toNativePath(path, platform) : relativeTo(host.folder, path);
  return { number, path: named, agent: agentOf(session) };
}

function show(
  { pending: { request, current, base, notes, unreadable } }: QueuedDiff,
  { host, agentOf }: ReviewedFolder,
): ShownDiffText {
  const { id, path, oldPath, title, outsideWorkspace, session, proposed } = request;
  return {
    ...{ id, folder: host.folder, path, oldPath, title, outsideWorkspace, proposed },
    agent: agentOf(session),
    ...(current !== undefined && { current }),
    ...(base !== undefined && { base }),
    ...(notes !== undefined && { notes }),
    ...(unreadable !== undefined && { unreadable }),
  };
}
