import type { DiffOutcome, DiffRequest, PosixPath } from "@idewire/core";
import type { CloseDiffReason, ClosedDiff, DiffId } from "@idewire/core/internal";
import { systemClock } from "@idewire/core/internal";
import { type App, debounce, Notice } from "obsidian";
import type { OpenWindow } from "../plugin-windows.ts";
import { texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { reviewCommands } from "./commands.ts";
import type { Registrar, ReviewSettings, ReviewsContext, ViewHolder } from "./context.ts";
import { readFileTexts } from "./current-text.ts";
import { ReviewHistory } from "./history/history.ts";
import { HistoryModal } from "./history/history-modal.ts";
import type { ReviewRecord } from "./history/record.ts";
import { openHistoryStore } from "./history/store.ts";
import { LostReviews } from "./lost-reviews.ts";
import { putIntoNote } from "./restore.ts";
import type { Review } from "./review.ts";
import { ReviewController } from "./review-controller.ts";
import { ReviewTabs } from "./review-tabs.ts";
import { type NoteOutlet, sendNoteComments } from "./send-note-comments.ts";
import { createUnreviewed } from "./unreviewed/index.ts";
import { REVIEW_VIEW, ReviewView } from "./view/review-view.ts";
import { watchFiles } from "./watch-files.ts";

export type { ReviewSettings } from "./context.ts";

/** The reviews of this vault, as the editor host uses them. */
export interface Reviews {
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome>;
  close(id: DiffId, why: CloseDiffReason): Promise<ClosedDiff>;
  readonly pending: readonly Pick<DiffRequest, "id" | "path" | "title">[];
  /** Edits that agents write without a review. */
  readonly unreviewed: {
    /** An agent is about to write a file: resolves once its text is known. */
    announced(path: PosixPath): Promise<void>;
    /** Other agents are connected now. */
    agentsChanged(names: readonly string[]): void;
    /** An agent has written these files in a turn; without its name, another program may have. */
    attribute(agent: string | undefined, written: readonly PosixPath[], turn?: string): void;
    show(): void;
  };
  /** Calls the listener when {@link pending} may have changed. */
  onChange(listener: () => void): () => void;
  /** Shows the pending review, or the next one. */
  showNext(): void;
  openHistory(): void;
  /** The exclusions may have changed: the history keeps no texts of excluded notes. */
  exclusionsChanged(): void;
}

export interface ReviewsParts {
  readonly app: App;
  readonly registrar: Registrar;
  readonly paths: VaultPaths;
  readonly settings: ReviewSettings;
  readonly agentName: (request: DiffRequest) => string;
  /** The text in an open tab of the file, saved or not. */
  readonly shownText: (path: PosixPath) => string | undefined;
  /** Whether an open tab of the file has text that is not saved. */
  readonly isUnsaved: (path: PosixPath) => boolean;
  /** Whether the file is never shared: its text is not kept in the history either. */
  readonly isExcluded: (path: PosixPath) => boolean;
  readonly comments: NoteOutlet;
  readonly openWindow: OpenWindow;
  /** Called when another program has written a note while an agent is connected. */
  readonly onWritten: (path: PosixPath) => void;
  /** Whether that is certain, so that stored texts are deleted. */
  readonly isKnownExcluded: (path: PosixPath) => boolean;
}

/** Local storage key of the name of the vault's history. */
const HISTORY_KEY = "idewire-review-history";

const DROP_AFTER_MS = 1_000;

/** Shows the diffs of agents and waits for the person's decision. */
export function createReviews(parts: ReviewsParts): Reviews {
  const { app, registrar, paths, settings } = parts;
  const history = createHistory(parts);
  const controller = createController(parts, history);
  const viewHolder: ViewHolder = { holder: undefined };
  const tabs = new ReviewTabs({ app, controller, registrar });
  const openList = (onlyUnreviewed: boolean) => {
    const show = ({ id }: ReviewRecord) => void tabs.showPast(id);
    parts.openWindow(new HistoryModal(app, { history, onlyUnreviewed, show }));
  };
  const openHistory = () => openList(false);
  const unreviewed = createUnreviewed({ ...parts, history, controller });
  let isFolded = true;
  let isPreviewed = false;
  const context: ReviewsContext = {
    app,
    paths,
    settings,
    controller,
    history,
    viewHolder,
    read: async (path) => (await readFileTexts(path, parts.shownText)).shown,
    comment: (change, comments) => sendNoteComments(change, comments, parts.comments),
    openHistory,
    openUnreviewed: () => openList(true),
    undoEdit: (path, kept, hunk) => unreviewed.undo(path, kept, hunk),
    isFolded: () => isFolded,
    setFolded: (folded) => {
      isFolded = folded;
      for (const view of reviewViews(app)) view.setFolded();
    },
    isPreviewed: () => isPreviewed,
    setPreviewed: (previewed) => {
      isPreviewed = previewed;
      for (const view of reviewViews(app)) view.updatePanel();
    },
    showCurrent: () => void tabs.showCurrent({ focus: true }),
    showNext: () => void tabs.showNext(),
  };
  register(parts, context);
  return {
    open: (request, signal) => controller.open(request, signal),
    close: (id, why) => Promise.resolve(controller.close(id, why)),
    get pending() {
      return controller.queue.waiting.map(({ request: { id, path, title } }) => ({
        id,
        path,
        title,
      }));
    },
    onChange(listener) {
      const events = ["current", "review", "ended"] as const;
      const undo = events.map((event) => controller.on(event, () => listener()));
      return () => undo.forEach((each) => void each());
    },
    showNext: context.showNext,
    openHistory,
    unreviewed: { ...unreviewed, show: context.openUnreviewed },
    exclusionsChanged: () => {
      history.dropExcluded();
      unreviewed.forgetExcluded();
    },
  };
}

function createController(parts: ReviewsParts, history: ReviewHistory): ReviewController {
  const { app, paths } = parts;
  return new ReviewController({
    history,
    clock: systemClock,
    newId: () => window.crypto.randomUUID(),
    pause: () => new Promise((resolve) => void window.setTimeout(resolve)),
    read: (path) => readFileTexts(path, parts.shownText),
    isUnsaved: parts.isUnsaved,
    nameOf: (request) => nameOf(request, paths),
    nameAt: (path) => paths.toVault(path) ?? path,
    put: (path, text) => putIntoNote(path, text, { app, paths }),
    agentName: parts.agentName,
    isExcluded: parts.isExcluded,
  });
}

/** Everything registered is removed when the plugin unloads. */
function register(parts: ReviewsParts, context: ReviewsContext): void {
  const { app, paths, registrar } = parts;
  const { controller, history } = context;
  history.expireAll();
  dropExcludedLater(history, parts);
  registrar.registerView(REVIEW_VIEW, (leaf) => new ReviewView(leaf, context));
  for (const command of reviewCommands(context)) registrar.addCommand(command);
  const lost = new LostReviews((text) => void new Notice(text));
  registrar.register(controller.on("gone", (review) => lost.add(review)));
  registrar.register(
    controller.on("too-long", ({ name }) => void new Notice(texts.review.tooLong(name))),
  );
  registrar.register(
    controller.on("not-put", ({ name }) => void new Notice(texts.review.restore.failed(name))),
  );
  watchFiles({
    app,
    registrar,
    paths,
    onchange: (path) => void controller.recheckPath(path),
    onrename: (from, to) => controller.renamed(from, to),
  });
  // Before the connection closes, which would close the tabs: after a restart they show the review as expired.
  registrar.registerEvent(app.workspace.on("quit", () => controller.end()));
  registrar.registerDomEvent(window, "pagehide", () => controller.end());
  // Registered last and so undone first: pending reviews are settled before their tabs close.
  registrar.register(() => {
    notifyUnloaded(controller.queue.waiting);
    controller.end();
    void history.close();
  });
}

/** The person is still there: at the end of the app no review is pending any more. */
function notifyUnloaded(waiting: readonly Review[]): void {
  const [first] = waiting;
  if (first === undefined) return;
  const { unloaded, unloadedTogether } = texts.review;
  new Notice(waiting.length === 1 ? unloaded(first) : unloadedTogether(waiting.length), 0);
}

function reviewViews(app: App): readonly ReviewView[] {
  const views = app.workspace.getLeavesOfType(REVIEW_VIEW).map(({ view }) => view);
  return views.filter((view) => view instanceof ReviewView);
}

/** A note that gets an excluded tag, or moves to an excluded folder, loses the texts that were kept. */
function dropExcludedLater(history: ReviewHistory, { app, registrar }: ReviewsParts): void {
  const drop = debounce(() => history.dropExcluded(), DROP_AFTER_MS, true);
  registrar.registerEvent(app.metadataCache.on("changed", () => void drop()));
  registrar.registerEvent(app.metadataCache.on("resolved", () => void drop()));
  registrar.registerEvent(app.vault.on("rename", () => void drop()));
  registrar.register(() => void drop.cancel());
}

function createHistory({ app, settings, isKnownExcluded }: ReviewsParts): ReviewHistory {
  return new ReviewHistory({
    openStore: () => openHistoryStore(window.indexedDB, historyName(app)),
    nowMs: () => Date.now(),
    days: () => settings.historyDays,
    isExcluded: isKnownExcluded,
    onerror: (error) => {
      new Notice(texts.review.history.failed((error as Error).message));
    },
  });
}

/** Every vault on this device has its own history. */
function historyName(app: App): string {
  const known: unknown = app.loadLocalStorage(HISTORY_KEY);
  if (typeof known === "string") return known;
  const name = `${HISTORY_KEY}-${window.crypto.randomUUID()}`;
  app.saveLocalStorage(HISTORY_KEY, name);
  return name;
}

async function nameOf({ path, outsideWorkspace }: DiffRequest, paths: VaultPaths) {
  const vaultPath = paths.toVault(path);
  const isLedOutside = await paths.demandInside(path).then(
    () => false,
    () => true,
  );
  return { name: vaultPath ?? path, isOutside: outsideWorkspace || isLedOutside };
}
