import { usePage } from "../state/page-context.ts";
import { tours } from "../tours/loaded-tours.ts";
import { Button, Select, set } from "../ui/controls.tsx";
import { Later } from "../ui/later.tsx";

const inspectBar = () => import("../inspect/views.ts").then(({ InspectBar }) => InspectBar);
const transport = () => import("./when-idle.ts").then(({ Transport }) => Transport);
const liveBar = () => import("../live/views.ts").then(({ LiveBar }) => LiveBar);

const speeds = [0, 0.25, 0.5, 1, 2, 10].map(
  (speed) => [String(speed), speed === 0 ? "paused" : `${speed}×`] as const,
);

/** The name of the page, what it plays or shows, and its actions. */
export function TopBar() {
  const { model, view } = usePage();
  const isLive = model.kind.value === "live";
  return (
    <header class="top-bar">
      <h1>idewire playground</h1>
      {isLive ? <Later load={model.inspector ? inspectBar : liveBar} /> : <Play />}
      <span class="spring" />
      {!isLive && (
        <Button onClick={set(view.dialog, "faults")} data-testid="faults">
          Faults{model.faults.value === undefined ? "" : ": on"}
        </Button>
      )}
      <Button onClick={set(view.dialog, "share")} data-testid="share">
        Save and share
      </Button>
      <Select
        class="theme"
        label={<span class="visually-hidden">Theme</span>}
        value={view.theme.value}
        options={[
          ["system", "System"],
          ["light", "Light"],
          ["dark", "Dark"],
        ]}
        onselect={(theme) => set(view.theme, theme)()}
      />
      <Button onClick={set(view.palette, true)} title="All commands (Ctrl K)">
        Commands
      </Button>
    </header>
  );
}

/** What is played, and how fast. */
function Play() {
  const { player, model, view } = usePage();
  const tour = player.playback.value?.tour;
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
      <Select
        class="speed"
        label={<span>Speed</span>}
        value={String(model.speed.value)}
        options={speeds}
        onselect={(speed) => set(model.speed, Number(speed))()}
      />
    </>
  );
}
