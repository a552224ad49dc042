import { Pencil, Pin, PinOff, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import { exactJson } from "../state/exact-json.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { deleteCall, type SavedCall, saveCall, savedCalls } from "./saved-calls.ts";

/** The longest part of the arguments that is shown. */
const SHOWN_UNITS = 120;

interface SavedCallListProps {
  /** The names of the tools that the editor has listed. */
  readonly tools: ReadonlySet<string>;
  readonly onrun: (call: SavedCall) => void;
  readonly onedit: (call: SavedCall) => void;
}

/** The saved calls of tools: each runs by one action. */
export function SavedCallList(props: SavedCallListProps) {
  const { calls, issue } = savedCalls.value;
  const [failure, setFailure] = useState<string | undefined>();
  return (
    <>
      {[issue, failure].map(
        (words) =>
          words !== undefined && (
            <p class="issue" role="status" data-testid="calls-issue">
              {words}
            </p>
          ),
      )}
      {calls.length > 0 && (
        <ul class="saved-calls" aria-label="Saved calls">
          {calls.map((call) => (
            <SavedCallItem key={call.name} call={call} onfail={setFailure} {...props} />
          ))}
        </ul>
      )}
    </>
  );
}

interface SavedCallItemProps extends SavedCallListProps {
  readonly call: SavedCall;
  readonly onfail: (words: string | undefined) => void;
}

function SavedCallItem({ call, tools, onrun, onedit, onfail }: SavedCallItemProps) {
  const { name, tool, pinned } = call;
  const isListed = tools.has(tool);
  return (
    <li data-testid="saved-call">
      <Button
        title={`Run ${name}`}
        needsConnection
        aria-label={`Run ${name}`}
        run={() => onrun(call)}
      >
        Run
      </Button>
      <span class="saved-call">
        <b>
          <ForeignText text={name} />
        </b>
        <code>
          <ForeignText
            text={`${tool} ${exactJson.stringify(call.arguments).slice(0, SHOWN_UNITS)}`}
          />
        </code>
        {!isListed && <small class="hint">This editor does not list the tool.</small>}
      </span>
      <Button
        title={`${pinned ? "Unpin" : "Pin"} ${name}`}
        icon={pinned ? PinOff : Pin}
        kind="icon"
        run={() => onfail(saveCall({ ...call, pinned: !pinned }))}
      />
      <Button
        title={`Edit ${name}`}
        icon={Pencil}
        kind="icon"
        when={() => isListed}
        run={() => onedit(call)}
      />
      <Button
        title={`Delete ${name}`}
        icon={Trash2}
        kind="icon"
        run={() => onfail(deleteCall(name))}
      />
    </li>
  );
}

interface SaveCallProps {
  /** The initial name; may be empty. */
  readonly start: string;
  readonly tool: string;
  /** The entered arguments; a string says why they are invalid. */
  readonly readArguments: () => string | { readonly value: unknown };
  readonly onissue: (issue: string | undefined) => void;
}

/** Saves the entered call under a name. */
export function SaveCall({ start, tool, readArguments, onissue }: SaveCallProps) {
  const [name, setName] = useState(start);
  const trimmed = name.trim();
  const save = (): void => {
    const args = readArguments();
    if (typeof args === "string") {
      onissue(args);
      return;
    }
    const before = savedCalls.value.calls.find((one) => one.name === trimmed);
    const pinned = before?.pinned ?? false;
    const issue = saveCall({ name: trimmed, tool, arguments: args.value, pinned });
    onissue(issue);
    if (issue === undefined) setName("");
  };
  return (
    <span class="save-call">
      <input
        aria-label="Name to save this call by"
        placeholder="Save as"
        value={name}
        maxLength={60}
        data-testid="call-name"
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Submitting would call the tool.
          event.preventDefault();
          if (trimmed !== "") save();
        }}
      />
      <Button title="Save" when={() => !(trimmed === "")} run={save} data-testid="save-call" />
    </span>
  );
}
