import { toSourceLinks } from "@idewire/devtools/internal";

/** The single file, opened from disk, has no documents beside it. */
const hasDocs = location.protocol !== "file:";

/** The sources of a definition; each opens in a tab of its own. */
export function SourceLinks({
  source,
  subject,
}: {
  readonly source: string;
  readonly subject?: string;
}) {
  return (
    <span class="source">
      {toSourceLinks(source, subject).map(({ text, url }, at) => (
        <span key={text}>
          {at > 0 && "; "}
          {url === undefined || !(hasDocs || url.startsWith("https:")) ? (
            text
          ) : (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          )}
        </span>
      ))}
    </span>
  );
}
