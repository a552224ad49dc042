import { countAddedHidden, describeAddedHidden } from "@idewire/core/internal";
import { describeHiddenChanges } from "@idewire/core/internal/hunks";

interface DiffTexts {
  readonly original: string;
  readonly proposed: string;
}

/** The hidden characters that a diff adds, in words; undefined when there are none. */
export function describeAddedCharacters({ original, proposed }: DiffTexts): string | undefined {
  const words = describeAddedHidden(countAddedHidden(original, proposed));
  return words === undefined ? undefined : `${words}.`;
}

/** Describes changes of a diff that its lines do not show. */
export function describeHidden({ original, proposed }: DiffTexts): readonly string[] {
  return describeHiddenChanges(original, proposed).map((note) => `${note}.`);
}
