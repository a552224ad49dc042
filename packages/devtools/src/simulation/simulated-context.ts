import type { DiffRequest } from "@idewire/core";
import { DiffRules } from "../scenario/editor/diff-rules.ts";
import type { ScenarioIde } from "../scenario/editor/scenario-ide.ts";
import { SeenLog, watchDiffs } from "../scenario/editor/seen.ts";
import { dropAll, notifyAll, type ScenarioContext } from "../scenario/play/context.ts";
import type { Simulation } from "./simulation.ts";

/**
 * The context of a scenario with a simulated agent.
 * @param comment adds a comment beside the code; without it, comments are only recorded
 */
export function toScenarioContext(
  simulation: Simulation,
  comment: ScenarioContext["comment"] = () => true,
): ScenarioContext {
  const { editor, log, clock, answers, server } = simulation;
  const { name } = editor;
  const folder = simulation.pathOf("");
  const nameOf = ({ path }: DiffRequest): string =>
    path.startsWith(folder) ? path.slice(folder.length) : path;
  const seen = new SeenLog(log, name);
  watchDiffs(editor, seen, nameOf);
  server.events.on("ready", () => seen.add({ kind: "ready" }));
  const ide: ScenarioIde = {
    ...{ name, editor, clock, answers, log: seen },
    diffRules: new DiffRules(editor, clock, nameOf),
    files: {
      read: (path) => simulation.files.read(path),
      write: (path, text) => editor.writeFile(simulation.pathOf(path), text),
    },
    pathOf: (path) => simulation.pathOf(path),
    path: (path) => simulation.nativePath(path),
    record: (who, text) => simulation.perform(who, text, () => {}),
  };
  return {
    ...{ ide, simulation, comment },
    notify: (method, params) => notifyAll(server.sessions, method, params),
    drop: () => dropAll(server.sessions),
    async restart({ token }) {
      simulation.restart(token === "new" || token === "wrong" ? "new" : "same");
    },
  };
}
