import { describe, expect, test } from "vitest";
import { findSlowSearch } from "../../../../tests/src/expressions/growth.ts";
import { DecodedText, replaceRanges } from "./decoded-text.ts";
import { containsSecret, findSecrets, redactSecrets } from "./find-secrets.ts";
import { redactKnown } from "./known-secrets.ts";
import { secretPatterns } from "./secret-patterns.ts";
import { tokenFormats } from "./token-formats.ts";

describe("each pattern finds its example in linear time", () => {
  test.each(secretPatterns.map((row) => [row.name, row] as const))("%s", (_, row) => {
    const decoded = new DecodedText(row.example);
    expect(findSecrets(decoded.text, [row])).toHaveLength(1);
    expect(redactSecrets(row.example, "…")).toContain("…");
    expect(containsSecret(`a ${row.example} b`)).toBe(row.isGuess !== true);
    expect(findSlowSearch(row.pattern.source, row.pattern.flags)).toBeUndefined();
  });
});

describe("a service's token is found in a text, a file name, an address and a key", () => {
  test.each(tokenFormats.map(({ name, example }) => [name, example]))("%s: %s", (_, example) => {
    expect(redactSecrets(`a ${example}, b`, "…")).toBe("a …, b");
    for (const spelled of [
      `/vault/my notes-${example}.md`,
      `C:\\work\\old_${example}\\a.md`,
      `file:///vault/a%20${encodeURIComponent(example)}`,
      JSON.stringify({ [JSON.stringify(example)]: 1 }),
    ]) {
      expect(redactSecrets(spelled, "…")).not.toContain(example.slice(-4));
      expect(containsSecret(spelled)).toBe(true);
    }
  });
});

test("the names of services, and code with their words, are not secrets", () => {
  const texts = [
    "gsk_renderer_new(), xai-org, nvapi-open-source-sdk, duffel_test_mode, tfp_distributions",
    "pypi-server, npm_config_registry, hf_transfer, sk-learn-contrib-py-earth, sl.getVeryLongMethodName()",
    "const password = readPassword(); if (secret === null || token===undefined) throw secret;",
    "https://localhost:3000/a@b https://unpkg.com/react@18 mailto:a@b.c",
  ];
  for (const text of texts) {
    expect(redactSecrets(text, "…")).toBe(text);
    expect(containsSecret(text)).toBe(false);
  }
});

const secret = 'Zk3/xq9+T7bL0wRz"5YcVh2~NdJfGs8';
const escaped = [...secret].map((unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");

describe("a known secret is replaced", () => {
  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["in code units", escaped],
    ["in an address", encodeURIComponent(secret)],
    ["in an address within one", encodeURIComponent(encodeURIComponent(secret))],
    ["with a line break in it", `${secret.slice(0, 9)}\n${secret.slice(9)}`],
    ["with invisible characters in it", [...secret].join("\u200b")],
  ])("%s", (_, spelled) => {
    const redact = redactKnown([secret], { by: "(it)" });
    expect(redact(`a ${spelled} \\n b`)).toBe("a (it) \\n b");
    expect(redact({ [spelled]: [{ a: spelled, b: 1, c: null }] })).toEqual({
      "(it)": [{ a: "(it)", b: 1, c: null }],
    });
  });

  test.each(["", "u", "us", "user:"])("in base64 of either alphabet after %j", (before) => {
    const redact = redactKnown([secret]);
    for (const encode of [base64, base64url]) {
      const text = encode(`${before}${secret}:more`);
      const shown = redact(`Basic ${text}`);
      expect(shown).toContain("…");
      for (let at = 0; at + 8 < text.length; at += 1) {
        const part = Buffer.from(text.slice(at, at + 8), "base64url").toString("latin1");
        if (secret.includes(part)) expect(shown).not.toContain(text.slice(at, at + 8));
      }
    }
  });
});

test("overlapping known secrets are redacted whole, and short ones are left alone", () => {
  const redact = redactKnown(["token-12345", "12345-token", "short"]);
  expect(redact("a token-12345-token, short")).toBe("a …, short");
});

test("a value without a known secret is unchanged", () => {
  const value = { a: ["C:\\work\\a%20b &amp; \\\\ c"], "\\u0061": -0, b: undefined };
  expect(redactKnown([secret])(value)).toEqual(value);
});

test("ranges of a decoded text are those of its source", () => {
  const decoded = new DecodedText("a\\u0062%63&#100;\u00ade\\\\f");
  expect(decoded.text).toBe("abcde\\f");
  const ranges = [...decoded.text].map((_, at) => ({ from: at, to: at + 1 }));
  expect(replaceRanges(decoded, ranges, (unit) => unit)).toBe("abcde\\f");
  expect(replaceRanges(decoded, [{ from: 1, to: 4 }], () => "-")).toBe(
    "a-\u00ade\\\\f".replace("\u00ad", ""),
  );
});

test.each(["\\u0061", "%61", "%2525", "\\", "&#97;", "\u200b", "a"])(
  "megabytes of %j are searched in linear time",
  (unit) => {
    const redact = redactKnown([secret]);
    const ms = (units: number): number => {
      const text = unit.repeat(units / unit.length);
      const start = process.cpuUsage();
      redact(text);
      return process.cpuUsage(start).user / 1000;
    };
    ms(500_000);
    expect(ms(4_000_000)).toBeLessThan(Math.max(500, 3 * 8 * ms(500_000)));
  },
);
