import { branch } from "../state/branch.ts";
import { usePage } from "../state/page-context.ts";
import { tours } from "./loaded-tours.ts";

/** What a tour says to its reader. */
export function TourWords() {
  const { player, view } = usePage();
  const playback = player.playback.value;
  if (playback === undefined) return null;
  const { tour, words, done } = playback;
  return (
    <>
      <b>{tour.title}.</b> {words.value}
      {done.value && (
        <>
          {" "}
          <button type="button" class="link" onClick={next}>
            Next tour
          </button>
        </>
      )}
    </>
  );

  function next(): void {
    const all = tours.value;
    const at = all.findIndex(({ id }) => id === tour.id);
    const following = all[(at + 1) % all.length];
    if (following !== undefined) player.start(following, true);
    view.selected.value = undefined;
  }
}

/** What is looked at when it was made elsewhere. */
export function Recording() {
  const { dropped } = usePage().model.own.log;
  return (
    <>
      A recording. Move through it with the slider, and go on from any moment with an agent of this
      page.
      {dropped > 0 && (
        <b> Its first {dropped} events were left out: it is longer than a page can hold.</b>
      )}
    </>
  );
}

/** Which moment is looked at, and the ways from there. */
export function Past() {
  const { player, model } = usePage();
  const isLive = model.kind.value === "live";
  return (
    <span class="past" data-testid="past">
      You look at event {model.cursor.value} of {model.own.log.last}.
      <button
        type="button"
        onClick={() => {
          model.cursor.value = undefined;
        }}
      >
        Back to now
      </button>
      {!isLive && (
        <button
          type="button"
          data-testid="branch"
          onClick={() => {
            player.leave();
            branch(model);
          }}
        >
          Go on from here
        </button>
      )}
    </span>
  );
}

/** Plays a tour, step by step or by itself. */
export function Transport() {
  const { player } = usePage();
  const playback = player.playback.value;
  if (playback === undefined) return null;
  const { tour, taken, playing, done } = playback;
  return (
    <section class="transport" aria-label="Tour">
      <button type="button" onClick={restart} title="From the start">
        Restart
      </button>
      <button
        type="button"
        data-testid="play"
        disabled={done.value}
        onClick={() => (playing.value ? playback.stop() : playback.play())}
      >
        {playing.value ? "Pause" : "Play"}
      </button>
      <button
        type="button"
        data-testid="step"
        disabled={done.value}
        onClick={() => {
          playback.stop();
          playback.step();
        }}
      >
        Step
      </button>
      <span class="hint">
        {taken.value}/{tour.steps.length}
      </span>
    </section>
  );

  function restart(): void {
    const again = tours.value.find(({ id }) => id === tour.id);
    if (again !== undefined) player.start(again, playing.value);
  }
}
