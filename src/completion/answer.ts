/**
 * What the scripts of the shells read: the first line names what the shell adds by itself, each other line is a word,
 * and after a tab what it means.
 */
import { visible } from "../text/visible.ts";

export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** `none`, `files`, `directories`, or `command N`: the words from the Nth on (from 0) are a command line of their own. */
export type ShellsOwn = "none" | "files" | "directories" | `command ${number}`;

const mostMeaningCharacters = 80;

/** Of the candidates those that begin as the word does; one that a shell or a terminal could trip over is left out. */
export function formatAnswer(own: ShellsOwn, candidates: readonly Candidate[], word: string): string {
  const lines = candidates
    .filter((candidate) => candidate.word.startsWith(word) && visible(candidate.word) === candidate.word)
    .map(({ word: found, meaning }) => `${found}\t${visible(meaning, mostMeaningCharacters)}\n`);
  return `${own}\n${lines.join("")}`;
}
