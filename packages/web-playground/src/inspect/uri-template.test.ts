import { expect, test } from "vitest";
import { expandTemplate, variablesOf } from "./uri-template.ts";

test("a URI template is expanded as in RFC 6570, and variables without a value are omitted", () => {
  const template = "demo://{kind}/{+path}{?q,page*}";
  expect(variablesOf(template).map(({ name }) => name)).toEqual(["kind", "path", "q", "page"]);
  const texts = { kind: "a b", path: "x/y z", q: "1&2" };
  expect(expandTemplate(template, texts)).toBe("demo://a%20b/x/y%20z?q=1%262");
  expect(expandTemplate("file:///{name}", {})).toBe("file:///");
  expect(expandTemplate("file:///{constructor}", {})).toBe("file:///");
});

test("a variable is required unless it occurs only in the query of a URI template", () => {
  const required = (template: string) =>
    variablesOf(template)
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name);
  expect(required("beds://search/{bed}{?crop,year*}{&page}")).toEqual(["bed"]);
  expect(required("beds://{year}{?year}")).toEqual(["year"]);
  expect(required("beds://{?year}/{year}")).toEqual(["year"]);
  expect(required("beds://{+a}{#b}{.c}{/d}{;e}")).toEqual(["a", "b", "c", "d", "e"]);
});
