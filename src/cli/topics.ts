/** What `toolout help TOPIC` prints: what concerns more than one command, on one screen, from the tables of the program. */
import { exitStatus, failureKinds } from "../errors.ts";
import { builtInProfiles, describeRange, formatLimit, isLimitKey, limitKeys, limitTable } from "../limits.ts";
import { alignColumns } from "../text/table.ts";

interface Topic {
  readonly meaning: string;
  readonly text: () => string;
}

const topics = {
  limits: { meaning: "what bounds an output, and where the values come from", text: limits },
  profiles: { meaning: "named sets of limits", text: profiles },
  uris: { meaning: "how a stored output is named", text: uris },
  sessions: { meaning: "who is given a stored output", text: sessions },
  "exit-status": { meaning: "what the statuses say", text: statuses },
} as const satisfies Record<string, Topic>;

export const topicNames = Object.keys(topics) as readonly (keyof typeof topics)[];

export function isTopic(text: string): text is keyof typeof topics {
  return Object.hasOwn(topics, text);
}

export function topicMeaning(name: keyof typeof topics): string {
  return topics[name].meaning;
}

export function topicText(name: keyof typeof topics): string {
  return topics[name].text();
}

function limits(): string {
  const rows = limitKeys.map((key) => {
    const { flag, variable, default: preset } = limitTable[key];
    return [key, formatLimit(key, preset), describeRange(key), flag ?? "-", variable];
  });
  return `The first that says something decides: flag, variable, profile, config.json, default.
Sizes are 51200, 50KiB, 1MiB, 64k (K is 1024), durations 90s, 30m, 1h30m, 7d.

${table([["limit", "default", "range", "flag", "variable"], ...rows])}
toolout config list    shows what is in force, and why
`;
}

function profiles(): string {
  const rows = Object.entries(builtInProfiles).map(([name, values]) => {
    const said = Object.entries(values).map(([key, value]) =>
      isLimitKey(key) ? `${key} ${formatLimit(key, value)}` : "",
    );
    return [name, said.join(", ")];
  });
  return `A profile is a set of limits, chosen with --profile NAME or TOOLOUT_PROFILE. What it does not say falls
through to config.json and the defaults. These are built in:

${table(rows)}
toolout config set profiles.reviewer.runChars 20000    makes one, or changes one of these
`;
}

function uris(): string {
  return `A stored output is named by any of these:

${table([
  ["tool-output://ID", "its URI, as the marker has it"],
  ["ID", "26 letters and digits"],
  ["the beginning of an ID", "8 characters or more, where only one output begins so"],
  ["last", "this session's newest"],
])}
Where read and grep take a file too, ./last is the file of that name. IDs tell nothing of age or content.
`;
}

function sessions(): string {
  return `An output stored with --session ID, --session-file FILE or TOOLOUT_SESSION is given only to that session;
one stored without, only without. --any-session is for the owner of the store.

This keeps agents apart. It is no wall against another program of the same user, which can read the files.
`;
}

function statuses(): string {
  const rows = failureKinds.map((kind) => [kind, `${exitStatus(kind, "run")}`, `${exitStatus(kind, "read")}`]);
  return `run ends as its command did, by the same status or signal; 124 when --timeout was over.
grep ends with 0 when a line matched, 1 when none did, 2 or more after a failure.

${table([["failure", "run", "others"], ...rows])}`;
}

/** Indented by two blanks, each line with its end. */
function table(rows: readonly (readonly string[])[]): string {
  return alignColumns(rows)
    .map((line) => `  ${line}\n`)
    .join("");
}
