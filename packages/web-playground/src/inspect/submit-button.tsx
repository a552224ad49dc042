import type { ComponentChildren } from "preact";
import { usePage } from "../state/page-context.ts";

interface SubmitButtonProps {
  readonly testid: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** Sends a form to the server, so that it needs a connection. */
export function SubmitButton({ testid, disabled = false, children }: SubmitButtonProps) {
  const { model } = usePage();
  return (
    <button
      type="submit"
      class="primary"
      disabled={disabled || !model.isReachable}
      data-testid={testid}
    >
      {children}
    </button>
  );
}
