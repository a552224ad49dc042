import { usePage } from "../state/page-context.ts";
import type { PageTheme } from "../state/view-state.ts";
import { tours } from "../tours/loaded-tours.ts";
import { Later } from "../ui/later.tsx";

const inspectBar = () => import("../inspect/views.ts").then(({ InspectBar }) => InspectBar);
const transport = () => import("./when-idle.ts").then(({ Transport }) => Transport);
const liveBar = () => import("../live/views.ts").then(({ LiveBar }) => LiveBar);

/** The name, what is played, and how. */
export function TopBar() {
  const { model, view } = usePage();
  const isLive = model.kind.value === "live";
  return (
    <header class="top-bar">
      <h1>idewire playground</h1>
      {isLive ? <Later load={model.inspector ? inspectBar : liveBar} /> : <Play />}
      <span class="spring" />
      {!isLive && <FaultsButton />}
      <button
        type="button"
        onClick={() => {
          view.dialog.value = "share";
        }}
        data-testid="share"
      >
        Keep and share
      </button>
      <ThemeChoice />
      <button
        type="button"
        onClick={() => {
          view.palette.value = true;
        }}
        title="All commands (Ctrl K)"
      >
        Commands
      </button>
    </header>
  );
}

/** What is played, and how fast. */
function Play() {
  const { player, model, view } = usePage();
  const tour = player.playback.value?.tour;
  return (
    <>
      <label class="tour">
        <span>Tour</span>
        <select
          value={tour?.id ?? ""}
          aria-label="Tour"
          data-testid="tour"
          onChange={({ currentTarget }) => {
            const chosen = tours.value.find(({ id }) => id === currentTarget.value);
            if (chosen === undefined) player.leave();
            else player.start(chosen, true);
            view.selected.value = undefined;
          }}
        >
          <option value="">
            {model.kind.value === "replay" ? "(a recording)" : "try it yourself"}
          </option>
          {tours.value.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {tour !== undefined && <Later load={transport} />}
      <label class="speed">
        <span>Speed</span>
        <select
          value={String(model.speed.value)}
          onChange={({ currentTarget }) => {
            model.speed.value = Number(currentTarget.value);
          }}
        >
          {[0, 0.25, 0.5, 1, 2, 10].map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed === 0 ? "time stands" : `${speed}×`}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function FaultsButton() {
  const { model, view } = usePage();
  return (
    <button
      type="button"
      onClick={() => {
        view.dialog.value = "faults";
      }}
      data-testid="faults"
    >
      Faults{model.faults.value === undefined ? "" : ": on"}
    </button>
  );
}

function ThemeChoice() {
  const { view } = usePage();
  return (
    <label class="theme">
      <span class="visually-hidden">Theme</span>
      <select
        value={view.theme.value}
        onChange={({ currentTarget }) => {
          view.theme.value = currentTarget.value as PageTheme;
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
