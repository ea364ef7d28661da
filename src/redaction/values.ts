/** Whether a value that is assigned to the name of a secret is one. Most in code, logs and documents are not. */

const letter = /[A-Za-z\x80-\xff]/;
const digit = /[0-9]/;

/** What stands where a secret should be put, or says where it comes from. */
const placeholder =
  /^(?:[$%<{*[]|\.\.\.|xxx|your|change|placeholder|example|dummy|redacted|process\.env|os\.environ|env\.|secrets?\.)|:\/\/|^(?:~|\.{1,2})?\/[a-z._-]+\/|^(.)\1*$/i;

/** `my-app-tls-2024`, `refresh_token_v2`, `X25519PrivateKey`: words and short numbers, as names of secrets and types are. */
const nameOfOne = /^(?:[A-Za-z]{2,}(?:[-_.](?:[A-Za-z]{2,}|v?\d{1,4}))+|[A-Z]?\d*(?:[A-Z][a-z]{2,}\d*){2,})$/;

/**
 * Letters and digits together, and no placeholder, path, address or name of something.
 * @param isPassword People make passwords of words as well.
 */
export function isPlausible(value: string, isPassword: boolean): boolean {
  if (!letter.test(value) || !digit.test(value) || placeholder.test(value)) return false;
  return isPassword || !nameOfOne.test(value);
}

/** `authentication`, `Required`: no secret, where these have digits or letters of both kinds. */
export function isWord(text: string): boolean {
  return /^[A-Z]?[a-z]+$/.test(text);
}
