import type { ComponentChildren } from "preact";
import { usePage } from "../state/page-context.ts";
import { tours } from "../tours/loaded-tours.ts";
import { Button, Select, set } from "../ui/controls.tsx";
import { Later } from "../ui/later.tsx";

const transport = () => import("./when-idle.ts").then(({ Transport }) => Transport);
const theme = () => import("./when-idle.ts").then(({ Theme }) => Theme);
const speed = () => import("./when-idle.ts").then(({ Speed }) => Speed);

interface TopBarProps {
  /** What is shown; the playground when left out. */
  readonly title?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The name of the page, what it plays or shows, and its actions. */
export function TopBar({ title = "idewire playground", children }: TopBarProps) {
  const { view } = usePage();
  return (
    <header class="top-bar">
      <h1>{title}</h1>
      {children}
      <Button onClick={set(view.dialog, "share")} data-testid="share">
        Save and share
      </Button>
      {/* It has its room before it is there. */}
      <div class="theme">
        <Later load={theme} />
      </div>
      <Button onClick={set(view.palette, true)} title="All commands (Ctrl K)">
        Commands
      </Button>
    </header>
  );
}

/** What is played, and how fast. */
export function SimulationBar() {
  const { player, model, view } = usePage();
  const tour = player.playback.value;
  const none = model.kind.value === "replay" ? "(recorded trace)" : "Try it yourself";
  const choose = (chosen: string): void => {
    const found = tours.value.find(({ id }) => id === chosen);
    if (found === undefined) player.leave();
    else player.start(found, true);
    view.selected.value = undefined;
  };
  return (
    <>
      <Select
        class="tour"
        label={<span>Tour</span>}
        value={tour?.id ?? ""}
        testid="tour"
        options={[["", none], ...tours.value.map(({ id, title }) => [id, title] as const)]}
        onselect={choose}
      />
      {tour !== undefined && <Later load={transport} />}
      <Later load={speed} />
      <span class="spring" />
      <Button onClick={set(view.dialog, "faults")} data-testid="faults">
        Faults{model.faults.value === undefined ? "" : ": on"}
      </Button>
    </>
  );
}
