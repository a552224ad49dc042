import type { ComponentChildren } from "preact";
import { openFaults, openPalette, openShare } from "../commands/dialogs.ts";
import { usePage } from "../state/page-context.ts";
import { tours } from "../tours/loaded-tours.ts";
import { CommandButton, Select } from "../ui/controls.tsx";
import { Lazy } from "../ui/lazy.tsx";

const transport = () => import("./when-idle.ts").then(({ Transport }) => Transport);
const more = () => import("./when-idle.ts").then(({ More }) => More);
const speed = () => import("./when-idle.ts").then(({ Speed }) => Speed);

interface TopBarProps {
  /** The title; the playground's if left out. */
  readonly title?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The title of the page, its mode, and its actions. */
export function TopBar({ title = "idewire playground", children }: TopBarProps) {
  const page = usePage();
  return (
    <header class="bar top-bar">
      <h1>{title}</h1>
      {children}
      <CommandButton command={openShare(page)} data-testid="share" />
      {/* Reserves its space while it loads. */}
      <span class="more">
        <Lazy load={more} />
      </span>
      <CommandButton command={openPalette(page)} tooltip="All commands (Ctrl+K)" />
    </header>
  );
}

/** The tour and the speed. */
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
      {tour !== undefined && <Lazy load={transport} />}
      <Lazy load={speed} />
      <span class="spring" />
      <CommandButton command={openFaults(page)} data-testid="faults" />
    </>
  );
}
