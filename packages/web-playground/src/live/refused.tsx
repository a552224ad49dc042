import { ShellCommand } from "../ui/shell-command.tsx";

interface RefusedProps {
  /** The reason of the refusal. */
  readonly words: string;
  /** What to do in the terminal of the command. */
  readonly way: string;
  readonly runs: string;
  /** The command that starts it again. */
  readonly command: string;
}

/** The reason why idewire refused this tab, and the remedy. */
export function Refused({ words, way, runs, command }: RefusedProps) {
  return (
    <>
      {words} For a new link, {way} where <code>{runs}</code> runs, or start it again:
      <ShellCommand command={command} />
    </>
  );
}

/** The page of a tab that was never admitted. */
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
