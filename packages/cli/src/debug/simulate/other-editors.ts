import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toPosixPath } from "@idewire/core";
import { systemClock } from "@idewire/core/internal";
import { memoryFiles, ScriptedIde } from "@idewire/devtools/internal";
import { createScenario } from "@idewire/devtools/scenario";
import type { IdeListener } from "@idewire/node-server";
import { listenIde } from "@idewire/node-server";
import { platform } from "@idewire/node-server/internal";
import type { SimulatedHome } from "./simulated-home.ts";

/** Another editor, with its own folder, to which the agent should not connect. */
export async function openOtherEditor(
  name: string,
  home: SimulatedHome,
  onconnect: () => void,
): Promise<IdeListener> {
  const folder = join(home.root, "others", name.replaceAll(/[^\w-]/g, "-"));
  await mkdir(folder, { recursive: true });
  const path = toPosixPath(folder, platform);
  const scenario = createScenario({ editor: name }, []);
  if (!path.ok || !scenario.ok) throw new Error(`${folder} is not a folder name`);
  const now = () => performance.now();
  const world = { platform, files: memoryFiles(), clock: systemClock, now };
  const ide = new ScriptedIde(scenario.value, { folder: path.value, ...world });
  return listenIde(ide.host, {
    dialects: [ide.dialect],
    env: home.env,
    resume: false,
    wrapTransport: (transport) => {
      onconnect();
      return transport;
    },
  });
}
