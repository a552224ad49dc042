import { ShellCommand } from "../ui/shell-command.tsx";

/** What leads to a page that idewire lets in. */
interface RefusedProps {
  /** Why this one is not let in. */
  readonly words: string;
  /** What a person does where the command runs. */
  readonly way: string;
  readonly runs: string;
  /** Starts it again. */
  readonly command: string;
}

/** Why idewire does not let this tab in, and what to do about it. */
export function Refused({ words, way, runs, command }: RefusedProps) {
  return (
    <>
      {words} For a new link {way} where <code>{runs}</code> runs, or start it again:
      <ShellCommand command={command} />
    </>
  );
}
