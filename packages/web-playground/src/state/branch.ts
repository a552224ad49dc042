import type { Session } from "./session.ts";

/** Goes on from the moment at the cursor: with its files and tabs, and a new agent. */
export function branch(session: Session): void {
  const { files, tabs, unsaved } = session.state.value;
  const simulation = session.simulate({ files: Object.fromEntries(files) });
  for (const path of tabs) {
    const text = files.get(path);
    if (text === undefined) continue;
    void simulation.command({ do: "open", path });
    if (unsaved.has(path)) void simulation.command({ do: "edit", path, text });
  }
  void simulation.connect();
}
