import { expect, test } from "vitest";
import { defaultSettings, parseSettings } from "./settings.ts";
import { SettingsStore } from "./settings-store.ts";

test.each([undefined, null, 7, "x", [], {}, { share: "everything", excludedFolders: "a" }])(
  "what was saved as %j gives the default settings",
  (saved) => {
    expect(parseSettings(saved)).toEqual(defaultSettings);
  },
);

test("valid saved settings are kept, unknown ones are not", () => {
  const saved = { share: "path", paused: true, excludedTags: ["a"], excludedFolders: [1], x: 1 };
  expect(parseSettings(saved)).toEqual({
    ...defaultSettings,
    share: "path",
    paused: true,
    excludedTags: ["a"],
  });
});

test("a change applies at once, reports the settings before it, and is saved", async () => {
  const saved: unknown[] = [];
  const store = new SettingsStore({
    loadData: async () => ({ share: "all" }),
    saveData: async (data) => void saved.push(data),
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
  });
  store.on("unsaved", ({ message }) => reasons.push(message));
  await store.change({ paused: true });
  expect(store.now.paused).toBe(true);
  expect(reasons).toEqual(["EROFS: read-only file system"]);
});
