import { countOf } from "@idewire/core/internal/base";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { SourceLinks } from "../ui/source-links.tsx";

/** The problems of a frame by layer; each links to its place. */
export function ProblemList({ n }: { readonly n: number }) {
  const { view, model } = usePage();
  const problems = model.problems.value?.of(n) ?? [];
  if (problems.length === 0) return null;
  const facts = model.index.of(n);
  const subject = facts?.tool ?? facts?.method;
  return (
    <details class="problems" open data-testid="problems">
      <summary>{countOf(problems.length, "problem")}</summary>
      <ul>
        {problems.map(({ code, pointer, expected, got, rule, source }) => (
          <li key={`${code} ${pointer} ${expected}`}>
            <b class="code">{code}</b>{" "}
            <Button
              title={pointer === "" ? "the whole frame" : pointer}
              isForeign
              kind="link"
              run={() => view.show(n, pointer)}
            />
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
