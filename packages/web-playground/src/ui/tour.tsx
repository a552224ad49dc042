import { branch } from "../branch.ts";
import { tours } from "../sample.ts";
import { useParts } from "./parts.ts";

/** What a tour says to its reader. */
export function TourWords() {
  const { player, view } = useParts();
  const tour = player.tour.value;
  return (
    <>
      <b>{tour?.title}.</b> {player.words.value}
      {player.done.value && (
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
    const at = all.findIndex(({ id }) => id === tour?.id);
    const following = all[(at + 1) % all.length];
    if (following !== undefined) player.start(following, true);
    view.selected.value = undefined;
  }
}

/** What is looked at when it was made elsewhere. */
export function Recording() {
  const { dropped } = useParts().session.own.log;
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
  const { player, session } = useParts();
  const isLive = session.kind.value === "live";
  return (
    <span class="past" data-testid="past">
      You look at event {session.cursor.value} of {session.own.log.last}.
      <button
        type="button"
        onClick={() => {
          session.cursor.value = undefined;
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
            branch(session);
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
