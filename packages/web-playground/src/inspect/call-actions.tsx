import type { FrameFacts } from "@idewire/devtools/internal";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Ellipsis } from "../ui/icons.ts";
import { Menu } from "../ui/menu.tsx";
import { callCommands } from "./call-commands.ts";

interface CallProps {
  readonly facts: FrameFacts;
}

/** Repeats the call of a row, or copies it in another form. */
export function CallActions({ facts }: CallProps) {
  const commands = callCommands(usePage(), facts);
  if (commands.length === 0) return null;
  return (
    <div class="bar actions" data-testid="call-actions">
      {commands.map(({ id, title, text, when, run }) => (
        <Button
          key={id}
          title={title}
          tooltip={text?.slice(0, 500)}
          data-text={text}
          data-testid={id}
          {...(when && { when })}
          run={run}
        />
      ))}
    </div>
  );
}

/** The same in the row itself, as a menu. */
export function CallMenu({ facts }: CallProps) {
  const page = usePage();
  const commands = callCommands(page, facts);
  if (commands.length === 0) return null;
  const title = `Actions of frame ${page.model.index.numberOf(facts.n)}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the clicks of the menu from the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <span class="row-menu" onClick={(event) => event.stopPropagation()}>
      <Menu title={title} icon={Ellipsis} groups={[commands.slice(0, 2), commands.slice(2)]} />
    </span>
  );
}
