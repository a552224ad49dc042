import { usePage } from "../state/page-context.ts";
import { Select, set } from "../ui/controls.tsx";

/** Light, dark, or the system's theme. */
export function Theme() {
  const { view } = usePage();
  return (
    <Select
      label="Theme"
      labelClass="visually-hidden"
      value={view.theme.value}
      options={[
        ["system", "System"],
        ["light", "Light"],
        ["dark", "Dark"],
      ]}
      onselect={(theme) => set(view.theme, theme)()}
    />
  );
}
