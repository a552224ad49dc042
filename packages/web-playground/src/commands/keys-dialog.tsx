import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { printKey } from "./keys.ts";
import type { Command } from "./registry.ts";
import { singleKeys } from "./single-keys.ts";

/** All commands with keys: those that can run now before the others. */
export function KeysDialog() {
  const { commands } = usePage();
  void commands.version.value;
  const withKeys = commands.all.filter(({ keys = [] }) => keys.length > 0);
  return (
    <Dialog title="Keys">
      <KeyTable title="Now" commands={withKeys.filter((command) => commands.canRun(command))} />
      <KeyTable
        title="In another pane or state"
        commands={withKeys.filter((command) => !commands.canRun(command))}
      />
      <Checkbox
        label="Single keys work outside of lists and fields"
        checked={singleKeys.value}
        onchange={(isOn) => set(singleKeys, isOn)()}
      />
    </Dialog>
  );
}

function KeyTable({
  title,
  commands,
}: {
  readonly title: string;
  readonly commands: readonly Command[];
}) {
  const titles = new Map<string, Set<string>>();
  for (const command of commands) {
    const [key = ""] = command.keys ?? [];
    titles.set(key, (titles.get(key) ?? new Set()).add(command.title));
  }
  if (titles.size === 0) return null;
  return (
    <table class="keys">
      <caption>{title}</caption>
      <tbody>
        {[...titles].map(([key, words]) => (
          <tr key={key}>
            <th scope="row">
              <kbd>{printKey(key)}</kbd>
            </th>
            <td>{[...words].join("; ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
