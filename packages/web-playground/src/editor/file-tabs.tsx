import { baseName } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import { CommandScope } from "../commands/use-command.ts";
import { openChosen, usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";

/** Files as tabs, with marks for unsaved text and problems. */
export function FileTabs({ label, paths }: { readonly label: string; readonly paths: string[] }) {
  const page = usePage();
  const { model } = page;
  const { tabs, unsaved, diagnostics } = model.state.value;
  const active = tabs.at(-1);
  return (
    <CommandScope.Provider value={label}>
      <nav class="bar files" aria-label={label}>
        {paths.sort().map((path) => {
          const count = diagnostics.get(path)?.length ?? 0;
          return (
            <Button
              title={baseName(path)}
              key={path}
              class="tab"
              aria-pressed={path === active}
              needsConnection={path !== active}
              run={() => openChosen(page, path)}
              tooltip={foreignText(path)}
            >
              <ForeignText text={baseName(path)} />
              {unsaved.has(path) && <span class="dot" role="img" aria-label="unsaved" />}
              {count > 0 && (
                <span class="count" role="img" aria-label={countOf(count, "problem")}>
                  {count}
                </span>
              )}
            </Button>
          );
        })}
      </nav>
    </CommandScope.Provider>
  );
}
