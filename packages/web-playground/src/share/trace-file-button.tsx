import type { Ref } from "preact";

export interface TraceFileButtonProps {
  readonly label: string;
  readonly testId: string;
  readonly input?: Ref<HTMLInputElement>;
  readonly onFile: (file: File) => void;
}

/** Chooses a trace of this machine. */
export function TraceFileButton({ label, testId, input, onFile }: TraceFileButtonProps) {
  return (
    <label class="button">
      {label}
      <input
        ref={input ?? null}
        type="file"
        class="visually-hidden"
        data-testid={testId}
        accept=".jsonl,.har,.json,.txt"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
