import { useMemo, useState } from "preact/hooks";

/** Deeper and longer than this is opened by hand. */
const OPEN_DEPTH = 4;
const SHOWN_ITEMS = 100;
const SHOWN_TEXT = 400;

/** A JSON text as a tree; JSON inside of texts is decoded, and marked so. */
export function JsonTree({ text }: { readonly text: string }) {
  const value = useMemo(() => decode(text), [text]);
  if (value === undefined) return <pre class="raw">{text.slice(0, 64_000)}</pre>;
  return (
    <div class="json">
      <Node value={value.json} depth={0} />
    </div>
  );
}

function decode(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  if (typeof value === "object" && value !== null) {
    return <Branch name={name} value={value} depth={depth} />;
  }
  return (
    <div class="leaf">
      <Name name={name} />
      {typeof value === "string" ? (
        <TextValue text={value} depth={depth} />
      ) : (
        <span class={`v-${typeof value}`}>{String(value)}</span>
      )}
    </div>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span class="key">{name}: </span>;
}

function Branch({
  name,
  value,
  depth,
}: {
  name: string | undefined;
  value: object;
  depth: number;
}) {
  const entries = Object.entries(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= SHOWN_ITEMS);
  const [shown, setShown] = useState(SHOWN_ITEMS);
  const kind = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="kind">{kind}</span>
      </summary>
      {open &&
        entries
          .slice(0, shown)
          .map(([key, item]) => <Node key={key} name={key} value={item} depth={depth + 1} />)}
      {open && entries.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown + 1000)}>
          {entries.length - shown} more
        </button>
      )}
    </details>
  );
}

function TextValue({ text, depth }: { readonly text: string; readonly depth: number }) {
  const [whole, setWhole] = useState(false);
  const inner = /^\s*[[{]/.test(text) && text.length < 200_000 ? decode(text) : undefined;
  if (inner !== undefined) {
    return (
      <>
        <i class="badge">JSON in text</i>
        <Node value={inner.json} depth={depth + 1} />
      </>
    );
  }
  if (text.length <= SHOWN_TEXT || whole) {
    return <bdi class="v-string">{JSON.stringify(text)}</bdi>;
  }
  return (
    <>
      <bdi class="v-string">{JSON.stringify(text.slice(0, SHOWN_TEXT))}…</bdi>
      <button type="button" class="link" onClick={() => setWhole(true)}>
        all {text.length} characters
      </button>
    </>
  );
}
