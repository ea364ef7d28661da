import { expect, test } from "vitest";
import { isPlausible, isWord } from "../../src/redaction/values.ts";

test.each([
  { value: "abc123def", any: true, password: true },
  { value: "3f786850e387550fdab836ed7e6dc881de23001b", any: true, password: true },
  { value: "/k3yWith/Slash+es1", any: true, password: true },
  { value: "correct-horse-1", any: false, password: true },
  { value: "refresh_token_v2", any: false, password: true },
  { value: "X25519PrivateKey", any: false, password: true },
  { value: "onlyletters", any: false, password: false },
  { value: "20260101120000", any: false, password: false },
  { value: "${SECRET_1}", any: false, password: false },
  { value: "<secret-1>", any: false, password: false },
  { value: "your-key-123", any: false, password: false },
  { value: "https://host/key1", any: false, password: false },
  { value: "~/.ssh/id_rsa2", any: false, password: false },
  { value: "/run/secrets/db1", any: false, password: false },
  { value: "é1é2é3é4", any: true, password: true },
])("$value", ({ value, any, password }) => {
  const bytes = Buffer.from(value).toString("latin1");
  expect([isPlausible(bytes, false), isPlausible(bytes, true)]).toEqual([any, password]);
});

test("a word is no credential", () => {
  expect(["authentication", "Required", "dXNlcjpwYXNz", "abc123", "A"].map(isWord)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
