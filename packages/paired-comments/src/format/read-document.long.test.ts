import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { damagedText } from "./fixtures/damaged-text.ts";
import { extensionFile, legacyFile, playgroundFile, serverFile } from "./fixtures/dialects.ts";
import { isCommentId } from "./ids.ts";
import { type ReadResult, readDocument } from "./read-document.ts";
import { writeDocument } from "./write-document.ts";

const now = 1_800_000_000_000;

function read(value: unknown): ReadResult & { readonly ok: true } {
  const result = readDocument(JSON.stringify(value), "src/a.ts", now);
  if (!result.ok) throw new Error(result.damage.parseError);
  return result;
}

describe("dialects", () => {
  test("a file of the original's server retains its ids, its anchor and unknown fields", () => {
    const { document, dialect } = read(serverFile);
    expect(dialect).toBe("server");
    expect(document.comments[0]).toMatchObject({
      id: "c_1730000000000",
      aiMeta: { confidence: 0.95 },
      unknown: { params: [{ name: "p", type: "string" }] },
    });
    expect(document.ghostMarkers[0]).toMatchObject({
      id: "gm_1730000000001",
      line: 42,
      originalLine: 40,
      anchor: "validatePassword",
    });
    expect(document.unknown).toEqual({ metadata: serverFile.metadata });
  });

  test("comments that share a marker in the extension's file get one each", () => {
    const { document, dialect } = read(extensionFile);
    expect(dialect).toBe("extension");
    const [first, second] = document.comments.map(({ id }) => id);
    expect(first).not.toBe(second);
    expect(
      document.ghostMarkers.map(({ commentId, line, endLine }) => [commentId, line, endLine]),
    ).toEqual([
      [first, 42, 47],
      [second, 42, 47],
    ]);
  });

  test("missing ids are the same in each process that reads the file, and later", () => {
    const twice = {
      ...extensionFile,
      comments: [...extensionFile.comments, ...extensionFile.comments],
    };
    const idsAt = (time: number) => {
      const result = readDocument(JSON.stringify(twice), "src/a.ts", time);
      return result.ok ? result.document.comments.map(({ id }) => id) : [];
    };
    const ids = idsAt(now);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every(isCommentId)).toBe(true);
    expect(idsAt(now + 1_000)).toEqual(ids);
  });

  test("a file of the extension is read without loss", () => {
    const { document } = read(extensionFile);
    const [first, second] = document.comments;
    expect(first).toMatchObject({ status: "resolved", replies: [{ contentType: "text" }] });
    expect(first?.unknown).toMatchObject({
      sourceId: extensionFile.comments[0]?.id,
      resolvedBy: "ann",
      params: extensionFile.comments[0]?.params,
      aiMetadata: extensionFile.comments[0]?.aiMetadata,
    });
    expect(second).toMatchObject({ tag: "FIXME", unknown: { sourceTag: "HACK" } });
    const [marker] = extensionFile.ghostMarkers;
    expect(document.ghostMarkers[1]?.unknown).toMatchObject({
      sourceId: marker?.id,
      astAnchor: marker?.astAnchor,
      lineHash: marker?.lineHash,
      lineText: marker?.lineText,
    });
  });

  test("the playground's time stamps and free metadata are kept", () => {
    const { document, dialect } = read(playgroundFile);
    expect(dialect).toBe("playground");
    expect(document.comments[0]).toMatchObject({
      created: "2024-10-11T10:00:00Z",
      unknown: { aiMeta: { complexity: "medium", tokens: 580 }, sourceId: "comment-1" },
    });
  });

  test("a file of version 1.0 gets markers from its comments' lines", () => {
    const { document } = read(legacyFile);
    expect(document.ghostMarkers[0]).toMatchObject({ line: 42, originalLine: 42 });
    expect(document.comments[0]?.tag).toBe("NOTE");
  });

  test("markers without a comment are kept apart", () => {
    const stray = { ...serverFile.ghostMarkers[0], id: "gm_2", commentId: "c_2" };
    const file = { ...serverFile, ghostMarkers: [...serverFile.ghostMarkers, stray] };
    expect(read(file).document.unknown["strayMarkers"]).toEqual([stray]);
  });

  test("a comment inside the range of a marker that it shares is on its own line", () => {
    const [marker] = extensionFile.ghostMarkers;
    const [first] = extensionFile.comments;
    const second = { ...first, id: "second", line: 44, startLine: 44, endLine: 44 };
    const { document } = read({ ...extensionFile, comments: [first, second] });
    const [whole, inside] = document.ghostMarkers;
    expect(whole).toMatchObject({ line: 42, endLine: 47 });
    expect(inside).toMatchObject({ line: 44, originalLine: 44 });
    expect(inside).not.toHaveProperty("endLine");
    expect(inside?.unknown).toMatchObject({ sharedMarker: { lineText: marker?.lineText } });
  });

  test("of two comments with one id both are kept, and the second is renumbered", () => {
    const twice = { ...serverFile, comments: [...serverFile.comments, ...serverFile.comments] };
    const { document, warnings } = read(twice);
    const [first, second] = document.comments.map(({ id }) => id);
    expect(first).toBe("c_1730000000000");
    expect(isCommentId(second ?? "")).toBe(true);
    expect(new Set(document.ghostMarkers.map(({ id }) => id)).size).toBe(2);
    expect(warnings).toEqual([`Duplicate id c_1730000000000: the second comment is now ${second}`]);
  });
});

describe("writing", () => {
  test.each([
    ["server", serverFile],
    ["extension", extensionFile],
    ["playground", playgroundFile],
    ["legacy", legacyFile],
  ])("a file of the %s dialect is read again unchanged", (_, file) => {
    const { document } = read(file);
    const again = readDocument(writeDocument(document), "src/a.ts", now);
    expect(again).toMatchObject({ ok: true, dialect: "idewire", document });
  });

  test("the original's extension finds every field that its validator requires", () => {
    const { document } = read(serverFile);
    const text = writeDocument(document, { forOriginal: { hashLine: () => "0123456789abcdef" } });
    const { version, file, comments, ghostMarkers } = JSON.parse(text);
    expect({ version, file }).toEqual({ version: "2.1.0", file: "src/a.ts" });
    for (const key of ["id", "text", "author", "created", "updated", "ghostMarkerId"]) {
      expect(comments[0][key]).toBeTypeOf("string");
    }
    expect(comments[0]).toMatchObject({ line: 42, startLine: 42 });
    expect(ghostMarkers[0]).toMatchObject({
      commentIds: ["c_1730000000000"],
      lineHash: "0123456789abcdef",
      lineText: "",
      line: 42,
    });
    expect(readDocument(text, "src/a.ts", now)).toMatchObject({ ok: true });
  });

  test("fields with names of inherited members stay fields", () => {
    const text = JSON.stringify(serverFile).replace('"tag"', '"__proto__":{"evil":1},"tag"');
    const result = readDocument(text, "src/a.ts", now);
    if (!result.ok) throw new Error(result.damage.parseError);
    expect(writeDocument(result.document)).toContain('"__proto__": {');
    expect(Reflect.get({}, "evil")).toBeUndefined();
  });
});

describe("damage", () => {
  test("a syntax error is reported with its position", () => {
    const result = readDocument('{\n  "comments": [\n    oops', "a.ts", now);
    expect(result).toMatchObject({ ok: false, damage: { line: 3, column: 5 } });
  });

  test("a file that ends early is damaged at its end", () => {
    const result = readDocument('{\n  "comments": [', "a.ts", now);
    expect(result).toMatchObject({ ok: false, damage: { line: 2 } });
  });

  test.each([
    [{ comments: {} }, "comments: expected an array, got an object"],
    [{ comments: [{ id: "c_1" }] }, "comments[0].text: expected a string, got nothing"],
    [{ comments: [{ id: "c_1", text: 7 }] }, "comments[0].text: expected a string, got 7"],
    [{ comments: [], ghostMarkers: [{ id: "g", line: 0 }] }, "a line number of 1 or more, got 0"],
    [{ comments: [], version: "v4" }, 'version: expected numbers such as 3.0.0, got "v4"'],
    [{ comments: [], version: "" }, 'version: expected numbers such as 3.0.0, got ""'],
    [[], "the file: expected an object, got an array"],
  ])("%j is refused with the position and the expected value", (value, message) => {
    const result = readDocument(JSON.stringify(value), "a.ts", now);
    expect(result).toMatchObject({
      ok: false,
      damage: { parseError: expect.stringContaining(message) },
    });
  });

  test.each(["3.0.1", "3.9.9", "3.1", "4", "9.1.0", "10.0.0"])(
    "version %s is refused as newer than supported",
    (version) => {
      const result = readDocument(JSON.stringify({ comments: [], version }), "a.ts", now);
      const parseError = `version: ${version} is newer than 3.0.0`;
      expect(result).toMatchObject({ ok: false, damage: { parseError, isNewer: true } });
    },
  );

  test.each(["1", "1.0", "2.0.5", "2.9.9", "3", "3.0", "3.0.0"])(
    "version %s is read",
    (version) => {
      const result = readDocument(JSON.stringify({ comments: [], version }), "a.ts", now);
      expect(result).toMatchObject({ ok: true });
    },
  );

  test.each([
    ["numbers", "1.".repeat(5_000_000) + 1],
    ["digits", "9".repeat(10_000_000)],
    ["dots", ".".repeat(10_000_000)],
  ])("a version of 10 million %s is refused in a short message", (_, version) => {
    const result = readDocument(JSON.stringify({ comments: [], version }), "a.ts", now);
    if (result.ok) throw new Error("it was read");
    expect(result.damage.parseError).toMatch(/^version: expected numbers such as/);
    expect(result.damage.parseError.length).toBeLessThan(200);
  });

  test("conflict markers of git are named, with their line", () => {
    const text = `{\n  "comments": [\n<<<<<<< HEAD\n=======\n>>>>>>> b\n  ]\n}`;
    const result = readDocument(text, "a.ts", now);
    expect(result).toMatchObject({
      ok: false,
      damage: { line: 3, suggestion: expect.stringContaining("idewire comments merge") },
    });
  });

  test("any damaged text is loaded or refused, and a loaded one can be written", () => {
    let loaded = 0;
    fc.assert(
      fc.property(damagedText, (text) => {
        const result = readDocument(text, "src/a.ts", now);
        if (!result.ok) return result.damage.parseError !== "";
        loaded++;
        return readDocument(writeDocument(result.document), "src/a.ts", now).ok;
      }),
      { numRuns: 1_000 },
    );
    expect(loaded).toBeGreaterThan(100);
  });
});

test.each([
  ["markers that no comment names", (n: number) => ({ id: `c_${n}`, marker: `gm_${n}0`, of: [] })],
  ["markers of one comment's id", () => ({ id: "c_1", marker: "gm_1", of: ["c_1"] })],
  ["comments of one unknown marker", (n: number) => ({ id: `c_${n}`, marker: "none", of: [] })],
  ["markers of all the same comments", () => ({ id: "c_1", marker: "gm_1", of: ["c_1", "c_2"] })],
] as const)("40,000 %s are read in time linear in their number", (_, entry) => {
  const measure = (count: number) => {
    const entries = Array.from({ length: count }, (__, at) => ({ at, ...entry(at) }));
    const text = JSON.stringify({
      comments: entries.map(({ id, marker }) => ({ id, text: "x", ghostMarkerId: marker })),
      ghostMarkers: entries.map(({ at, of }) => ({ id: `gm_${at}`, line: 1, commentIds: of })),
    });
    const startedMs = performance.now();
    expect(readDocument(text, "a.ts", now).ok).toBe(true);
    return performance.now() - startedMs;
  };
  measure(1_000);
  const short = measure(4_000);
  // Quadratic time would be 100 times as long: minutes for a file of 10 MB.
  expect(measure(40_000)).toBeLessThan(Math.max(40 * short, 2_000));
});
