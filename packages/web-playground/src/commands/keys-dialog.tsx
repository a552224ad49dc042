import { usePage } from "../state/page-context.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { set } from "../ui/controls.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { printKey } from "./keys.ts";
import { singleKeys } from "./single-keys.ts";

/** All commands with keys. */
export function KeysDialog() {
  const { commands } = usePage();
  void commands.version.value;
  const titles = new Map<string, string[]>();
  for (const { title, keys: [key] = [] } of commands.all) {
    if (key !== undefined) titles.set(key, [...(titles.get(key) ?? []), title]);
  }
  return (
    <Dialog title="Keys">
      <table class="keys">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {[...titles].map(([key, words]) => (
            <tr key={key}>
              <td>
                <kbd>{printKey(key)}</kbd>
              </td>
              <td>{[...new Set(words)].join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label="Single keys work outside of lists and fields"
        checked={singleKeys.value}
        onchange={(isOn) => set(singleKeys, isOn)()}
      />
    </Dialog>
  );
}
