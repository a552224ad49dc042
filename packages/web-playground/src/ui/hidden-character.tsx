import { nameOfHidden } from "@idewire/core/internal";

/** A hidden character, shown by its number and named for who asks. */
export function HiddenCharacter({
  codePoint,
  number,
}: {
  readonly codePoint: number;
  readonly number: string;
}) {
  const name = nameOfHidden(codePoint);
  return (
    <span class="hidden-character" role="img" title={name} aria-label={`${number} ${name}`}>
      {number}
    </span>
  );
}
