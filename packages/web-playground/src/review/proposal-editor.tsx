import { usePage } from "../state/page-context.ts";
import { ShadowHost } from "../ui/shadow-host.tsx";
import {
  createReviewEditor,
  type ReviewEditor,
  type ReviewEditorOptions,
} from "./review-editor.ts";
import type { ReviewState } from "./review-state.ts";
import { savedLayout } from "./review-tools.tsx";
import { type LeftReview, saveDraft, savedDraft } from "./saved-drafts.ts";

interface ProposalEditorProps {
  readonly review: LeftReview & Pick<ReviewEditorOptions, "original" | "base">;
  readonly live: boolean;
  readonly opened: { current: ReviewEditor | undefined };
  readonly onstate: (state: ReviewState) => void;
}

/** The proposal, which continues from its saved draft; a draft is saved while the diff can be answered. */
export function ProposalEditor({ review, live, opened, onstate }: ProposalEditorProps) {
  const { model } = usePage();
  const open = async (root: ShadowRoot): Promise<ReviewEditor> => {
    const draft = savedDraft(review);
    const options = { draft, readOnly: !live, layout: savedLayout(), onstate };
    const editor = await createReviewEditor(root, { ...review, ...options });
    if (!live) return editor;
    return saveOnClose(editor, (text) => {
      const { reviews } = model.state.peek();
      saveDraft(review, text, { reviews, isLive: model.live !== undefined });
    });
  };
  return (
    <ShadowHost<ReviewEditor>
      key={review.original}
      text={review.proposed}
      onopen={(editor) => {
        opened.current = editor;
      }}
      open={open}
    />
  );
}

/** Saves the edited text when the review is closed or the page is unloaded. */
function saveOnClose(opened: ReviewEditor, save: (text: string) => void): ReviewEditor {
  const saveNow = () => save(opened.text);
  window.addEventListener("pagehide", saveNow);
  return {
    ...opened,
    get text() {
      return opened.text;
    },
    destroy() {
      window.removeEventListener("pagehide", saveNow);
      saveNow();
      opened.destroy();
    },
  };
}
