import { constants } from "node:os";
import { main } from "./main.ts";
import { inheritedDescriptors } from "./process/descriptors.ts";
import { dieOf, dieOfUserSignal } from "./process/signals.ts";
import { leaveTerminals } from "./process/terminal.ts";
import { FdSink } from "./stream/sink.ts";

dieOfUserSignal();
const io = {
  env: process.env,
  stdin: 0,
  inherited: inheritedDescriptors,
  stdout: new FdSink(1),
  stderr: new FdSink(2),
  now: Date.now,
};

// Past `ulimit -f` the kernel would end toolout (SIGXFSZ, setrlimit(2)); caught, the write fails with EFBIG and is told.
process.on("SIGXFSZ", () => {});

main(process.argv.slice(2), io).then((ending) => {
  leaveTerminals();
  if (typeof ending === "number") process.exitCode = ending;
  else {
    process.exitCode = 128 + constants.signals[ending]; // should the signal not end us: process 1 of a container
    dieOf(ending);
  }
});
