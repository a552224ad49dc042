import { tours } from "../sample.ts";
import type { Theme } from "../view-state.ts";
import { Later } from "./later.tsx";
import { useParts } from "./parts.ts";

const inspectBar = () => import("../inspect/views.ts").then(({ InspectBar }) => InspectBar);
const liveBar = () => import("../live/live-bar.tsx").then(({ LiveBar }) => LiveBar);

/** The name, what is played, and how. */
export function TopBar() {
  const { session, view } = useParts();
  const isLive = session.kind.value === "live";
  return (
    <header class="top-bar">
      <h1>
        <img src={icon} alt="" width="20" height="20" />
        idewire playground
      </h1>
      {isLive ? <Later load={session.inspector ? inspectBar : liveBar} /> : <Play />}
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
  const { player, session, view } = useParts();
  const tour = player.tour.value;
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
            {session.kind.value === "replay" ? "(a recording)" : "try it yourself"}
          </option>
          {tours.value.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {tour !== undefined && <Transport />}
      <label class="speed">
        <span>Speed</span>
        <select
          value={String(session.speed.value)}
          onChange={({ currentTarget }) => {
            session.speed.value = Number(currentTarget.value);
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
  const { session, view } = useParts();
  return (
    <button
      type="button"
      onClick={() => {
        view.dialog.value = "faults";
      }}
      data-testid="faults"
    >
      Faults{session.faults.value === undefined ? "" : ": on"}
    </button>
  );
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%231f5fd0'/%3E%3Cpath d='M8 11h10m0 0-4-4m4 4-4 4M24 21H14m0 0 4-4m-4 4 4 4' fill='none' stroke='%23fff' stroke-width='2.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

function Transport() {
  const { player } = useParts();
  const tour = player.tour.value;
  if (tour === undefined) return null;
  return (
    <section class="transport" aria-label="Tour">
      <button
        type="button"
        onClick={() => player.start(tour, player.playing.value)}
        title="From the start"
      >
        Restart
      </button>
      <button
        type="button"
        data-testid="play"
        disabled={player.done.value}
        onClick={() => (player.playing.value ? player.stop() : player.play())}
      >
        {player.playing.value ? "Pause" : "Play"}
      </button>
      <button
        type="button"
        data-testid="step"
        disabled={player.done.value}
        onClick={() => {
          player.stop();
          player.step();
        }}
      >
        Step
      </button>
      <span class="hint">
        {player.taken.value}/{tour.steps.length}
      </span>
    </section>
  );
}

function ThemeChoice() {
  const { view } = useParts();
  return (
    <label class="theme">
      <span class="visually-hidden">Theme</span>
      <select
        value={view.theme.value}
        onChange={({ currentTarget }) => {
          view.theme.value = currentTarget.value as Theme;
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
