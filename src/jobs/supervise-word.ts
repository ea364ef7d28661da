/** The word that makes toolout the supervisor of a job; in no help, since only toolout says it. */
export const superviseWord = "supervise-job";
