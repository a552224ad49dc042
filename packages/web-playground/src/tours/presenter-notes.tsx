import { usePage } from "../state/page-context.ts";

/** The next step and the keys, for the presenter. */
export function PresenterNotes() {
  const { player } = usePage();
  const playback = player.playback.value;
  if (playback === undefined) return null;
  const { steps } = playback;
  const taken = playback.taken.value;
  const next = steps.slice(taken).find(({ note }) => note !== undefined)?.note;
  return (
    <span class="presenter-notes" data-testid="presenter-notes">
      {taken < steps.length && (
        <span>
          <b>
            Step {taken} of {steps.length}.
          </b>{" "}
          Next: {next ?? "more of the same"}
        </span>
      )}
      <span>
        <kbd>Space</kbd> or <kbd>Page Down</kbd> step, <kbd>[</kbd> back in time, <kbd>Esc</kbd>{" "}
        leave
      </span>
    </span>
  );
}
