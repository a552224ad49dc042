import { branch } from "./branch.ts";
import { tours } from "./sample.ts";
import { panesOf, titleOf } from "./ui/panes.ts";
import type { Parts } from "./ui/parts.ts";

/** One thing that can be done, by name. */
export interface Command {
  readonly name: string;
  /** As it is pressed, for the list. */
  readonly key?: string;
  /** Other keys that do the same, such as those of a clicker. */
  readonly also?: readonly string[];
  run(): void;
}

/** The command of a name or a key. */
export function findCommand(
  parts: Parts,
  { name, key }: { readonly name?: string; readonly key?: string },
): Command | undefined {
  return listCommands(parts).find((one) =>
    key === undefined ? one.name === name : one.key === key || one.also?.includes(key),
  );
}

/** Everything that the page can do. */
export function listCommands({ session, player, view }: Parts): readonly Command[] {
  const { simulation } = session;
  const isLive = session.kind.value === "live";
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
        session.cursor.value = undefined;
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
    ...panesOf(session).map((pane) => ({
      name: `Go to the ${titleOf(pane, session).toLowerCase()} pane`,
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
        name: player.playing.value ? "Pause the tour" : "Play the tour",
        ...(isPresenting ? {} : { key: "Space" }),
        run: () => (player.playing.value ? player.stop() : player.play()),
      },
      {
        name: "One step of the tour",
        ...(isPresenting ? { key: "Space", also: ["]", "PageDown"] } : { key: "]" }),
        run: () => player.step(),
      },
      { name: "Go on from this moment with a new agent", run: () => branch(session) },
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
    if (player.tour.value === undefined && first !== undefined) player.start(first, false);
    player.stop();
  }

  function restart(): void {
    player.leave();
    const fresh = session.simulate();
    fresh.editor.openFile("README.md");
    void fresh.connect();
    view.selected.value = undefined;
  }

  function move(by: number): void {
    const next = (session.cursor.value ?? session.own.log.last) + by;
    session.cursor.value = next >= session.own.log.last ? undefined : Math.max(1, next);
  }
}

function focus(selector: string): void {
  // After what is drawn now, such as a dialog that closes.
  window.setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus());
}
