import { useState } from "preact/hooks";
import { Button } from "./controls.tsx";
import { ForeignText } from "./foreign-text.tsx";

/** Longer texts push what is below them out of view. */
const SHOWN_UNITS = 500;
const SHOWN_LINES = 8;

/** A text from outside; of a long one, its beginning until the person wants all of it. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const beginning = beginningOf(text);
  return (
    <>
      <ForeignText text={isWhole ? text : beginning} />
      {beginning !== text && (
        <>
          {isWhole ? " " : "… "}
          <Button
            title={isWhole ? "Show less" : `Show all ${text.length} characters`}
            kind="link"
            run={() => setWhole(!isWhole)}
          />
        </>
      )}
    </>
  );
}

function beginningOf(text: string): string {
  const lines = text.split("\n", SHOWN_LINES).join("\n");
  if (lines.length <= SHOWN_UNITS) return lines;
  const cut = lines.slice(0, SHOWN_UNITS);
  const end = cut.lastIndexOf(" ");
  // Without a space, not between the halves of one character.
  return end > 0 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, "");
}
