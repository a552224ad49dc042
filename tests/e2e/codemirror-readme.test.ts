import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connectIde } from "@idewire/node-server";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { openPageAlone } from "../obsidian-host/node/chromium.ts";
import { installable, npmInstall } from "../packaging/installed.ts";
import { pack } from "../packaging/packages.ts";
import { readDocBlocks } from "../src/doc-blocks.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

/** The limit of two minutes applies to an idle machine. */
const SLACK = 3;

const blocks = readDocBlocks().filter(({ page }) => page === "packages/codemirror/README.md");

/** The block of the README that contains the words, with its placeholders replaced. */
function blockWith(words: string, own: Readonly<Record<string, string>>): string {
  const block = blocks.find(({ code }) => code.includes(words))?.code ?? expect.unreachable();
  return Object.entries(own).reduce((code, [name, value]) => {
    expect(code).toContain(name);
    return code.replaceAll(name, value);
  }, block);
}

/** A reader's page: the two blocks, and the variables that they assume. */
function pageOf(files: string): string {
  return `
    ${blockWith("const { host, file, mention }", { '"/notes"': JSON.stringify(files) })}
    ${blockWith("void serveHost(", { '"wss://notes.example/editor"': '"ws://" + location.host + "/editor"' })}
    const [acceptButton, rejectButton] = [1, 2].map(() => document.createElement("button"));
    async function fetchText(path) { return (await fetch("/text?" + path)).text(); }
    async function putText() {}
    const path = ${JSON.stringify(join(files, "a.md"))};
    show(path, await fetchText(path));
  `;
}

/** A reader's server. */
function serverOf(page: string): string {
  return `
    import { readFileSync } from "node:fs";
    import { createServer } from "node:http";
    const isOfPerson = () => true;
    const server = createServer(({ url }, response) => {
      response.setHeader("content-type", url === "/" ? "text/html" : "text/javascript");
      if (url === "/") response.end("<!doctype html><script type=module src=/page.js></script>");
      else if (url === "/page.js") response.end(readFileSync(${JSON.stringify(page)}));
      else if (url.startsWith("/text?")) response.end(readFileSync(url.slice(6)));
      else response.writeHead(404).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = "http://127.0.0.1:" + server.address().port;
    ${blockWith("serveHosts(new", { '"https://notes.example"': "origin" })}
    console.log(origin);
  `;
}

/** Starts the server as a person does; resolves to its address. */
async function startServer(project: string, home: string): Promise<string> {
  const env = { ...process.env, HOME: home };
  const server = spawn(process.execPath, ["server.js"], { cwd: project, env });
  onTestFinished(() => void server.kill());
  let errors = "";
  server.stderr.on("data", (text) => {
    errors += text;
  });
  for await (const line of createInterface(server.stdout)) return line;
  throw new Error(errors);
}

test("the README of the package leads to a selection in the agent within two minutes", async () => {
  const started = performance.now();
  const [project, files, home] = ["project", "files", "home"].map((name) =>
    temporaryFolder(`idewire-${name}-`),
  ) as [string, string, string];
  const names = ["@idewire/codemirror", "@idewire/node-server", "@codemirror/state"];
  const others = ["@codemirror/view", "ws"];
  const tarballs = join(project, "tarballs");
  mkdirSync(tarballs);
  const packed = await pack(tarballs);
  await npmInstall(project, [
    ...installable([...names, ...others], packed, tarballs),
    "codemirror@6.0.2",
  ]);
  writeFileSync(join(files, "a.md"), "one\ntwo\n");
  writeFileSync(join(project, "page.js"), pageOf(files));
  const page = join(project, "bundle.js");
  await build({
    ...{ entryPoints: [join(project, "page.js")], bundle: true, format: "esm", outfile: page },
    logLevel: "error",
  });
  writeFileSync(join(project, "server.js"), serverOf(page));
  const url = await startServer(project, home);
  const { page: shown, close } = await openPageAlone();
  onTestFinished(close);
  const errors: string[] = [];
  shown.on("pageerror", ({ message }) => errors.push(message));
  await shown.goto(url);
  const locks = join(home, ".claude/ide");
  await expect
    .poll(() => (existsSync(locks) ? readdirSync(locks) : errors))
    .toContainEqual(expect.stringMatching(/^\d+\.lock$/));
  const env = { HOME: home };
  const agent = await connectIde({ name: "claude-code", version: "1", cwd: files, env });
  onTestFinished(() => agent.close());
  await shown.locator(".cm-line", { hasText: "two" }).click({ clickCount: 3 });
  await expect.poll(() => agent.selection?.text.trimEnd()).toBe("two");
  expect(performance.now() - started).toBeLessThan(120_000 * SLACK);
});
