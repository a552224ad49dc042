import { expect, test } from "vitest";
import { defaultSettings, parseSettings } from "./settings.ts";
import { SettingsStore } from "./settings-store.ts";

test.each([undefined, {}, { other: 1, reviewLayout: 7 }])(
  "saved settings of %j are read as the defaults",
  (saved) => {
    expect(parseSettings(saved)).toEqual(defaultSettings);
  },
);

test("valid saved settings are read, unknown ones are dropped", () => {
  const saved = { share: "path", paused: true, excludedTags: ["a"], x: 1 };
  expect(parseSettings(saved)).toEqual({
    ...defaultSettings,
    share: "path",
    paused: true,
    excludedTags: ["a"],
  });
});

test("one invalid entry in a list of exclusions does not drop the others", () => {
  const saved = { share: "all", excludedFolders: ["Diary", 7, null, "Letters"], excludedTags: "a" };
  expect(parseSettings(saved)).toEqual({
    ...defaultSettings,
    share: "all",
    excludedFolders: ["Diary", "Letters"],
    excludedTags: ["a"],
  });
});

test.each([
  [{ share: "everything" }, { share: "off" }],
  [{ share: "all", excludedFolders: { 0: "Diary" } }, { share: "off" }],
  [{ share: "all", excludedTags: null }, { share: "off" }],
  [{ paused: "yes" }, { paused: true }],
])("%j is not guessed at: nothing is shared", (saved, expected) => {
  expect(parseSettings(saved)).toMatchObject(expected);
});

test("tools change notes only if the settings are unambiguous", () => {
  const saved = { vaultToolsChange: true, changeableFolders: ["Garden", 7] };
  expect(parseSettings(saved)).toMatchObject({
    vaultToolsChange: true,
    changeableFolders: ["Garden"],
  });
  for (const unclear of [{ ...saved, changeableFolders: null }, { vaultToolsChange: "yes" }]) {
    expect(parseSettings(unclear).vaultToolsChange).toBe(false);
  }
});

test("agents other than Claude Code connect only if they are listed", () => {
  expect(defaultSettings.agents).toEqual([]);
  expect(parseSettings({ agents: ["gemini", 7, "qwen"] }).agents).toEqual(["gemini", "qwen"]);
  for (const agents of [null, true, { 0: "gemini" }])
    expect(parseSettings({ agents }).agents).toEqual([]);
});

function damaged(data: () => Promise<unknown>) {
  const saved: unknown[] = [];
  const output: string[] = [];
  const file = {
    loadData: data,
    saveData: async (next: unknown) => void saved.push(next),
    keepAside: async (): Promise<string | undefined> => "data.unreadable.json",
  };
  const store = new SettingsStore(file);
  store.on("unreadable", (kept) => output.push(`unreadable ${kept}`));
  store.on("unsaved", ({ message }) => output.push(message));
  return { store, file, saved, output };
}

test.each([
  ["no JSON", () => Promise.reject(new SyntaxError("Unexpected end of JSON input"))],
  ["null", async () => null],
  ["a number", async () => 7],
  ["a list", async () => []],
])("if the settings are %s, nothing is shared, and the file is kept aside", async (_, data) => {
  const { store, saved, output } = damaged(data);
  await store.load();
  expect(store.now).toEqual({ ...defaultSettings, share: "off", firstStepsShown: true });
  expect(output).toEqual(["unreadable data.unreadable.json"]);
  expect(saved).toEqual([]);
});

test("while settings that cannot be read cannot be kept aside, they are not overwritten", async () => {
  const { store, file, saved, output } = damaged(async () => "x");
  file.keepAside = () => Promise.reject(new Error("ENOSPC: no space left"));
  await store.load();
  await store.change({ share: "path" });
  expect(saved).toEqual([]);
  expect(output).toEqual(["unreadable undefined", "ENOSPC: no space left"]);
  file.keepAside = async () => "data.unreadable.json";
  await store.change({ share: "selection" });
  expect(saved).toMatchObject([{ share: "selection" }]);
});

test("a first start has no settings, and shares by the defaults", async () => {
  const { store, file, output } = damaged(async () => null);
  file.keepAside = async () => undefined;
  await store.load();
  expect([store.now, output]).toEqual([defaultSettings, []]);
});

test("settings that another device made unreadable leave the previous exclusions in force", async () => {
  let data: unknown = { share: "all", excludedFolders: ["Diary"] };
  const { store } = damaged(async () => data);
  await store.load();
  data = "{";
  await store.load();
  expect(store.now).toMatchObject({ share: "off", excludedFolders: ["Diary"] });
});

test("a change applies at once, reports the previous settings, and is saved", async () => {
  const saved: unknown[] = [];
  const store = new SettingsStore({
    loadData: async () => ({ share: "all" }),
    saveData: async (data) => void saved.push(data),
    keepAside: async () => undefined,
  });
  await store.load();
  const seen: unknown[] = [];
  store.on("change", (now, before) => seen.push([now.paused, before.paused, store.now.paused]));
  await store.change({ paused: true });
  expect(seen).toEqual([[true, false, true]]);
  expect(saved).toEqual([{ ...defaultSettings, share: "all", paused: true }]);
});

test("a change that cannot be saved applies anyway, and is reported", async () => {
  const reasons: string[] = [];
  const store = new SettingsStore({
    loadData: async () => null,
    saveData: () => Promise.reject(new Error("EROFS: read-only file system")),
    keepAside: async () => undefined,
  });
  store.on("unsaved", ({ message }) => reasons.push(message));
  await store.change({ paused: true });
  expect(store.now.paused).toBe(true);
  expect(reasons).toEqual(["EROFS: read-only file system"]);
});
