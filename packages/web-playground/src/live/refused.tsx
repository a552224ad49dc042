import { ShellCommand } from "../ui/shell-command.tsx";

interface RefusedProps {
  /** Why the page was refused. */
  readonly words: string;
  /** What to do in the terminal of the command. */
  readonly way: string;
  readonly runs: string;
  /** Starts it again. */
  readonly command: string;
}

/** Why idewire refused this tab, and what to do about it. */
export function Refused({ words, way, runs, command }: RefusedProps) {
  return (
    <>
      {words} For a new link, {way} where <code>{runs}</code> runs, or start it again:
      <ShellCommand command={command} />
    </>
  );
}

/** The page of a tab that was never let in: nothing in it could be used. */
export function RefusedPage(props: RefusedProps) {
  return (
    <main class="refused-page">
      <h1>idewire</h1>
      <p role="status" data-testid="guide">
        <Refused {...props} />
      </p>
    </main>
  );
}
