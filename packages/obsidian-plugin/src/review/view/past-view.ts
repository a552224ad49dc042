import { Notice } from "obsidian";
import type { Texts } from "../../texts/index.ts";
import type { ReviewsContext } from "../context.ts";
import type { CurrentText } from "../current-text.ts";
import type { RecordTexts, ReviewRecord } from "../history/record.ts";
import { putIntoNote } from "../restore.ts";

/** What the panel of a past review knows and may do. */
export interface PastView {
  readonly title: string;
  readonly texts: Texts;
  readonly settings: ReviewsContext["settings"];
  readonly record: ReviewRecord | undefined;
  /** Undefined where the texts were not kept. */
  readonly kept: RecordTexts | undefined;
  /** It is a note of this vault. */
  readonly canRestore: boolean;
  isFolded(): boolean;
  describe(record: ReviewRecord): string;
  readNow(): Promise<CurrentText>;
  copy(text: string): Promise<void>;
  put(text: string): Promise<void>;
}

/** Looks a past review up. */
export async function findPast(id: string, context: ReviewsContext): Promise<PastView> {
  const { texts, settings, history, app, paths } = context;
  const found = await history.find(id);
  const record = found?.record;
  const name = record?.name ?? "";
  return {
    title: name === "" ? texts("review.tab.none") : texts("review.tab", { name }),
    texts,
    settings,
    record,
    kept: found?.texts,
    canRestore: record !== undefined && paths.toVault(record.path) !== undefined,
    isFolded: context.isFolded,
    describe: (past) => describePast(past, texts),
    readNow: async () => (record === undefined ? { kind: "missing" } : context.read(record.path)),
    copy: async (text) => {
      await navigator.clipboard.writeText(text);
      new Notice(texts("review.copied"));
    },
    put: async (text) => {
      const isPut = record !== undefined && (await putIntoNote(record.path, text, { app, paths }));
      new Notice(texts(isPut ? "review.restore.done" : "review.restore.failed", { name }));
    },
  };
}

/** Who proposed it, what became of it, and when. */
function describePast({ fate, openedMs, agent }: ReviewRecord, texts: Texts): string {
  const when = new Date(openedMs).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return `${agent} · ${texts("review.past.when", { fate: texts(`review.past.${fate}`), when })}`;
}
