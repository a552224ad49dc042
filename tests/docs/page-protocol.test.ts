import { fileURLToPath } from "node:url";
import { pageEvents, pageParams } from "@idewire/devtools/internal";
import { expect, test } from "vitest";
import { formatPageProtocol, readWords } from "../src/reference/page-protocol.ts";

// After an intended change: npm run reference
test("docs/reference/page-protocol.md matches the checks of both ends", async () => {
  const page = fileURLToPath(new URL("../../docs/reference/page-protocol.md", import.meta.url));
  await expect(formatPageProtocol()).toMatchFileSnapshot(page);
});

test("every method and every event is explained, and no other", () => {
  const methods = Object.keys(pageParams).map((method) => `method ${method}`);
  const events = Object.keys(pageEvents).map((event) => `event ${event}`);
  expect([...readWords().keys()].sort()).toEqual([...methods, ...events].sort());
});
