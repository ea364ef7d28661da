/**
 * The shapes of secrets. Prefixes, alphabets and lengths are those that the issuers publish; what has no prefix is known by
 * the name that it is assigned to. Patterns run over bytes as latin1 characters, so `\s` and `\w`, which would take a piece
 * of a UTF-8 character for a blank, are spelled out. An opener matches and looks at `reachBytes` at most and looks back at
 * `contextBytes`; only that of a block crosses line ends. A text of nothing but beginnings must not be looked through from
 * each of them: an opener either stops at the next beginning or is short.
 */
import { isPlausible, isWord } from "./values.ts";

export interface Shape {
  /** What the mask calls it. */
  readonly kind: string | ((match: RegExpExecArray) => string);
  /** What its openers begin with, in any case of letters: the first `beginBytes` characters decide where it is tried. */
  readonly beginnings: readonly string[];
  /** Sticky. Group 1 is what stays; the rest is as much of the secret as it takes to know it. */
  readonly opener: RegExp;
  /** Global: finds the first character behind the opener that is no longer the secret's, however long that is. */
  readonly end: RegExp;
  /** The secret may have line ends inside. */
  readonly isBlock?: boolean;
  /** A last look at the secret as far as it was matched, and at the one character behind (empty at the end). */
  readonly accepts?: (secret: string, next: string, match: RegExpExecArray) => boolean;
}

export const reachBytes = 2048;
export const contextBytes = 128;
export const beginBytes = 3;

const controls = "\\x00-\\x20\\x7f";
const quotes = "\"'`";
const wide = "A-Za-z0-9_\\-";
const base64 = "A-Za-z0-9+/=";

/** A token begins a word; the letter that ends a colour sequence or an escape (`\n`, `%3D`) is none of the word's. */
const begin = String.raw`(?:(?<![A-Za-z0-9])|(?<=\x1b\[[0-9;]{0,16}[A-Za-z]|\\(?:[bfnrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})|%[0-9A-Fa-f]{2}))`;

/** Shapes that tell by themselves what they are. */
export const tokenShapes: readonly Shape[] = [
  token("aws-access-key-id", "AKIA ASIA", "[A-Z0-9]{16}(?![A-Za-z0-9])", ""),
  token("github-token", "ghs_", "[A-Za-z0-9_.-]{36}", `${wide}.`), // it may hold a JWT
  token("github-token", "gho_ ghp_ ghr_ ghu_", "[A-Za-z0-9]{36}", "A-Za-z0-9_"),
  token("github-token", "github_pat_", "[A-Za-z0-9_]{36}", "A-Za-z0-9_"),
  token("gitlab-token", "glpat- glptt- gldt- glrt- glcbt- glft- glsoat- gloas-", `[${wide}]{20}`, `${wide}.`),
  token("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-", "[A-Za-z0-9-]{10}", "A-Za-z0-9-"),
  token("slack-token", "xapp-", "[0-9]-[A-Za-z0-9-]{10}", "A-Za-z0-9-"),
  token("slack-webhook", "hooks.slack.com/services/", "[A-Za-z0-9/]{20}", "A-Za-z0-9/"),
  token("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", "[A-Za-z0-9]{16}", "A-Za-z0-9"),
  token("google-api-key", "AIza", `[${wide}]{35}`, wide),
  token("google-oauth", "GOCSPX-", `[${wide}]{28}`, wide),
  token("google-oauth", "ya29.", `[${wide}]{20}`, `${wide}.`),
  token("anthropic-key", "sk-ant-", `[${wide}]{20}`, wide),
  token("openai-key", "sk-proj- sk-svcacct- sk-admin-", `[${wide}]{20}`, wide),
  token("openai-key", "sk-", "[A-Za-z0-9]{32}", wide),
  token("npm-token", "npm_", "[A-Za-z0-9]{36}", "A-Za-z0-9"),
  token("pypi-token", "pypi-AgE", `[${wide}]{50}`, wide),
  // Its first two parts are JSON objects, and `{"` is eyJ in base64 (RFC 7519).
  token("jwt", "eyJ", `[${wide}]{8,1000}\\.eyJ[${wide}]{8}`, `${wide}.`, `(?<![_-])${begin}`),
];

/** What stands between the lines of a key that is quoted in code or in JSON, and headers of PEM or PGP (three at most). */
const separator = String.raw`(?:[ \t\r\n${quotes},+|>#*]|\\{1,4}[nr]){0,60}`;
const blockHeaders = `(?:(?:[A-Z][A-Za-z-]{1,20}: [^\\r\\n\\\\]{1,100})${separator}){0,3}`;

const privateKey: Shape = {
  kind: "private-key",
  beginnings: ["-----BEGIN "],
  opener: new RegExp(
    `(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----${separator}${blockHeaders})[A-Za-z0-9+/]{16}`,
    "y",
  ),
  end: endOf(`${base64}\\\\ \\t\\r\\n${quotes},|>#*`),
  isBlock: true,
};

const user = `[^${controls}${quotes}/?#@:<>\\\\]`;
const password = `[^${controls}${quotes}/?#<>\\\\]`;
const prefixes = tokenShapes.flatMap(({ beginnings }) => beginnings.map(literal)).join("|");

/** A token as the user of a URL goes with whatever stands in place of a password. */
const urlToken: Shape = {
  kind: "url-token",
  beginnings: ["://"],
  opener: new RegExp(`(://)${user}{0,20}(?:${prefixes})${user}{16,200}(?::${password}{0,200})?(?=@)`, "y"),
  end: endOf(""),
};

const urlPassword: Shape = {
  kind: "url-password",
  beginnings: ["://"],
  opener: new RegExp(`(://${user}{0,100}:)${password}{1,256}(?=@)`, "y"),
  end: endOf(""),
  accepts: (secret) => !/^(?:[$%{*]|x+$)/i.test(secret),
};

/** Between a name, its operator and a value there may be blanks, and the colours that tools put there. */
const gap = String.raw`(?:[ \t]|\x1b\[[0-9;]{0,16}m){0,8}`;
const closing = `\\\\{0,3}[${quotes}]?\\]?${gap}`;
const operator = `(?::=|=>|==?|:)${gap}`;
const opening = `\\\\{0,3}[${quotes}]?`;

const authorization: Shape = {
  kind: "authorization",
  beginnings: ["authorization"],
  opener: new RegExp(
    `(authorization${closing}${operator}${opening}(?:basic|bearer|token) {1,4})[A-Za-z0-9._~+/=-]{8,64}`,
    "iy",
  ),
  end: endOf("A-Za-z0-9._~+/=-"),
  accepts: (secret) => !isWord(secret),
};

const awsSecretKey: Shape = {
  kind: "aws-secret-key",
  beginnings: ["secret"],
  opener: new RegExp(
    `(secret[_-]?access[_-]?key${closing}${operator}${opening})[A-Za-z0-9+/]{40}(?![${base64}])`,
    "iy",
  ),
  end: endOf(""),
};

const words = ["password", "passwd", "passphrase", "secret", "token"];
const ofKeys = ["api", "access", "account", "auth", "encryption", "master", "private", "signing"];
const name = `(?<name>(?:${words.join("|")}|(?:${ofKeys.join("|")})[_-]?key)(?:[_-]?access)?(?:[_-]?key)?)`;

/** At a place the first that fits counts. */
export const shapes: readonly Shape[] = [
  ...tokenShapes,
  privateKey,
  urlToken,
  urlPassword,
  authorization,
  awsSecretKey,
  // A quoted value; one in quotes that are quoted themselves; a bare one close behind `=`, as in environments and queries;
  // a bare one elsewhere, where more is no secret.
  assignment(`${name}${closing}${operator}[bfru]?[${quotes}]`, `^${controls}${quotes}`),
  assignment(`${name}${closing}${operator}\\\\{1,3}[${quotes}]`, `^${controls}${quotes}\\\\`),
  assignment(`${name}=`, `^${controls}${quotes}&;,<>(){}|\\[\\]\\\\`),
  assignment(`${name}${closing}${operator}`, "A-Za-z0-9_+/=~.@!#%^*-", 12),
];

/**
 * @param beginnings Separated by blanks.
 * @param characters What the secret goes on with, as in a class of a pattern.
 */
function token(kind: string, beginnings: string, rest: string, characters: string, start = begin): Shape {
  const all = beginnings.split(" ");
  const opener = new RegExp(`(${start})(?:${all.map(literal).join("|")})${rest}`, "y");
  return { kind, beginnings: all, opener, end: endOf(characters) };
}

/** @param leastCharacters Of a value that is no password. */
function assignment(upToValue: string, characters: string, leastCharacters = 8): Shape {
  return {
    kind: (match) => kindOf(nameIn(match)),
    beginnings: [...words, ...ofKeys],
    opener: new RegExp(`(${upToValue})[${characters}]{8,64}`, "iy"),
    end: endOf(characters),
    accepts: (secret, next, match) => {
      const isPassword = kindOf(nameIn(match)) === "password";
      if (!isPassword && secret.length < leastCharacters) return false;
      return !/^[([{]/.test(next) && isPlausible(secret, isPassword);
    },
  };
}

function nameIn({ groups }: RegExpExecArray): string {
  return groups?.["name"] ?? "";
}

function kindOf(text: string): string {
  if (/^pass/i.test(text)) return "password";
  if (/^token/i.test(text)) return "token";
  return /^secret$/i.test(text) ? "secret" : "key";
}

/** What finds the first character outside a class; any where the class is empty. */
function endOf(characters: string): RegExp {
  return new RegExp(characters.startsWith("^") ? `[${characters.slice(1)}]` : `[^${characters}]`, "g");
}

function literal(text: string): string {
  return text.replaceAll(".", "\\.");
}
