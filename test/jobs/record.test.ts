import { describe, expect, it } from "vitest";
import { hasEnded, type JobRecord, jobStates, parseJobRecord } from "../../src/jobs/record.ts";

const id = "job-0123456789";
const record: JobRecord = {
  version: 1,
  id,
  sessionID: null,
  name: "build",
  state: "running",
  namespace: "pid:[1]",
  supervisor: { pid: 4242, startTime: "17" },
  command: { pid: 4243, startTime: "18" },
  output: { id: "24fe7eecc000OBEjKVqWshhbTn", sessionID: null, toolCallID: null, name: "build" },
  takesInput: false,
  startedMs: 1,
  endedMs: null,
  exitCode: null,
  signal: null,
  bytes: null,
  lines: null,
  complete: null,
  redacted: null,
  trouble: null,
};

describe("a job's record", () => {
  it("is read as it was written", () => {
    expect(parseJobRecord(JSON.stringify(record), id)).toEqual(record);
    expect(parseJobRecord(JSON.stringify({ ...record, command: null }), id)?.command).toBeNull();
  });

  it.each([
    ["another job's", { id: "job-9876543210" }],
    ["of a later version", { version: 2 }],
    ["of a state that there is not", { state: "sleeping" }],
    ["with a process that a signal must not be sent to: all", { supervisor: { pid: -1, startTime: "" } }],
    ["with a process that a signal must not be sent to: our group", { command: { pid: 0, startTime: "" } }],
    ["with a process that a signal must not be sent to: the first", { command: { pid: 1, startTime: "" } }],
    ["with an output that leads elsewhere", { output: { ...record.output, id: "../../etc/passwd" } }],
    ["without a start", { startedMs: "now" }],
    ["with a status that there is not", { state: "exited", exitCode: 99_999 }],
    ["of one that exited without a status", { state: "exited" }],
    ["with a signal that there is not", { state: "signaled", signal: "SIGNOPE" }],
    ["with counts that are none", { bytes: "abc" }],
    ["with trouble that is no text", { trouble: 5 }],
    ["without a namespace", { namespace: undefined }],
  ])("is none when it is %s", (_, changes) => {
    expect(parseJobRecord(JSON.stringify({ ...record, ...changes }), id)).toBeUndefined();
  });

  it.each(["", "{", "null", "[]", "1"])("is none when it is %j", (text) => {
    expect(parseJobRecord(text, id)).toBeUndefined();
  });

  it("says whether the job goes on", () => {
    expect(jobStates.filter((state) => !hasEnded({ state }))).toEqual(["starting", "running"]);
  });
});
