import { expect, test } from "vitest";
import { formatTrace, redactTrace, type Trace } from "./index.ts";

const token =
  "Zk3_mXq9-T7bL0wRz5YcVh2NdJfGs8UeAoKpQi1MtBxEv4WyHlDnCgFr6SuIjOPaZ3kT9bX7qL2mV5cRwYhN8d";
const trace = (...raws: readonly string[]): Trace => ({
  header: { ide: "ann's editor" },
  events: raws.map((raw, at) => ({
    n: at + 1,
    t: 0,
    ev: "frame",
    ch: "c1",
    dir: "ide>agent",
    raw,
  })),
});

test("tokens, homes and names go, and the same value becomes the same stand-in", () => {
  const { trace: redacted, redactions } = redactTrace(
    trace(
      `{"authToken":"${token}","filePath":"/home/ann/notes/a.md"}`,
      `{"text":"{\\"authToken\\":\\"${token}\\"}","filePath":"C:\\\\Users\\\\ann\\\\b.md"}`,
      '{"text":"Dear ann, annual report"}',
    ),
  );
  const text = formatTrace(redacted);
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/\bann\b/);
  expect(text).toContain("annual report");
  expect(text.match(/redacted-token-1/g)).toHaveLength(2);
  expect(redactions.map(({ what }) => what).sort()).toEqual(["home", "home", "name", "token"]);
  expect(JSON.stringify(redactions)).not.toContain(token);
  expect(redacted.header.redacted).toEqual(["token", "home", "name"]);
});

test("the texts of files go when asked to, and the frames stay JSON", () => {
  const raw = '{"params":{"new_file_contents":"secret \\"plan\\"\\nline","tab_name":"x"}}';
  const [event] = redactTrace(trace(raw), { texts: true }).trace.events;
  expect(event?.ev === "frame" && JSON.parse(event.raw)).toEqual({
    params: { new_file_contents: "(21 characters)", tab_name: "x" },
  });
});
