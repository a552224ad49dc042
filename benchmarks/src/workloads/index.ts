import type { Workload } from "../subject.ts";
import { anchors } from "./anchors.ts";
import { list, memory, openDiff, ws } from "./calls.ts";
import { fanOut, idleConnections, stalledClient } from "./fan-out.ts";
import { http, httpSoak, idleSessions, sessionSoak } from "./http.ts";
import { httpClient } from "./http-client.ts";
import { connect, soak, warmStart } from "./lifecycle.ts";
import { malformed } from "./malformed.ts";
import { stdio } from "./stdio.ts";

/** The workloads by name. */
export const workloads: Readonly<Record<string, Workload>> = {
  anchors,
  memory,
  ws,
  stdio,
  http,
  httpSoak,
  idleSessions,
  sessionSoak,
  httpClient,
  list,
  openDiff,
  fanOut,
  stalledClient,
  idleConnections,
  malformed,
  warmStart,
  connect,
  soak,
};
