import { describeValue, isObject, type RawMessage } from "@idewire/core/internal";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

/** The problems of a message as JSON-RPC, whatever its method. */
export function checkEnvelope(value: unknown, pointer: string): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (code: ProblemCode, at: string, expected: string, got: unknown): void => {
    problems.push(problem(code, { pointer: `${pointer}${at}`, expected, got: describe(got) }));
  };
  if (!isObject(value)) {
    report("rpc.not-a-message", "", "an object", value);
    return problems;
  }
  const message = value as RawMessage;
  if (message.jsonrpc !== "2.0") report("rpc.version", "/jsonrpc", '"2.0"', message.jsonrpc);
  const isAnswer = message.result !== undefined || message.error !== undefined;
  if (message.method !== undefined) {
    if (typeof message.method !== "string")
      report("rpc.method", "/method", "a string", message.method);
    if (isAnswer) report("rpc.neither", "/method", "no method in an answer", message.method);
    if (message.params !== undefined && !isObject(message.params)) {
      report("rpc.params", "/params", "an object", message.params);
    }
  } else if (!isAnswer) {
    report("rpc.neither", "", "method, result or error", value);
  }
  if (message.result !== undefined && message.error !== undefined) {
    report("rpc.result-and-error", "/error", "no error beside a result", message.error);
  }
  checkId(message, isAnswer, report);
  checkError(message.error, report);
  return problems;
}

type AddProblem = (code: ProblemCode, at: string, expected: string, got: unknown) => void;

function checkId({ id, error, method }: RawMessage, isAnswer: boolean, report: AddProblem): void {
  if (typeof id === "string" || Number.isInteger(id)) return;
  if (!isAnswer && id === undefined) return;
  if (isAnswer && method === undefined && error !== undefined && id === null) return;
  report("rpc.id", "/id", "a string or an integer", id);
}

function checkError(error: unknown, report: AddProblem): void {
  if (error === undefined) return;
  if (!isObject(error)) {
    report("rpc.error", "/error", "an object { code, message }", error);
    return;
  }
  const { code, message } = error;
  if (!Number.isInteger(code)) report("rpc.error", "/error/code", "an integer", code);
  if (typeof message !== "string") report("rpc.error", "/error/message", "a string", message);
}

function describe(value: unknown): string {
  return value === undefined ? "nothing" : describeValue(value);
}
