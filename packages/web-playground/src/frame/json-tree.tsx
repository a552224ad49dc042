import type { Problem } from "@idewire/devtools/trace";
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";

/** Anything deeper or longer is opened on demand. */
const OPEN_DEPTH = 4;
const SHOWN_ITEMS = 100;
const SHOWN_TEXT = 400;

interface TreeProps {
  readonly text: string;
  /** The place to show, as a JSON pointer. */
  readonly place: string | undefined;
  /** Marked at their places. */
  readonly problems: readonly Problem[];
}

const Marks = createContext<{
  readonly place?: string;
  readonly codes: ReadonlyMap<string, string>;
}>({
  codes: new Map(),
});

/** A JSON text as a tree; JSON inside strings is decoded and marked. */
export function JsonTree({ text, place, problems }: TreeProps) {
  const value = useMemo(() => decode(text), [text]);
  const root = value?.json;
  const marks = useMemo(
    () => ({
      ...(place !== undefined && { place: nearest(root, place) }),
      codes: new Map(problems.map(({ pointer, code }) => [nearest(root, pointer), code])),
    }),
    [root, place, problems],
  );
  if (value === undefined)
    return (
      <pre class="raw">
        <ForeignText text={text.slice(0, 64_000)} />
      </pre>
    );
  return (
    <div class="json">
      <Marks.Provider value={marks}>
        <Node value={value.json} depth={0} pointer="" />
      </Marks.Provider>
    </div>
  );
}

/** The pointer, or the nearest one above it that exists. */
function nearest(root: unknown, pointer: string): string {
  let value = root;
  let found = "";
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) break;
    value = (value as Readonly<Record<string, unknown>>)[name];
    found += `/${part}`;
  }
  return found;
}

function below(pointer: string | undefined, name: string): string | undefined {
  if (pointer === undefined) return undefined;
  return `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The problem at a pointer, and whether it is the place to show. */
function useMark(pointer: string | undefined) {
  const { place, codes } = useContext(Marks);
  const element = useRef<HTMLDivElement>(null);
  const isPlace = pointer !== undefined && pointer === place;
  useEffect(() => {
    if (isPlace) element.current?.scrollIntoView({ block: "center" });
  }, [isPlace]);
  const code = pointer === undefined ? undefined : codes.get(pointer);
  const badge = code === undefined ? null : <i class="badge bad">{code}</i>;
  return { element, isPlace, badge };
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
  /** Undefined inside decoded strings, where no pointer leads. */
  readonly pointer: string | undefined;
}

function Node({ name, value, depth, pointer }: NodeProps) {
  const { element, isPlace, badge } = useMark(pointer);
  if (typeof value === "object" && value !== null) {
    return <Branch name={name} value={value} depth={depth} pointer={pointer} />;
  }
  return (
    <div class={isPlace ? "leaf place" : "leaf"} ref={element}>
      {badge}
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
  return name === undefined ? null : (
    <span class="key">
      <ForeignText text={name} />:{" "}
    </span>
  );
}

interface BranchProps {
  readonly name: string | undefined;
  readonly value: object;
  readonly depth: number;
  readonly pointer: string | undefined;
}

function Branch({ name, value, depth, pointer }: BranchProps) {
  const { place } = useContext(Marks);
  const { element, isPlace, badge } = useMark(pointer);
  const entries = Object.entries(value);
  const holdsPlace = pointer !== undefined && place?.startsWith(`${pointer}/`) === true;
  const [open, setOpen] = useState(
    holdsPlace || (depth < OPEN_DEPTH && entries.length <= SHOWN_ITEMS),
  );
  const [shown, setShown] = useState(holdsPlace ? 2000 : SHOWN_ITEMS);
  const kind = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class={isPlace ? "place" : ""}>
        <span ref={element}>{badge}</span>
        <Name name={name} />
        <span class="kind">{kind}</span>
      </summary>
      {open &&
        entries
          .slice(0, shown)
          .map(([key, item]) => (
            <Node
              key={key}
              name={key}
              value={item}
              depth={depth + 1}
              pointer={below(pointer, key)}
            />
          ))}
      {open && entries.length > shown && (
        <Button class="link" onClick={() => setShown(shown + 1000)}>
          {entries.length - shown} more
        </Button>
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
        <i class="badge">JSON in string</i>
        <Node value={inner.json} depth={depth + 1} pointer={undefined} />
      </>
    );
  }
  if (text.length <= SHOWN_TEXT || whole) {
    return (
      <span class="v-string">
        <ForeignText text={JSON.stringify(text)} />
      </span>
    );
  }
  return (
    <>
      <span class="v-string">
        <ForeignText text={`${JSON.stringify(text.slice(0, SHOWN_TEXT))}…`} />
      </span>
      <Button class="link" onClick={() => setWhole(true)}>
        all {text.length} characters
      </Button>
    </>
  );
}
