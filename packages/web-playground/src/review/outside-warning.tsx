import { outsideTexts } from "@idewire/core/internal";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";

interface OutsideWarningProps {
  readonly path: string;
  /** Whether the person has accepted once. */
  readonly isConfirming: boolean;
  readonly accept: () => void;
  readonly cancel: () => void;
}

const OUTSIDE = outsideTexts("folder");

/** The warning above a diff of a file outside the folder, which is accepted twice. */
export function OutsideWarning({ path, isConfirming, accept, cancel }: OutsideWarningProps) {
  return (
    <div class="review-note warning outside" role="alert" data-testid="outside">
      <b>{OUTSIDE.title}</b> The agent would write <ForeignText text={path} />, {OUTSIDE.why}
      {isConfirming && (
        <p class="bar actions">
          <span>{OUTSIDE.question}</span>
          <Button title={OUTSIDE.accept} class="yes" run={accept} />
          <Button title={OUTSIDE.cancel} run={cancel} />
        </p>
      )}
    </div>
  );
}
