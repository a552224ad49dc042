import type { PageContext } from "../state/page-context.ts";
import { tours } from "../tours/loaded-tours.ts";
import type { Command } from "./registry.ts";

/** The simulation, its tour, and presenter mode, in which `Space` takes the next step. */
export function tourCommands({ model, player, view }: PageContext): readonly Command[] {
  const isSimulated = (): boolean => model.kind.value !== "live";
  const isPresenting = (): boolean => view.presenter.value;
  const playback = () => player.playback.value;
  const isPlaying = (): boolean => playback()?.playing.value === true;
  const step = (): void => playback()?.step();
  return [
    {
      id: "simulation.restart",
      title: "Restart the simulation",
      when: isSimulated,
      run() {
        player.leave();
        model.startOver();
        view.selected.value = undefined;
      },
    },
    {
      id: "tour.presenterStep",
      title: "Next step of the tour (presenter mode)",
      keys: ["Space", "]", "PageDown"],
      when: () => isSimulated() && isPresenting(),
      run: step,
    },
    {
      id: "tour.play",
      title: "Play the tour",
      keys: ["Space"],
      when: () => isSimulated() && !isPlaying(),
      run: () => playback()?.play(),
    },
    {
      id: "tour.pause",
      title: "Pause the tour",
      keys: ["Space"],
      when: () => isSimulated() && isPlaying(),
      run: () => playback()?.stop(),
    },
    {
      id: "tour.step",
      title: "Next step of the tour",
      keys: ["]"],
      when: () => playback() !== undefined && model.cursor.value === undefined && !isPresenting(),
      run: step,
    },
    {
      id: "presenter.enter",
      title: "Presenter mode: large type, notes, one key per step",
      when: () => !isPresenting(),
      run() {
        view.presenter.value = true;
        // A simulation without a tour starts the first one, so that there is something to present.
        const [first] = tours.value;
        if (!isSimulated()) return;
        if (playback() === undefined && first !== undefined) player.start(first, false);
        playback()?.stop();
      },
    },
    {
      id: "presenter.leave",
      title: "Leave presenter mode",
      keys: ["Escape"],
      when: isPresenting,
      run() {
        view.presenter.value = false;
      },
    },
  ];
}
