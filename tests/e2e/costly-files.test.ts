import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageNamed } from "../packaging/packages.ts";

/** Runs in a process of its own, whose memory is its own as well; files of 1 MiB, wrong all over. */
const script = (folderHost: string) => `
  import { jsonSource } from ${JSON.stringify(folderHost)};
  const whole = (part) => part.repeat(Math.ceil(2 ** 20 / part.length)).slice(0, 2 ** 20);
  const parts = ["a ", "@", ",", ":", '"', '"\\n', "\\\\", '"\\\\x" ', "//\\n", "1 2 ", "tru ", "{a", "\\u0001 ", "] ", "1.e "];
  let most = 0;
  for (const part of parts) {
    for (const start of ["", "[", '{"a":']) {
      const found = await jsonSource.check("/a.json", start + whole(part), { folder: "/" });
      most = Math.max(most, found.length);
    }
  }
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log(JSON.stringify({ most, seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1e3 }));
`;

test("a file full of faults costs no more than the faults that are stored", async () => {
  const entry = packageNamed("cli").entries.find(({ key }) => key === "./folder-host");
  const code = script(entry?.built ?? "");
  const args = ["--input-type=module", "-e", code];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { most, seconds, megabytes } = JSON.parse(stdout) as Record<string, number>;
  expect(most).toBe(100);
  expect(megabytes).toBeLessThan(300);
  expect(seconds).toBeLessThan(30);
});
