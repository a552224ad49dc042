import { isObject } from "@idewire/core/internal";
import type { Received } from "./check-connection.ts";
import type { CheckContext, FirstSeconds } from "./context.ts";
import { CheckSkipped } from "./verdict.ts";

const SELECTION = /(^|\/)selection_changed$/;

/** Connects, once for all checks that need it, and collects the server's unsolicited messages. */
export function firstSeconds(context: CheckContext): Promise<FirstSeconds> {
  context.run.firstSeconds ??= listen(context);
  return context.run.firstSeconds;
}

/**
 * The notifications of the selection.
 * @throws CheckSkipped when there are none.
 */
export async function firstSelections(context: CheckContext): Promise<readonly Received[]> {
  const { notices } = await firstSeconds(context);
  const found = notices.filter(({ message }) => SELECTION.test(String(message.method)));
  context.cite(...found);
  if (found.length > 0) return found;
  throw new CheckSkipped("the server sent no selection: open a file in the editor");
}

async function listen(context: CheckContext): Promise<FirstSeconds> {
  const { connection, list } = await context.ready();
  const { log } = context.run;
  const isOwnFrame = (dir: string) => (event: (typeof log.events)[number]) =>
    event.ev === "frame" && event.dir === dir && event.raw.includes('"tools/list"');
  const listedAt = list?.t ?? log.nowMs;
  const lastRequestAt = log.events.filter(isOwnFrame("agent>ide")).at(-1)?.t ?? listedAt;
  const isLate = ({ t, message }: Received) =>
    SELECTION.test(String(message.method)) && t >= listedAt + EARLY_MS;
  await connection.waitFor(() => connection.received.find(isLate), context.times.noticeMs);
  const notices = connection.received.filter(({ message }) => isNotice(message));
  connection.close();
  return { lastRequestAt, listedAt, notices };
}

/** Claude Code lost notifications within 20 ms of its list request, and received all after 30 ms. */
export const EARLY_MS = 30;

function isNotice(message: Received["message"]): boolean {
  return typeof message.method === "string" && message.id === undefined;
}

/** The params of a notification; undefined for anything but an object. */
export function paramsOf({ message }: Received): Readonly<Record<string, unknown>> | undefined {
  return isObject(message.params) ? message.params : undefined;
}
