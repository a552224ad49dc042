import type { ComponentChildren } from "preact";
import { openFaults, openPalette, openShare } from "../commands/dialogs.ts";
import { printKey } from "../commands/keys.ts";
import { usePage } from "../state/page-context.ts";
import { CommandButton } from "../ui/controls.tsx";
import { Lazy } from "../ui/lazy.tsx";

const transport = () => import("./when-idle.ts").then(({ Transport }) => Transport);
const more = () => import("./when-idle.ts").then(({ More }) => More);
const tourMenu = () => import("./when-idle.ts").then(({ TourMenu }) => TourMenu);
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
      <CommandButton command={openPalette(page)} tooltip={`All commands (${printKey("Ctrl+K")})`} />
    </header>
  );
}

/** The tour and the speed. */
export function SimulationBar() {
  const page = usePage();
  return (
    <>
      {/* Reserve their space while they load. */}
      <span class="tour">
        <Lazy load={tourMenu} />
      </span>
      {page.player.playback.value !== undefined && <Lazy load={transport} />}
      <span class="speed">
        <Lazy load={speed} />
      </span>
      <span class="spring" />
      <CommandButton command={openFaults(page)} data-testid="faults" />
    </>
  );
}
