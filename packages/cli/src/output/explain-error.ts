import { IdewireError, type IdewireErrorCode } from "@idewire/core/rpc";

/** Remedies at the command line; the messages themselves describe the errors. */
const ADVICE: Partial<Readonly<Record<IdewireErrorCode, string>>> = {
  "not-a-folder": "Give the path of an existing folder.",
  "port-in-use": "Without --port, any free port is used.",
};

/** Explains an error to the person who started the command. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const advice = error instanceof IdewireError ? ADVICE[error.code] : undefined;
  return advice === undefined ? error.message : `${error.message}\n${advice}`;
}
