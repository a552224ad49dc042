import type { Session } from "./session.ts";

/** Goes on from the moment at the cursor: with its files and tabs, and a new agent. */
export function branch(session: Session): void {
  const { files, tabs, unsaved } = session.state.value;
  const simulation = session.simulate({ files: Object.fromEntries(files) });
  for (const path of tabs) if (files.has(path)) simulation.editor.openFile(path);
  for (const path of unsaved) simulation.editor.type(path, files.get(path) ?? "");
  void simulation.connect();
}
