import { jsonSchemaValidator } from "@idewire/core/json-schema";
import {
  becomeTask,
  defineTool,
  elicit,
  fromJsonSchema,
  Logging,
  McpServer,
  modernEra,
  Resources,
  sealedRequestState,
  Tasks,
  textResult,
} from "@idewire/core/server";

/** The resource that changes. */
export const WATCHED = "chaos://watched";

/** What a tool of the server is told. */
interface ChaosArguments {
  /** Names the call, where its runs are counted. */
  readonly key: string;
  /** Whether the tool ends only when `release` is called with the key. */
  readonly wait?: boolean;
}

const input = fromJsonSchema<ChaosArguments>(
  { type: "object", properties: { key: { type: "string" }, wait: { type: "boolean" } } },
  jsonSchemaValidator,
);
const form = fromJsonSchema<{ readonly name: string }>(
  { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  jsonSchemaValidator,
);

/**
 * A server whose tools tell each run: `call` answers, `question` asks before, `task` becomes a task before.
 * None of them may be repeated unasked.
 * @param onrun told the key of a call when what it does has been done
 */
export function createChaosServer(onrun: (key: string) => void) {
  const waiting = new Map<string, () => void>();
  const released = (key: string) => new Promise<void>((resolve) => waiting.set(key, resolve));
  const resources = new Resources<undefined>({
    subscriptions: true,
    resources: [{ uri: WATCHED, name: "watched", read: (uri) => ({ uri, text: "as it is" }) }],
  });
  const server = new McpServer<undefined>({
    info: { name: "chaos", version: "1" },
    eras: {
      modern: modernEra({ requestState: sealedRequestState({ keys: [new Uint8Array(32)] }) }),
    },
    features: [new Tasks(), new Logging(), resources],
    tools: [
      defineTool<ChaosArguments, undefined>({
        name: "call",
        input,
        async run({ key, wait }, _, call) {
          onrun(key);
          call.progress({ progress: 1 });
          if (wait === true) await released(key);
          return textResult(key);
        },
      }),
      defineTool<ChaosArguments, undefined>({
        name: "question",
        input,
        async run({ key, wait }, _, call) {
          const answer = await elicit(call, { message: "Who?", form });
          onrun(key);
          call.progress({ progress: 1 });
          if (wait === true) await released(key);
          return textResult(JSON.stringify(answer));
        },
      }),
      defineTool<ChaosArguments, undefined>({
        name: "task",
        input,
        async run({ key, wait }, _, call) {
          await becomeTask(call, { required: true, pollIntervalMs: 50 });
          onrun(key);
          if (wait === true) await released(key);
          return textResult(key);
        },
      }),
      defineTool<ChaosArguments, undefined>({
        name: "release",
        input,
        run({ key }) {
          waiting.get(key)?.();
          return textResult(key);
        },
      }),
    ],
  });
  return { server, resources };
}
