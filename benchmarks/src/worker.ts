// A child process: opens an implementation with a workload, then serves the requests of its parent. It exits
// with its parent.
import type { ImplementationName } from "./implementation.ts";
import type { Answer, Question, Sample, Subject, Workload, WorkloadOptions } from "./subject.ts";
import { workloads } from "./workloads/index.ts";

process.once("disconnect", () => process.exit(0));

const [workload = "", name = "", options = "{}"] = process.argv.slice(2);
await start(workload, name as ImplementationName, JSON.parse(options) as WorkloadOptions);

async function start(
  workloadName: string,
  implementation: ImplementationName,
  workloadOptions: WorkloadOptions,
): Promise<void> {
  try {
    const open = workloads[workloadName];
    if (open === undefined) throw new Error(`There is no workload ${workloadName}`);
    const subject = await (open satisfies Workload)(implementation, workloadOptions);
    process.on("message", (question: Question) => void reply(subject, question));
    emit({ is: "open" });
  } catch (error) {
    emit({ is: "failure", message: String((error as Error).stack) });
  }
}

async function reply(subject: Subject, question: Question): Promise<void> {
  try {
    if (question.do === "close") await end(subject);
    else emit(await ask(subject, question));
  } catch (error) {
    emit({ is: "failure", message: String((error as Error).stack) });
  }
}

async function ask(subject: Subject, question: Question): Promise<Answer> {
  if (question.do === "sample")
    return { is: "sample", sample: await take(subject, question.forMs) };
  if (subject.measure === undefined) throw new Error("The workload has no measurement of its own");
  return { is: "value", value: await subject.measure() };
}

async function take(subject: Subject, forMs: number): Promise<Sample> {
  if (subject.run === undefined) throw new Error("The workload has no operations");
  let operations = 0;
  const before = (await subject.cpuMicrosElsewhere?.()) ?? 0;
  const start = performance.now();
  const cpu = process.cpuUsage();
  do operations += await subject.run();
  while (performance.now() - start < forMs);
  const { user, system } = process.cpuUsage(cpu);
  const wallMicros = (performance.now() - start) * 1000;
  const elsewhere = ((await subject.cpuMicrosElsewhere?.()) ?? 0) - before;
  return { operations, cpuMicros: user + system + elsewhere, wallMicros };
}

async function end(subject: Subject): Promise<void> {
  await subject.close();
  process.exit(0);
}

function emit(answer: Answer): void {
  process.send?.(answer);
}
