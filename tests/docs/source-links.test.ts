import { readFileSync } from "node:fs";
import {
  checks,
  docsOf,
  type FrameFacts,
  problemRules,
  toSourceLinks,
} from "@idewire/devtools/internal";
import { expect, test } from "vitest";
import { verifies } from "../src/verifies.ts";

const reference = readFileSync(
  new URL("../../docs/reference/protocol/claude-code.md", import.meta.url),
  "utf8",
);
function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

const headings = [...reference.matchAll(/^### (.*)$/gm)].map(([, name = ""]) => name);
const hosts = ["modelcontextprotocol.io", "www.jsonrpc.org", "www.rfc-editor.org"];

verifies(
  "playground:2:links",
  "every rule links to its section of a specification, a seed or a measurement",
  () => {
    for (const [code, [, source]] of Object.entries(problemRules)) {
      for (const { text, url } of toSourceLinks(source)) {
        expect(url, `${code}: ${text}`).toBeDefined();
        if (url?.startsWith("docs/")) continue;
        expect(hosts, code).toContain(new URL(url ?? "").host);
      }
    }
  },
);

test("every rule of a check cites a public source: a web page, or a heading in docs/", () => {
  for (const { id, source, note = "" } of checks) {
    for (const { text, url } of toSourceLinks(source)) {
      expect(url, `${id}: ${text}`).toMatch(/^(https:\/\/[\w.-]+\/[\w./#-]+|docs\/[\w.#-]+)$/);
      const [file, heading] = text.split(", ");
      if (file?.startsWith("docs/")) expect(read(file), id).toMatch(`\n## ${heading}\n`);
    }
    expect(`${source} ${note}`, id).not.toMatch(/seed \d/i);
  }
});

test("a measurement of a tool or a notification links to its own section", () => {
  const facts: FrameFacts = {
    ...{ n: 1, number: 1, t: 0, ch: "c", dir: "agent>ide", kind: "request", units: 2 },
  };
  for (const name of headings) {
    const sections = [
      ...docsOf({ ...facts, method: "tools/call", tool: name }),
      ...docsOf({ ...facts, kind: "notification", method: name }),
    ].filter(({ title }) => title.endsWith(` ${name}`));
    expect(sections.length, name).toBeGreaterThan(0);
    const urls = sections
      .flatMap(({ source }) => toSourceLinks(source, name))
      .map(({ url }) => url);
    expect(urls, name).toContain(`docs/claude-code.html#${name.toLowerCase()}`);
  }
});

test("a section of a specification is linked by its number or its name", () => {
  expect(toSourceLinks("JSON-RPC 2.0, 5.1; RFC 6455, 5.5.1; MCP 2025-06-18, Key Changes")).toEqual([
    { text: "JSON-RPC 2.0, 5.1", url: "https://www.jsonrpc.org/specification#error_object" },
    { text: "RFC 6455, 5.5.1", url: "https://www.rfc-editor.org/rfc/rfc6455#section-5.5.1" },
    {
      text: "MCP 2025-06-18, Key Changes",
      url: "https://modelcontextprotocol.io/specification/2025-06-18/changelog",
    },
  ]);
  expect(toSourceLinks("MCP, Base / Lifecycle / Version Negotiation; hearsay")).toEqual([
    {
      text: "MCP, Base / Lifecycle / Version Negotiation",
      url: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation",
    },
    { text: "hearsay" },
  ]);
  const modern = "MCP 2026-07-28, Patterns / Subscriptions; MCP 2026-07-28, Server / Discover";
  expect(toSourceLinks(modern).map(({ url }) => url)).toEqual([
    "https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions",
    "https://modelcontextprotocol.io/specification/2026-07-28/server/discover",
  ]);
});
