import { IdewireError, type IdewireErrorCode } from "@idewire/core/rpc";

/** What the person at the command line can do; the messages themselves say what is wrong. */
const ADVICE: Partial<Readonly<Record<IdewireErrorCode, string>>> = {
  "not-a-folder": "Give the path of an existing folder.",
  "port-in-use": "Without --port any free one is taken.",
};

/** An error in words for the person who started the command. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const advice = error instanceof IdewireError ? ADVICE[error.code] : undefined;
  return advice === undefined ? error.message : `${error.message}\n${advice}`;
}
