import { namesOfPointer, pointerTo } from "@idewire/core/internal";
import type { Problem } from "@idewire/devtools/trace";
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../ui/controls.tsx";
import { type FoundPlace, shownValue } from "./find-text.ts";
import { decode, decodeInner, inside, isBranch } from "./json-text.ts";
import { CurrentSearch, MatchedText } from "./matched-text.tsx";

/** Deeper and longer values are expanded on demand. */
const OPEN_DEPTH = 4;
const SHOWN_ITEMS = 100;
const SHOWN_TEXT = 400;

interface TreeProps {
  readonly text: string;
  /** The place to reveal, as a JSON pointer. */
  readonly place: string | undefined;
  /** Highlighted at their places. */
  readonly problems: readonly Problem[];
}

const Marks = createContext<{
  readonly place?: string;
  readonly codes: ReadonlyMap<string, string>;
}>({
  codes: new Map(),
});

/** A JSON text as a tree; JSON inside strings is decoded and marked. Matches of the search are revealed. */
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
        <MatchedText text={text.slice(0, 64_000)} />
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
  for (const name of namesOfPointer(pointer)) {
    if (!isBranch(value) || !Object.hasOwn(value, name)) break;
    value = (value as Readonly<Record<string, unknown>>)[name];
    found = pointerTo(found, name);
  }
  return found;
}

/** The problem at a pointer, and whether it is the place to reveal. */
function useMark(pointer: string) {
  const { place, codes } = useContext(Marks);
  const element = useRef<HTMLDivElement>(null);
  const isPlace = pointer === place;
  useEffect(() => {
    if (isPlace) element.current?.scrollIntoView({ block: "center" });
  }, [isPlace]);
  const code = codes.get(pointer);
  const badge = code === undefined ? null : <i class="badge bad">{code}</i>;
  return { element, isPlace, badge };
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
  /** A JSON pointer, or a path that continues inside a string. */
  readonly pointer: string;
}

function Node({ name, value, depth, pointer }: NodeProps) {
  const { element, isPlace, badge } = useMark(pointer);
  if (isBranch(value)) {
    return <Branch name={name} value={value} depth={depth} pointer={pointer} />;
  }
  return (
    <div class={isPlace ? "leaf place" : "leaf"} ref={element}>
      {badge}
      <Name name={name} pointer={pointer} />
      {typeof value === "string" ? (
        <TextValue text={value} depth={depth} pointer={pointer} />
      ) : (
        <span class={`v-${value !== null && typeof value === "object" ? "number" : typeof value}`}>
          <MatchedText text={shownValue(value)} of={{ path: pointer, part: "value" }} />
        </span>
      )}
    </div>
  );
}

function Name({ name, pointer }: Pick<BranchProps, "name" | "pointer">) {
  return name === undefined ? null : (
    <span class="key">
      <MatchedText text={name} of={{ path: pointer, part: "name" }} />:{" "}
    </span>
  );
}

interface BranchProps {
  readonly name: string | undefined;
  readonly value: object;
  readonly depth: number;
  readonly pointer: string;
}

function Branch({ name, value, depth, pointer }: BranchProps) {
  const { element, isPlace, badge } = useMark(pointer);
  const entries: [string, unknown][] = Object.entries(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= SHOWN_ITEMS);
  const [shown, setShown] = useState({ from: 0, to: SHOWN_ITEMS });
  for (const name of useNewTargets(pointer)) {
    // Rendered immediately, so that the place can be scrolled to.
    const at = entries.findIndex(([key]) => key === name);
    if (!open) setOpen(true);
    if (at < shown.from || at >= shown.to) {
      setShown({ from: Math.max(0, at - 20), to: at + SHOWN_ITEMS });
    }
  }
  const { from, to } = shown;
  const kind = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class={isPlace ? "place" : ""}>
        <span ref={element}>{badge}</span>
        <Name name={name} pointer={pointer} />
        <span class="kind">{kind}</span>
      </summary>
      {open && from > 0 && (
        <Button
          title={`${from} before`}
          kind="link"
          run={() => setShown({ from: Math.max(0, from - 1000), to })}
        />
      )}
      {open &&
        entries
          .slice(from, to)
          .map(([key, item]) => (
            <Node
              key={key}
              name={key}
              value={item}
              depth={depth + 1}
              pointer={pointerTo(pointer, key)}
            />
          ))}
      {open && entries.length > to && (
        <Button
          title={`${entries.length - to} more`}
          kind="link"
          run={() => setShown({ from, to: to + 1000 })}
        />
      )}
    </details>
  );
}

/** The names of the members on the path to the place or match to reveal now. */
function useNewTargets(pointer: string): readonly string[] {
  const { place } = useContext(Marks);
  const now = useContext(CurrentSearch)?.now;
  const before = useRef<{ readonly place?: string; readonly now?: FoundPlace }>({});
  const isNewPlace = before.current.place !== place;
  const isNewFound = before.current.now !== now;
  before.current = { ...(place !== undefined && { place }), ...(now && { now }) };
  const paths = [isNewPlace ? place : undefined, isNewFound ? now?.path : undefined];
  return paths.flatMap((path) =>
    path?.startsWith(`${pointer}/`) ? namesOfPointer(path.slice(pointer.length)).slice(0, 1) : [],
  );
}

interface TextValueProps {
  readonly text: string;
  readonly depth: number;
  readonly pointer: string;
}

function TextValue({ text, depth, pointer }: TextValueProps) {
  const [whole, setWhole] = useState(false);
  const now = useContext(CurrentSearch)?.now;
  const shown = useMemo(() => shownValue(text), [text]);
  const inner = useMemo(() => decodeInner(text), [text]);
  if (inner !== undefined) {
    return (
      <>
        <i class="badge">JSON in string</i>
        <Node value={inner.json} depth={depth + 1} pointer={inside(pointer)} />
      </>
    );
  }
  const of = { path: pointer, part: "value" } as const;
  const isShort = text.length <= SHOWN_TEXT || whole;
  // A match further on is shown with its surroundings.
  const place = now?.path === pointer && now.part === "value" ? now.at : 0;
  const from = isShort || place < SHOWN_TEXT / 2 ? 0 : place - SHOWN_TEXT / 2;
  const to = isShort ? shown.length : from + SHOWN_TEXT;
  return (
    <>
      <span class="v-string">
        {from > 0 && "…"}
        <MatchedText text={shown.slice(from, to)} of={of} from={from} />
        {to < shown.length && "…"}
      </span>
      {!isShort && (
        <Button title={`all ${text.length} characters`} kind="link" run={() => setWhole(true)} />
      )}
    </>
  );
}
