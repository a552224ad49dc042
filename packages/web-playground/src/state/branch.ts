import type { PageModel } from "./page-model.ts";

/** Starts a simulation with the files and tabs of the moment at the cursor, and a new agent. */
export function branch(model: PageModel): void {
  const { files, tabs, unsaved } = model.state.value;
  const simulation = model.simulate({ files: Object.fromEntries(files) });
  for (const path of tabs) {
    const text = files.get(path);
    if (text === undefined) continue;
    void simulation.command({ do: "open", path });
    if (unsaved.has(path)) void simulation.command({ do: "edit", path, text });
  }
  void simulation.connect();
}
