import { expect, test } from "vitest";
import { viewOf } from "./views.ts";

const uri = "ui://a/view.html";
const html = { uri, mimeType: "text/html;profile=mcp-app", text: "<p>a</p>" };

test("a view without declared domains connects to nothing, and has an opaque origin", () => {
  const { policy } = viewOf([html], uri);
  expect(policy).toContain("default-src 'none'; script-src 'unsafe-inline';");
  expect(policy).toContain("connect-src 'none';");
  expect(policy).toMatch(/; sandbox allow-scripts allow-forms$/);
});

test("the policy of a view contains only origins, whatever the server declares", () => {
  const connectDomains = ["https://api.example.com", "https://*.example.com", "wss://a:1/"];
  const hostile = ["https://a; script-src *", "'self'", "*", "data:", "https://a b", "\n", 1, null];
  const csp = { connectDomains: [...connectDomains, ...hostile], frameDomains: "https://a" };
  const { policy, refused } = viewOf([{ ...html, _meta: { ui: { csp } } }], uri);
  expect(policy).toContain(`connect-src ${connectDomains.join(" ")};`);
  expect(policy).toContain("frame-src 'none'");
  expect(refused).toHaveLength(hostile.length);
});

test.each([
  ["file:///a", html, "a URI that begins with ui://"],
  [uri, { ...html, mimeType: "text/html" }, 'the type text/html;profile=mcp-app, got "text/html"'],
  [uri, undefined, "the type text/html;profile=mcp-app, got"],
])("%s is no view where it is not one", (address, contents, words) => {
  expect(() => viewOf(contents === undefined ? [] : [contents], address)).toThrow(words);
});
