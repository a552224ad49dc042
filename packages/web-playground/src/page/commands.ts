import { loadComments } from "../comments/load-comments.ts";
import { branch } from "../state/branch.ts";
import type { LoadedComments } from "../state/comments.ts";
import { moveTo, shownNumberOf } from "../state/moments.ts";
import type { PageContext } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import type { DialogName, PaneName } from "../state/view-state.ts";
import { tours } from "../tours/loaded-tours.ts";
import { set } from "../ui/controls.tsx";
import { panesOf, titleOf } from "./panes.ts";
import { listControls } from "./screen-controls.ts";

/** An action with a name. */
export interface Command {
  readonly name: string;
  /** The key as the palette shows it. */
  readonly key?: string;
  /** Other keys that do the same, such as those of a clicker. */
  readonly also?: readonly string[];
  run(): void;
}

/** Selects a command: by its key, or the pane that is `panes` after the current one. */
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
  return nameCommands(page).find((one) =>
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

/** Everything that the page can do: what has no control on the screen, and every control there. */
export function listCommands(page: PageContext): readonly Command[] {
  const commands = nameCommands(page);
  const names = new Set(["Commands", ...commands.map(({ name }) => name)]);
  return [...commands, ...listControls().filter(({ name }) => !names.has(name))];
}

function nameCommands({ model, player, view }: PageContext): readonly Command[] {
  const playback = player.playback.value;
  const isLive = model.kind.value === "live";
  const isPresenting = view.presenter.value;
  const isInTour = playback !== undefined && model.cursor.value === undefined;
  return [
    ...(isLive ? [] : simulated()),
    {
      name: "Check the editor against the rules",
      run: () => {
        view.pane.value = "wire";
        view.wireTab.value = "checks";
        focus("[data-testid=run-checks]");
      },
    },
    { name: "Previous event", key: "[", run: () => move(-1) },
    { name: "Next event", ...(isInTour ? {} : { key: "]" }), run: () => move(1) },
    { name: "Back to now", run: set(model.cursor, undefined) },
    {
      name: "Filter frames",
      key: "/",
      run: () => {
        view.pane.value = "wire";
        focus("[data-testid=filter]");
      },
    },
    { name: "Clear the filter", run: set(view.filter, "") },
    { name: "Saved filters", run: set(view.dialog, "filters" as const) },
    ...marking(),
    ...(model.inspector === undefined ? commenting() : []),
    { name: "Save and share", run: set(view.dialog, "share" as const) },
    { name: "Compare sessions", run: set(view.dialog, "compare" as const) },
    { name: "Replay against the editor", run: set(view.dialog, "replay" as const) },
    { name: "Latency by tool", run: set(view.dialog, "latency" as const) },
    { name: "Save as a scenario", run: set(view.dialog, "scenario" as const) },
    { name: "Open a trace", run: () => pressIn("share", "open-file") },
    { name: "Save the trace as JSON Lines", run: () => pressIn("share", "save-jsonl") },
    { name: "Save the trace as HAR", run: () => pressIn("share", "save-har") },
    { name: "Copy a link to this trace", run: () => pressIn("share", "copy-link") },
    { name: "Keys", key: "?", run: set(view.dialog, "keys" as const) },
    {
      ...(isPresenting
        ? { name: "Leave presenter mode", key: "Escape" }
        : { name: "Presenter mode: large type, notes, one key per step" }),
      run: () => present(),
    },
    ...panesOf(model).map((pane) => ({
      name: nameOfPane(pane, model),
      run: () => {
        view.pane.value = pane;
        focus(`[data-pane=${pane}] :is([tabindex="0"], button)`);
      },
    })),
  ];

  function commenting(): readonly Command[] {
    const act = (run: (comments: LoadedComments) => void) => () => {
      view.pane.value = "editor";
      void loadComments(model).then(run);
    };
    return [
      { name: "Comment on this line", key: "Ctrl F9", run: act((all) => all.commentHere()) },
      { name: "Next comment", key: "Alt F9", run: act((all) => all.step(1)) },
      { name: "Previous comment", key: "Shift Alt F9", run: act((all) => all.step(-1)) },
      { name: "Search comments", run: act((all) => all.find()) },
    ];
  }

  function marking(): readonly Command[] {
    const n = view.selected.value;
    const event = n === undefined ? undefined : model.log.at(n);
    const show = { name: "Show marked frames", run: set(view.filter, "is:marked") };
    if (event === undefined) return [show];
    const isMarked = event.mark !== undefined;
    const run = (): void => {
      model.log.mark(event.n, isMarked ? undefined : "");
      model.redraw();
    };
    return [
      { name: "Find in the frame", key: "f", run: findInFrame },
      { name: isMarked ? "Remove the mark" : "Mark the frame", key: "m", run },
      show,
    ];
  }

  /** Its schema is no text of the frame. */
  function findInFrame(): void {
    view.pane.value = "frame";
    if (view.frameTab.value === "schema") view.frameTab.value = "tree";
    whenThere("[data-testid=find], [data-testid=find-text]", (control) => {
      control.click();
      control.focus();
    });
  }

  function simulated(): readonly Command[] {
    return [
      { name: "Restart the simulation", run: () => restart() },
      {
        name: playback?.playing.value ? "Pause the tour" : "Play the tour",
        ...(isPresenting ? {} : { key: "Space" }),
        run: () => (playback?.playing.value ? playback.stop() : playback?.play()),
      },
      {
        name: "Next step of the tour",
        ...(isPresenting
          ? { key: "Space", also: ["]", "PageDown"] }
          : isInTour
            ? { key: "]" }
            : {}),
        run: () => playback?.step(),
      },
      { name: "Branch from this moment with a new agent", run: () => branch(model) },
      { name: "Faults", run: set(view.dialog, "faults" as const) },
      { name: "Breakpoint", run: set(view.dialog, "breakpoint" as const) },
      { name: "Copy a link with the faults", run: () => pressIn("faults", "fault-link") },
      { name: "Change the token of the editor", run: () => pressIn("faults", "change-token") },
    ];
  }

  /** A simulation without a tour begins the first one: something has to be presented. */
  function present(): void {
    view.presenter.value = !isPresenting;
    const [first] = tours.value;
    if (isPresenting || isLive) return;
    if (playback === undefined && first !== undefined) player.start(first, false);
    playback?.stop();
  }

  function restart(): void {
    player.leave();
    model.startOver();
    view.selected.value = undefined;
  }

  /** Opens a dialog and presses a button of it, as soon as that can be pressed. */
  function pressIn(dialog: DialogName, testid: string): void {
    view.dialog.value = dialog;
    whenThere(`dialog [data-testid=${testid}]:not(:disabled)`, (button) => button.click());
  }

  function move(by: number): void {
    moveTo(model, shownNumberOf(model) + by);
  }
}

/** Focuses what is drawn after this, such as behind a dialog that closes, or is loaded first. */
function focus(selector: string): void {
  whenThere(selector, (element) => element.focus());
}

function whenThere(selector: string, act: (element: HTMLElement) => void, tries = 100): void {
  window.setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element !== null) act(element);
    else if (tries > 0) window.setTimeout(() => whenThere(selector, act, tries - 1), 50);
  });
}
