import {
  type DocSection,
  docsOf,
  type FrameFacts,
  type ListedTool,
} from "@idewire/devtools/internal";
import { usePage } from "../state/page-context.ts";
import { rawOf } from "../state/raw-of.ts";
import { SourceLinks } from "../ui/source-links.tsx";

/** The fields of a frame, with the source of their definition. */
export function SchemaView({ facts }: { readonly facts: FrameFacts }) {
  const { model } = usePage();
  const sections = docsOf(facts, findListed());
  if (sections.length === 0) {
    return <p class="empty">No schema is known for this frame.</p>;
  }
  return (
    <>
      {sections.map((section) => (
        <Section key={section.title} section={section} subject={facts.tool ?? facts.method} />
      ))}
    </>
  );

  /** The tool as this connection's server last listed it. */
  function findListed(): ListedTool | undefined {
    const { tool, ch } = facts;
    if (tool === undefined) return undefined;
    const newest = model.index.frames.findLast(
      (one) => one.kind === "result" && one.method === "tools/list" && one.ch === ch,
    );
    if (newest === undefined) return undefined;
    try {
      const { result } = JSON.parse(rawOf(model, newest.n)) as {
        result: { tools: (Partial<ListedTool> & { name: string })[] };
      };
      const found = result.tools.find(({ name }) => name === tool);
      if (typeof found?.inputSchema !== "object" || found.inputSchema === null) return undefined;
      return { description: String(found.description ?? ""), inputSchema: found.inputSchema };
    } catch {
      // A server may return anything; the definition of the dialect is shown instead.
      return undefined;
    }
  }
}

/** What is between backticks is code, as in Markdown. */
function Words({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split("`")
        .map((part, at, parts) =>
          at % 2 === 1 && at < parts.length - 1 ? <code key={at}>{part}</code> : part,
        )}
    </>
  );
}

interface SectionProps {
  readonly section: DocSection;
  readonly subject: string | undefined;
}

function Section({ section: { title, about, fields, source }, subject }: SectionProps) {
  return (
    <section class="docs">
      <h3>{title}</h3>
      {about.map((words) => (
        <p key={words}>
          <Words text={words} />
        </p>
      ))}
      {fields.length === 0 ? (
        <p class="hint">No fields of its own</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">field</th>
              <th scope="col">type</th>
              <th scope="col">about</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, depth, type, required, about: words }, at) => (
              <tr key={at}>
                <td class="field" style={{ paddingInlineStart: `${depth * 12}px` }}>
                  <code>{name}</code>
                  {!required && <span class="hint"> optional</span>}
                </td>
                <td>{type}</td>
                <td>
                  <Words text={words} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <small class="hint">
        Source: <SourceLinks source={source} {...(subject !== undefined && { subject })} />
      </small>
    </section>
  );
}
