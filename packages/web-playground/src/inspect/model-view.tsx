import { countOf } from "@idewire/core/internal/base";
import { findRefusals, type VendorRefusal } from "@idewire/devtools/internal";
import { useMemo } from "preact/hooks";
import { exactJson } from "../state/exact-json.ts";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { describeSize } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import type { OfferedTool } from "./connections.ts";
import type { ServerViewProps } from "./server-view.tsx";

/** Of English and JSON; each model splits text in its own way. */
const UNITS_PER_TOKEN = 4;
/** Of further warnings, only the number is shown. */
const SHOWN_REFUSALS = 100;
/** The rest of a longer list is copied, not shown. */
const SHOWN_UNITS = 60_000;

/** The tools as a model reads them, and the vendors' refusals of them. */
export function ModelView({ inspector, server }: ServerViewProps) {
  void usePage().model.version.value;
  const { tools } = inspector.connections.listsOf(server.ch);
  const text = useMemo(() => (tools ?? []).map(toText).join("\n\n"), [tools]);
  const refusals = useMemo(() => findRefusals(tools ?? [], server.name), [tools, server.name]);
  if (tools === undefined) return <p class="hint">The tools have not been listed yet.</p>;
  return (
    <div class="model-view" data-testid="model-view">
      <p>
        {countOf(tools.length, "tool")}, {describeSize(text.length)} characters:{" "}
        <b data-testid="tokens">about {Math.ceil(text.length / UNITS_PER_TOKEN)} tokens</b>
      </p>
      <p class="hint">
        Estimated at {UNITS_PER_TOKEN} characters per token; a model reads them in each request.
      </p>
      <Refusals refusals={refusals} />
      <h3>As text</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre class="upgrade" tabIndex={0}>
        <ForeignText text={text.slice(0, SHOWN_UNITS)} />
        {text.length > SHOWN_UNITS && "…"}
      </pre>
      <Button title="Copy the list as text" run={() => copyText(text)} />
    </div>
  );
}

/** Name, description and input schema: annotations and output schemas are for programs. */
function toText({ name, description, inputSchema }: OfferedTool): string {
  const about = typeof description === "string" ? `\n${description}` : "";
  return `${name}${about}\n${exactJson.stringify(inputSchema ?? {})}`;
}

function Refusals({ refusals }: { readonly refusals: readonly VendorRefusal[] }) {
  if (refusals.length === 0) {
    return <p class="hint">No vendor is known to refuse any of these tools.</p>;
  }
  const rest = refusals.length - SHOWN_REFUSALS;
  return (
    <>
      <h3>{countOf(refusals.length, "warning")}</h3>
      <ul class="refusals">
        {refusals.slice(0, SHOWN_REFUSALS).map(({ vendor, tool, pointer, words, source }) => (
          <li key={`${vendor} ${tool} ${pointer} ${words}`} data-testid="refusal">
            <b>{vendor}</b> refuses <ForeignText text={tool} />:{" "}
            <span class="words">
              <ForeignText text={words} />
            </span>
            {pointer !== "" && (
              <>
                {" at "}
                <ForeignText text={pointer} />
              </>
            )}{" "}
            <a href={source} target="_blank" rel="noopener noreferrer">
              report
            </a>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="hint">{rest} more</p>}
    </>
  );
}
