import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { AgentScene, DEAD_PID } from "../src/agent-scene.ts";
import { examine } from "../src/doctor-report.ts";
import { silentPort } from "../src/silent-port.ts";
import { startServe } from "../src/twins/serve-scene.ts";

test("no lock file at all, and one that cannot be read", async () => {
  const scene = new AgentScene();
  const none = await examine(scene);
  expect([none.fault, none.advice.includes(`idewire serve ${scene.folder}`)]).toEqual([
    "files",
    true,
  ]);
  scene.stage.lock(4001, "{");
  const broken = await examine(scene);
  expect([broken.fault, broken.detail.includes("the file is not JSON")]).toEqual(["files", true]);
  await scene.serve();
  expect((await examine(scene)).outcomes["files"]).toBe("warning");
});

test("what is no fault, but keeps diffs or opencode away, is a warning", async () => {
  const scene = new AgentScene();
  await scene.serve();
  scene.lock(4001, { pid: DEAD_PID }, -10);
  writeFileSync(join(scene.stage.home, ".claude.json"), '{"diffTool":"terminal"}');
  const settings = join(scene.stage.home, ".claude", "settings.json");
  writeFileSync(settings, '{"permissions":{"defaultMode":"acceptEdits"}}');
  const { ok, steps } = await examine(scene, { CLAUDE_CODE_AUTO_CONNECT_IDE: "false" });
  expect(ok).toBe(true);
  const warnings = steps.filter(({ outcome }) => outcome === "warning");
  expect(warnings.map(({ id }) => id)).toEqual(["settings", "opencode"]);
  expect(warnings[0]?.detail).toBe(
    "CLAUDE_CODE_AUTO_CONNECT_IDE is false; " +
      'diffTool is "terminal": changes are shown in the terminal only; ' +
      'the permission mode is "acceptEdits": files are written without a review in the editor',
  );
  expect(warnings[1]?.detail).toContain("it takes the newest lock file, and that one is stale");
});

test("a configuration directory of its own is no fault, but opencode does not look there", async () => {
  const scene = new AgentScene();
  const env = { ...scene.stage.env, CLAUDE_CONFIG_DIR: join(scene.stage.root, "config") };
  const { lockFile } = await scene.serve(scene.folder, { env });
  expect(dirname(dirname(lockFile))).toBe(env.CLAUDE_CONFIG_DIR);
  const { ok, steps } = await examine(scene, env);
  const opencode = steps.find(({ id }) => id === "opencode");
  expect([ok, opencode?.outcome]).toEqual([true, "warning"]);
});

test("a folder that is missing, and names that a terminal would obey", async () => {
  const scene = new AgentScene();
  const { code, output } = await scene.run("doctor", "--cwd", "missing");
  expect(code).toBe(1);
  expect(output).toContain("missing is not a directory");
  scene.lock(await silentPort(), { ideName: "\x1b]0;owned\x07", workspaceFolders: ["/\x1b[2J"] });
  scene.lock(await silentPort(), { ideName: "\x1b]0;owned\x07" });
  for (const args of [["doctor"], ["doctor", "--json"]]) {
    const told = await scene.run(...args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(told.output).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
  expect((await scene.run("doctor")).output).toContain("␛]0;owned␇");
});

test("an editor that Ctrl-Z has stopped is told from one that has gone", async () => {
  const scene = new AgentScene();
  const { stage, folder } = scene;
  const serve = startServe({ stage, folder, env: { HOME: stage.home } });
  await serve.event("listening");
  serve.kill("SIGSTOP");
  const stopped = await examine(scene);
  expect([stopped.fault, stopped.advice]).toEqual(["port", expect.stringContaining("fg in its")]);
  expect(stopped.detail).toMatch(/answers TCP, not MCP, .*: its window may be asking something$/);
  serve.kill("SIGCONT");
  await expect.poll(async () => (await examine(scene)).ok).toBe(true);
});
