import { describeValue } from "@idewire/core/internal";
import type { Check } from "../check.ts";
import type { Received } from "../check-connection.ts";
import { EARLY_MS, firstSeconds, firstSelections, paramsOf } from "../first-seconds.ts";
import { findRangeFault } from "../range.ts";
import { measured } from "../sources.ts";
import { CheckSkipped, demand } from "../verdict.ts";
import { isNative } from "./lock.ts";

/** Checks of notifications. */
export const noteChecks: readonly Check[] = [
  {
    id: "IDE-NOTE-001",
    level: "must",
    rule: `The selection is sent ${EARLY_MS} ms or more after the last list request; 300 ms is safe.`,
    source: measured("Notifications"),
    note: "Anything earlier is silently lost.",
    async run(context) {
      const selections = await firstSelections(context);
      const { lastRequestAt } = await firstSeconds(context);
      const latest = Math.max(...selections.map(({ t }) => t)) - lastRequestAt;
      const seen = `the last came ${Math.round(latest)} ms after tools/list`;
      demand(latest >= EARLY_MS, seen);
      return `after ${Math.round(latest)} ms`;
    },
  },
  {
    id: "IDE-NOTE-002",
    level: "must",
    rule: "No notification has a null member: unknown values are left out.",
    source: measured("Notifications"),
    note: "Claude Code drops the whole notification.",
    async run(context) {
      const { notices } = await firstSeconds(context);
      const known = notices.filter(({ message }) => isOurs(String(message.method)));
      if (known.length === 0) throw new CheckSkipped("the server sent no notification");
      context.cite(...known);
      for (const received of known) {
        const params = Object.entries(paramsOf(received) ?? {});
        const nulls = params.filter(([, value]) => value === null).map(([key]) => key);
        demand(
          nulls.length === 0,
          `${String(received.message.method)}: ${nulls.join(", ")} is null`,
        );
      }
    },
  },
  {
    id: "IDE-NOTE-003",
    level: "must",
    rule: "The selection of selection_changed has 0-based integers, and its start is not after its end.",
    source: measured("Notifications"),
    note: "Claude Code also accepts a null selection, and ignores it: it clears nothing.",
    async run(context) {
      for (const received of await firstSelections(context)) {
        const fault = findRangeFault(paramsOf(received)?.["selection"]);
        demand(fault === undefined, `its selection: ${fault}`);
      }
    },
  },
  {
    id: "IDE-NOTE-004",
    level: "must",
    rule: "The text of selection_changed is a string, or is left out.",
    source: measured("Notifications"),
    async run(context) {
      for (const received of await firstSelections(context)) {
        const text = paramsOf(received)?.["text"];
        const seen = text === null ? "null" : `a ${typeof text}`;
        demand(text === undefined || typeof text === "string", `text is ${seen}`);
      }
    },
  },
  {
    id: "IDE-NOTE-005",
    level: "must",
    rule: "filePath of selection_changed is an absolute native path.",
    source: measured("Notifications"),
    note: "Claude Code passes on any value, even a relative path or a URI.",
    async run(context) {
      for (const received of await firstSelections(context)) {
        const path = paramsOf(received)?.["filePath"];
        if (path === undefined) continue;
        const isRight = typeof path === "string" && isNative(path, context);
        demand(isRight, `filePath is ${describeValue(path)}`);
      }
    },
  },
  {
    id: "IDE-NOTE-006",
    level: "must",
    rule: "Notifications of the editor have no prefix: selection_changed, at_mentioned.",
    source: measured("Notifications"),
    note: "Claude Code ignores notifications/selection_changed.",
    async run(context) {
      const { notices } = await firstSeconds(context);
      const strange = notices.filter(({ message }) => /^notifications\/.*_/.test(nameOf(message)));
      const wrong = strange.filter(({ message }) => !/list_changed$/.test(nameOf(message)));
      context.cite(...wrong);
      demand(wrong.length === 0, `it sends ${describeValue(wrong[0]?.message.method)}`);
    },
  },
  {
    id: "IDE-NOTE-007",
    level: "must",
    rule: "An agent that reconnects is sent the selection again.",
    source: measured("Notifications"),
    note: "Claude Code forgets its selection when it loses the connection.",
    async run(context) {
      const [first] = await firstSelections(context);
      const { connection } = await context.ready();
      const isSame = ({ message }: Received) => message.method === first?.message.method;
      const again = await connection.waitFor(
        () => connection.received.find(isSame),
        context.times.noticeMs,
      );
      demand(again !== undefined, `nothing arrived within ${context.times.noticeMs} ms`);
    },
  },
];

function nameOf({ method }: Received["message"]): string {
  return typeof method === "string" ? method : "";
}

function isOurs(method: string): boolean {
  return /(?:^|\/)(?:selection_changed|at_mentioned)$/.test(method);
}
