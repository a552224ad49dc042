import { nameOfHidden } from "@idewire/core/internal";

/** A hidden character, shown by its code point, with its name as a tooltip. */
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
