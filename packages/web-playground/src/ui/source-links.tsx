import { toSourceLinks } from "@idewire/devtools/trace";

/** Nothing lies beside the single file that is opened from a disk. */
const hasDocs = location.protocol !== "file:";

/** Where something is laid down, to be opened beside this page. */
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
