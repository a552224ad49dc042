// @vitest-environment jsdom
import { editorHostContract, posixPath } from "@idewire/core/testing";
import { expect, test } from "vitest";
// @ts-expect-error: it is JavaScript
import { openPage } from "./monaco-page.js";

const path = posixPath("/notes/a.txt");
const text = "first line ✓\nsecond line\n";

editorHostContract(
  { test, expect },
  {
    name: "Monaco",
    makeHost() {
      const page = openPage(new Map([[path, text]]));
      return {
        host: page.host.asHost(),
        file: { path, text },
        edit: page.edit,
        select: page.select,
        answer: (id, answer) => page.host.diffs.answer(id, answer, "editor"),
        dispose: page.close,
      };
    },
  },
);
