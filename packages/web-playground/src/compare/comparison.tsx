import { countOf } from "@idewire/core/internal/base";
import {
  type ChangeKind,
  type ComparedMessages,
  type ListComparison,
  type MemberChange,
  type SessionMessage,
  showChange,
} from "@idewire/devtools/internal";
import type { SessionComparison } from "@idewire/devtools/trace";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { DirectionCell } from "../wire/direction.tsx";
import type { OfferedSession } from "./sessions.ts";

/** The longest part of a value that is shown. */
const VALUE_UNITS = 160;
/** How many rows are shown at first. */
const SHOWN = 200;

interface Sides {
  readonly a: OfferedSession;
  readonly b: OfferedSession;
}

/** How two sessions differ: handshake, lists, then messages. */
export function Comparison({ compared, a, b }: Sides & { readonly compared: SessionComparison }) {
  const { handshake, lists, surface, messages, same } = compared;
  return (
    <div class="compared" data-testid="comparison" data-same={same}>
      <p role="status" data-testid="compared">
        {same
          ? `They are the same: the handshake, all lists and ${countOf(messages.length, "message")}.`
          : summarise(compared)}
      </p>
      {handshake.length > 0 && (
        <Part title="Handshake">
          <Changes changes={handshake.map((c) => ({ ...c, path: `${c.who}${c.path}` }))} />
        </Part>
      )}
      {lists.map((list) => (
        <Part key={list.what} title={list.what.charAt(0).toUpperCase() + list.what.slice(1)}>
          <List list={list} />
        </Part>
      ))}
      {surface.length > 0 && (
        <Part title="What B changes for clients of A">
          {surface.map(({ kind, what, detail }) => (
            <div key={`${what} ${detail}`} class={`compared-row ${surfaceClasses[kind]}`}>
              <div class="compared-what">
                <i class="badge">{surfaceKinds[kind]}</i>
                <ForeignText text={`${what}: ${detail}`} />
              </div>
            </div>
          ))}
        </Part>
      )}
      <Messages messages={messages} a={a} b={b} />
    </div>
  );
}

/** As `idewire check --baseline` names them. */
const surfaceKinds: Readonly<Record<ChangeKind, string>> = {
  ...{ breaking: "breaking", compatible: "compatible", text: "text only" },
};
const surfaceClasses: Readonly<Record<ChangeKind, string>> = {
  ...{ breaking: "only-a", compatible: "only-b", text: "same" },
};

function summarise({ handshake, lists, messages }: SessionComparison): string {
  const differing = messages.filter(({ kind }) => kind !== "same").length;
  const names = lists.map(({ what }) => what).join(", ");
  return [
    handshake.length === 0
      ? "The handshake is the same."
      : `The handshake has ${countOf(handshake.length, "difference")}.`,
    names === "" ? "The lists are the same." : `The lists of ${names} differ.`,
    `Of ${countOf(messages.length, "message")}, ${differing} differ.`,
  ].join(" ");
}

function Part(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

function List({ list: { missing, onlyA, onlyB, changed } }: { readonly list: ListComparison }) {
  if (missing !== undefined) {
    const [has, lacks] = missing === "a" ? ["B", "A"] : ["A", "B"];
    const count = onlyA.length + onlyB.length;
    return <p>{`Only ${has} lists them (${count}); in ${lacks} they were not requested.`}</p>;
  }
  return (
    <>
      {onlyA.map((name) => (
        <Row key={name} kind="only-a" what={<ForeignText text={name} />} />
      ))}
      {onlyB.map((name) => (
        <Row key={name} kind="only-b" what={<ForeignText text={name} />} />
      ))}
      {changed.map(({ name, changes }) => (
        <Row key={name} kind="changed" what={<ForeignText text={name} />} changes={changes} />
      ))}
    </>
  );
}

function Messages({ messages, ...sides }: Sides & Pick<SessionComparison, "messages">) {
  const [all, setAll] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const rows = all ? messages : messages.filter(({ kind }) => kind !== "same");
  return (
    <section>
      <div class="bar compared-bar">
        <h3>Messages</h3>
        <span class="spring" />
        <Checkbox label="Include equal messages" checked={all} onchange={setAll} />
      </div>
      {rows.length === 0 && <p class="hint">No message differs.</p>}
      {rows.slice(0, shown).map((row) => (
        <Message key={keyOf(row)} row={row} {...sides} />
      ))}
      {rows.length > shown && (
        <Button
          title={`${rows.length - shown} more`}
          kind="link"
          run={() => setShown(shown + 1000)}
        />
      )}
    </section>
  );
}

function keyOf(row: ComparedMessages): string {
  return `${"a" in row ? row.a.n : ""} ${"b" in row ? row.b.n : ""}`;
}

function Message({ row, a, b }: Sides & { readonly row: ComparedMessages }) {
  const message = "a" in row ? row.a : row.b;
  const what = (
    <>
      <DirectionCell dir={message.dir} />
      <b>
        <ForeignText text={nameOf(message)} />
      </b>
      {"a" in row && <FrameLink n={row.a.n} of={a} side="A" />}
      {"b" in row && <FrameLink n={row.b.n} of={b} side="B" />}
    </>
  );
  return <Row kind={row.kind} what={what} {...("changes" in row && { changes: row.changes })} />;
}

function nameOf({ kind, method, tool }: SessionMessage): string {
  if (method === undefined) return kind === "answer" ? "Unsolicited reply" : "no message";
  return tool ?? method;
}

/** A link to the frame, if it is in the page's own log. */
function FrameLink(props: {
  readonly n: number;
  readonly of: OfferedSession;
  readonly side: string;
}) {
  const { n, of, side } = props;
  const { model, view } = usePage();
  const words = `${side} ${of.of.index.numberOf(n)}`;
  if (of.of !== model.own) return <span class="hint">{words}</span>;
  const show = (): void => {
    view.dialog.value = undefined;
    view.pane.value = "frame";
    view.show(n);
  };
  return <Button title={words} kind="link" tooltip="Show this frame" run={show} />;
}

const kinds = { same: "same", changed: "differs", "only-a": "only A", "only-b": "only B" };

interface RowProps {
  readonly kind: ComparedMessages["kind"];
  readonly what: ComponentChildren;
  readonly changes?: readonly MemberChange[];
}

function Row({ kind, what, changes = [] }: RowProps) {
  return (
    <div class={`compared-row ${kind}`}>
      <div class="compared-what">
        <i class="badge">{kinds[kind]}</i>
        {what}
      </div>
      {changes.length > 0 && <Changes changes={changes} />}
    </div>
  );
}

function Changes({ changes }: { readonly changes: readonly MemberChange[] }) {
  const [shown, setShown] = useState(20);
  return (
    <>
      <table class="differences">
        <thead class="differences-head">
          <tr>
            <th>member</th>
            <th>A</th>
            <th>B</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, shown).map((change) => {
            const { path, a, b } = showChange(change, VALUE_UNITS);
            return (
              <tr key={path}>
                <th scope="row">
                  <ForeignText text={path} />
                </th>
                <Value text={a} />
                <Value text={b} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {changes.length > shown && (
        <Button
          title={`${changes.length - shown} more`}
          kind="link"
          run={() => setShown(shown + 200)}
        />
      )}
    </>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return <td>{text === undefined ? <i class="hint">none</i> : <ForeignText text={text} />}</td>;
}
