import type { FrameEvent } from "../format/trace-event.ts";
import type { Problem } from "../problems/problem.ts";
import type { FrameFacts } from "../rows/frame-index.ts";

/** A frame and its context. */
export interface FrameForTest {
  readonly facts: FrameFacts;
  readonly raw: string;
  /** The request that it answers. */
  readonly request?: Pick<FrameEvent, "dir" | "raw">;
  readonly problems: readonly Problem[];
}

/**
 * A frame as a vitest test, which pins its present problems, or that it has none. Problems that depend
 * on the state of the connection are left out, since the test does not contain the frames before it.
 */
export function formatFrameAsTest({ facts, raw, request, problems }: FrameForTest): string {
  const { kind, method = "", tool, dir } = facts;
  const name = [dir === "agent>ide" ? "the agent's" : "the editor's", kind, method, tool]
    .filter((word) => word !== undefined && word !== "")
    .join(" ");
  const found = problems
    .filter(({ layer }) => layer !== "state")
    .map(({ code, pointer }) => `${code} at ${pointer === "" ? "/" : pointer}`);
  const frames = [...(request === undefined ? [] : [request]), { dir, raw }];
  return `import { ProblemIndex } from "@idewire/devtools/trace";
import { expect, test } from "vitest";

const frames = ${JSON.stringify(frames, undefined, 2)} as const;

test(${JSON.stringify(`${name} ${found.length === 0 ? "has no problem" : "has the same problems"}`)}, () => {
  const index = new ProblemIndex();
  for (const [at, frame] of frames.entries()) {
    index.add({ n: at + 1, t: at, ev: "frame", ch: "c1", ...frame });
  }
  const found = index
    .of(frames.length)
    .filter(({ layer }) => layer !== "state")
    .map(({ code, pointer }) => \`\${code} at \${pointer || "/"}\`);
  expect(found).toEqual(${JSON.stringify(found)});
});
`;
}
