import type { ComponentChildren } from "preact";
import { openFaults, openPalette, openShare } from "../commands/dialogs.ts";
import { usePage } from "../state/page-context.ts";
import { tours } from "../tours/loaded-tours.ts";
import { CommandButton, Select } from "../ui/controls.tsx";
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
  const page = usePage();
  return (
    <header class="top-bar">
      <h1>{title}</h1>
      {children}
      <CommandButton command={openShare(page)} data-testid="share" />
      {/* Reserves its space while it loads. */}
      <div class="theme">
        <Later load={theme} />
      </div>
      <CommandButton command={openPalette(page)} tooltip="All commands (Ctrl+K)" />
    </header>
  );
}

/** What is played, and how fast. */
export function SimulationBar() {
  const page = usePage();
  const { player, model, view } = page;
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
        label="Tour"
        value={tour?.id ?? ""}
        testid="tour"
        options={[["", none], ...tours.value.map(({ id, title }) => [id, title] as const)]}
        onselect={choose}
      />
      {tour !== undefined && <Later load={transport} />}
      <Later load={speed} />
      <span class="spring" />
      <CommandButton command={openFaults(page)} data-testid="faults" />
    </>
  );
}
