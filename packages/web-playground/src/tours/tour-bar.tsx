import { backToNow } from "../commands/trace.ts";
import { CommandScope } from "../commands/use-command.ts";
import { branch } from "../state/branch.ts";
import { shownNumberOf } from "../state/moments.ts";
import { usePage } from "../state/page-context.ts";
import { type SkippedLines, skippedLines } from "../state/skipped-lines.ts";
import { Button, CommandButton, set } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Gauge, Pause, Play, RotateCcw, Route, StepForward } from "../ui/icons.ts";
import { ChoiceMenu } from "../ui/menu.tsx";
import { tours } from "./loaded-tours.ts";

/** The text of the tour. */
export function TourWords() {
  const { player, view } = usePage();
  const playback = player.playback.value;
  if (playback === undefined) return null;
  const { id, title, words, done } = playback;
  const next = (): void => {
    const all = tours.value;
    const following = all[(all.findIndex((tour) => tour.id === id) + 1) % all.length];
    if (following !== undefined) player.start(following, true);
    view.selected.value = undefined;
  };
  return (
    <>
      <b>{title}.</b> {words.value}{" "}
      {done.value && <Button title="Next tour" kind="link" run={next} />}
    </>
  );
}

/** The text beside a recorded trace. */
export function Recording() {
  const { log } = usePage().model.own;
  const { dropped } = log;
  const skipped = skippedLines.get(log);
  return (
    <>
      A recorded trace. Move through it with the slider; to go on with a simulated agent, branch
      from any moment.
      {dropped > 0 && (
        <b>
          {" "}
          The first {dropped} events were left out: the trace is longer than the page can hold.
        </b>
      )}
      {skipped !== undefined && skipped.count > 0 && <Skipped lines={skipped} />}
    </>
  );
}

/** The skipped lines of the file, with reasons. */
function Skipped({ lines: { count, kept } }: { readonly lines: SkippedLines }) {
  return (
    <details class="skipped" data-testid="skipped" open={count === 1}>
      <summary>{count === 1 ? "1 line was skipped" : `${count} lines were skipped`}</summary>
      <ul>
        {kept.map(({ line, issue }) => (
          <li key={line}>
            Line {line}: <ForeignText text={issue} />
          </li>
        ))}
        {count > kept.length && <li>and {count - kept.length} more</li>}
      </ul>
    </details>
  );
}

/** The shown moment, and buttons to leave it. */
export function Past() {
  const page = usePage();
  const { player, model } = page;
  return (
    <span class="past" data-testid="past">
      Viewing event {shownNumberOf(model)} of {model.own.index.count}
      <CommandButton command={backToNow(page)} />
      {model.kind.value !== "live" && (
        <Button
          title="Branch from here"
          data-testid="branch"
          run={() => {
            player.leave();
            branch(model);
          }}
        />
      )}
    </span>
  );
}

/** Plays a tour, step by step or automatically. */
export function Transport() {
  const { player } = usePage();
  const playback = player.playback.value;
  if (playback === undefined) return null;
  const { id, steps, taken, playing, done } = playback;
  const restart = (): void => {
    const again = tours.value.find((tour) => tour.id === id);
    if (again !== undefined) player.start(again, playing.value);
  };
  const step = (): void => {
    playback.stop();
    playback.step();
  };
  return (
    <CommandScope.Provider value="Tour">
      <section class="transport" aria-label="Tour">
        <Button
          title="Restart"
          icon={RotateCcw}
          kind="icon"
          run={restart}
          tooltip="From the start"
        />
        <Button
          title={playing.value ? "Pause" : "Play"}
          icon={playing.value ? Pause : Play}
          kind="icon"
          data-testid="play"
          when={() => !done.value}
          run={() => (playing.value ? playback.stop() : playback.play())}
        />
        <Button
          title="Step"
          icon={StepForward}
          kind="icon"
          data-testid="step"
          when={() => !done.value}
          run={step}
        />
        <span class="hint">
          {taken.value}/{steps.length}
        </span>
      </section>
    </CommandScope.Provider>
  );
}

/** The tour that is played, or none. */
export function TourMenu() {
  const { player, model, view } = usePage();
  const none = model.kind.value === "replay" ? "Recorded trace" : "Try it yourself";
  const choose = (chosen: string): void => {
    const found = tours.value.find(({ id }) => id === chosen);
    if (found === undefined) player.leave();
    else player.start(found, true);
    view.selected.value = undefined;
  };
  return (
    <ChoiceMenu
      title="Tour"
      icon={Route}
      value={player.playback.value?.id ?? ""}
      groups={[[["", none]], tours.value.map(({ id, title }) => [id, title] as const)]}
      testid="tour"
      onselect={choose}
    />
  );
}

const speeds = [0, 0.25, 0.5, 1, 2, 10].map(
  (speed) => [String(speed), speed === 0 ? "Paused" : `${speed}×`] as const,
);

/** The speed of the simulation's clock. */
export function Speed() {
  const { model } = usePage();
  return (
    <ChoiceMenu
      title="Speed"
      icon={Gauge}
      value={String(model.speed.value)}
      groups={[speeds]}
      testid="speed"
      onselect={(speed) => set(model.speed, Number(speed))()}
    />
  );
}
