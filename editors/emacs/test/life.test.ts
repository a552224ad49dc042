import { expect, test } from "vitest";
import { openWorkspace, write } from "../../../tests/src/reference-clients/serve-context.ts";
import { Emacs } from "./emacs.ts";

test("remote files are not sent", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { files: ["a.txt"] });
  await emacs.untilListening();
  const remote = '(setq buffer-file-name "/ssh:x:/a.txt")';
  expect(emacs.evaluate(`(with-temp-buffer ${remote} (idewire--path))`)).toBe("nil");
});
