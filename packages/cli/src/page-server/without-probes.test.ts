import { expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../../../../tests/src/agent-context.ts";
import { examine } from "../../../../tests/src/doctor-report.ts";
import { RawClient } from "../../../../tests/src/raw-client.ts";
import { joinAs } from "../../../../tests/src/terminal-context.ts";
import { openFolderHost } from "../folder-host/index.ts";
import { FolderLog } from "./folder-log.ts";

async function openLogged() {
  const context = new AgentContext();
  const host = await openFolderHost(context.folder);
  onTestFinished(() => host.close());
  const log = new FolderLog(host);
  onTestFinished(() => log.close());
  const served = await context.serve(context.folder, { host, wrapTransport: log.wrapTransport });
  log.watch(served.listener);
  const opened = async () => {
    await log.flush();
    return log.log.events.flatMap((event) => (event.ev === "open" ? [event.ch] : []));
  };
  return { context, log, opened, ...served };
}

test("the doctor of another process is not among the agents of the log", async () => {
  const { context, log, opened, lockFile } = await openLogged();
  const { steps } = await examine(context);
  expect(steps.find(({ id }) => id === "handshake")?.outcome).toBe("ok");
  const agent = await joinAs(lockFile, "claude-code");
  await expect.poll(opened).toHaveLength(1);
  expect(JSON.stringify(log.log.events)).not.toContain("idewire-doctor");
  agent.socket.close();
  await expect.poll(() => log.log.events.map(({ ev }) => ev)).toContain("close");
});

test("a client that is refused before its first message stays in the log", async () => {
  const { opened, lockFile } = await openLogged();
  const agent = await RawClient.open(lockFile);
  agent.socket.terminate();
  await expect.poll(opened).toHaveLength(1);
});
