import { branch } from "../state/branch.ts";
import type { PageContext } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import type { PaneName } from "../state/view-state.ts";
import { tours } from "../tours/loaded-tours.ts";
import { panesOf, titleOf } from "./panes.ts";

/** One thing that can be done, by name. */
export interface Command {
  readonly name: string;
  /** As it is pressed, for the list. */
  readonly key?: string;
  /** Other keys that do the same, such as those of a clicker. */
  readonly also?: readonly string[];
  run(): void;
}

/** Which command is wanted: that of a key, or the pane so many after this one. */
export interface WantedCommand {
  readonly key?: string;
  readonly panes?: number;
}

/** The command of a key or of a pane. */
export function findCommand(
  page: PageContext,
  { key, panes = 0 }: WantedCommand,
): Command | undefined {
  const name = paneAway(page, panes);
  return listCommands(page).find((one) =>
    key === undefined ? one.name === name : one.key === key || one.also?.includes(key),
  );
}

function paneAway({ model, view }: PageContext, step: number): string {
  const panes = panesOf(model);
  const next = panes.at((panes.indexOf(view.pane.value) + step) % panes.length) ?? "editor";
  return nameOfPane(next, model);
}

function nameOfPane(pane: PaneName, model: PageModel): string {
  return `Go to the ${titleOf(pane, model).toLowerCase()} pane`;
}

/** Everything that the page can do. */
export function listCommands({ model, player, view }: PageContext): readonly Command[] {
  const { simulation } = model;
  const playback = player.playback.value;
  const isLive = model.kind.value === "live";
  const isPresenting = view.presenter.value;
  const show = (name: "faults" | "share" | "doctor"): void => {
    view.dialog.value = name;
  };
  return [
    ...(isLive ? [{ name: "Connection doctor", run: () => show("doctor") }] : simulated()),
    {
      name: "Check whether the editor keeps the rules",
      run: () => {
        view.pane.value = "wire";
        view.wireTab.value = "checks";
        focus("[data-testid=run-checks]");
      },
    },
    { name: "Go back one event", key: "[", run: () => move(-1) },
    { name: "Go on one event", run: () => move(1) },
    {
      name: "Back to now",
      run: () => {
        model.cursor.value = undefined;
      },
    },
    { name: "Filter frames", key: "/", run: () => focus("[data-testid=filter]") },
    { name: "Keep and share", run: () => show("share") },
    {
      ...(isPresenting
        ? { name: "Leave presenter mode", key: "Escape" }
        : { name: "Presenter mode: large type, notes, a key a step" }),
      run: () => present(),
    },
    ...(["system", "light", "dark"] as const).map((theme) => ({
      name: `Theme: ${theme}`,
      run: () => {
        view.theme.value = theme;
      },
    })),
    ...panesOf(model).map((pane) => ({
      name: nameOfPane(pane, model),
      run: () => {
        view.pane.value = pane;
        focus(`[data-pane=${pane}] :is([tabindex="0"], button)`);
      },
    })),
    ...(simulation === undefined
      ? []
      : [{ name: "Connect the agent", run: () => void simulation.connect() }]),
  ];

  function simulated(): readonly Command[] {
    return [
      { name: "Start again, with both ends in this page", run: () => restart() },
      {
        name: playback?.playing.value ? "Pause the tour" : "Play the tour",
        ...(isPresenting ? {} : { key: "Space" }),
        run: () => (playback?.playing.value ? playback.stop() : playback?.play()),
      },
      {
        name: "One step of the tour",
        ...(isPresenting ? { key: "Space", also: ["]", "PageDown"] } : { key: "]" }),
        run: () => playback?.step(),
      },
      { name: "Go on from this moment with a new agent", run: () => branch(model) },
      { name: "Faults", run: () => show("faults") },
      ...tours.value.map((tour) => ({
        name: `Tour: ${tour.title}`,
        run: () => player.start(tour, true),
      })),
    ];
  }

  /** There is something to present from the start. */
  function present(): void {
    view.presenter.value = !isPresenting;
    const [first] = tours.value;
    if (isPresenting || isLive) return;
    if (playback === undefined && first !== undefined) player.start(first, false);
    playback?.stop();
  }

  function restart(): void {
    player.leave();
    const fresh = model.simulate();
    void fresh.command({ do: "open", path: "README.md" });
    void fresh.connect();
    view.selected.value = undefined;
  }

  function move(by: number): void {
    const next = (model.cursor.value ?? model.own.log.last) + by;
    model.cursor.value = next >= model.own.log.last ? undefined : Math.max(1, next);
  }
}

function focus(selector: string): void {
  // After what is drawn now, such as a dialog that closes.
  window.setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus());
}
