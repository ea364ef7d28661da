/** Stored outputs as the protocol's resources, for clients that know them; the tools give the same. */
import { dataDirectory } from "../paths.ts";
import { askerOf } from "../store/asker.ts";
import { readMcpPage } from "./page.ts";
import { askingEnv, type Host } from "./tool.ts";

/** A client shows them to a person, who looks for a recent one. */
const mostListed = 100;

export const resourceTemplate = {
  uriTemplate: "tool-output://{id}",
  name: "stored output",
  description: "The whole of an output that was too long to show",
  mimeType: "text/plain",
};

/** The newest outputs of the session. @throws Failure "io" */
export async function listResources(host: Host) {
  const { recordsFor } = await import("../store/find.ts");
  const env = askingEnv(host);
  const resources = [];
  for (const { uri, name, mime, size, created } of recordsFor(await dataDirectory(env), askerOf({}, env))) {
    if (resources.length === mostListed) break;
    const annotations = { lastModified: new Date(created).toISOString() };
    resources.push({ uri, name, mimeType: mime, size, annotations });
  }
  return { resources };
}

/** The first page, and where more follows a second part that says how to go on. @throws Failure */
export async function readResource(uri: string, host: Host) {
  const { content, note, place } = await readMcpPage({ target: uri }, host);
  const mimeType = "text" in content ? "text/plain" : "application/octet-stream";
  const page = { uri, mimeType, ...content };
  const contents = note === "" ? [page] : [page, { uri, mimeType: "text/plain", text: note }];
  return { contents, _meta: { "toolout/page": place } };
}
