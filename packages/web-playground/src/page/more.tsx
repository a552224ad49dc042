import { menuCommands } from "../commands/dialogs.ts";
import { usePage } from "../state/page-context.ts";
import { Ellipsis } from "../ui/icons.ts";
import { Menu } from "../ui/menu.tsx";

/** Rarely used commands: other traces, analyses of a whole trace, the theme. */
export function More() {
  return <Menu title="More" icon={Ellipsis} groups={menuCommands(usePage())} testid="more" />;
}
