import { isObject } from "@idewire/core/internal";
import { exactJson } from "../state/exact-json.ts";
import { ForeignText } from "../ui/foreign-text.tsx";

/** The rest of a longer answer is shown with its frame. */
const SHOWN_UNITS = 4_000;
/** Images of these types run no code. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;

type Item = Readonly<Record<string, unknown>>;

/** The content of an answer, item by item: texts and images, and anything else as JSON. */
export function AnswerContent({ raw }: { readonly raw: string }) {
  const { result, error } = exactJson.parse(raw) as { readonly result?: unknown; error?: unknown };
  const items = itemsOf(result);
  if (items === undefined) return <Text text={exactJson.stringify(result ?? error, 2)} />;
  const structured = isObject(result) ? result["structuredContent"] : undefined;
  return (
    <>
      {items.map((item, at) => (
        <ContentItem key={at} item={item} />
      ))}
      {structured !== undefined && (
        <details open={items.length === 0}>
          <summary>Structured content</summary>
          <Text text={exactJson.stringify(structured, 2)} />
        </details>
      )}
    </>
  );
}

/** The items of the result of a tool, a resource or a prompt. */
function itemsOf(result: unknown): readonly Item[] | undefined {
  if (!isObject(result)) return undefined;
  const { content, contents, messages } = result;
  const items = content ?? contents ?? messages;
  return Array.isArray(items) && items.every(isObject) ? items : undefined;
}

function ContentItem({ item }: { readonly item: Item }) {
  const { role, content, resource, data, blob, text } = item;
  const type = item["mimeType"];
  const mimeType = typeof type === "string" ? type : "";
  if (isObject(content)) {
    return (
      <>
        <p class="hint">
          <ForeignText text={String(role)} />
        </p>
        <ContentItem item={content} />
      </>
    );
  }
  if (isObject(resource)) return <ContentItem item={resource} />;
  const bytes = data ?? blob;
  if (typeof bytes === "string" && IMAGE.test(mimeType)) {
    return <img class="answer-image" alt={mimeType} src={`data:${mimeType};base64,${bytes}`} />;
  }
  return <Text text={typeof text === "string" ? text : exactJson.stringify(item, 2)} />;
}

function Text({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre class="upgrade" tabIndex={0}>
      <ForeignText text={text.slice(0, SHOWN_UNITS)} />
    </pre>
  );
}
