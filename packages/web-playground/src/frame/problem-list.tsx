import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { SourceLinks } from "../ui/source-links.tsx";

/** What is wrong with a frame, layer by layer; each leads to its place. */
export function ProblemList({ n }: { readonly n: number }) {
  const { view, model } = usePage();
  const problems = model.problems.value?.of(n) ?? [];
  if (problems.length === 0) return null;
  const facts = model.index.of(n);
  const subject = facts?.tool ?? facts?.method;
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return (
    <details class="problems" open data-testid="problems">
      <summary>{count}</summary>
      <ul>
        {problems.map(({ code, pointer, expected, got, rule, source }) => (
          <li key={`${code} ${pointer} ${expected}`}>
            <b class="code">{code}</b>{" "}
            <button type="button" class="link" onClick={() => view.show(n, pointer)}>
              <ForeignText text={pointer === "" ? "the whole frame" : pointer} />
            </button>
            <p>
              {rule} Expected {expected}; got <ForeignText text={got} />.
            </p>
            <small>
              <SourceLinks source={source} {...(subject !== undefined && { subject })} />
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}
