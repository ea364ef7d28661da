import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Masker, mask } from "../../src/redaction/masker.ts";
import { reachBytes } from "../../src/redaction/shapes.ts";
import { chunkSizes, cutUp } from "../arbitraries.ts";
import { maskWhole } from "./reference.ts";
import { base64Line, keyBlock, tokens } from "./samples.ts";

function masked(bytes: Buffer | string, sizes: readonly number[] = [Number.POSITIVE_INFINITY]) {
  const masker = new Masker();
  const parts = cutUp(Buffer.from(bytes), sizes).map((chunk) => masker.write(chunk));
  return { bytes: Buffer.concat([...parts, masker.end()]), count: masker.count };
}

const textOf = (text: string) => masked(text).bytes.toString();

const secrets = tokens.map(([, secret]) => secret);
const blocks = [
  keyBlock("RSA PRIVATE KEY", [base64Line, base64Line, "ab=="]),
  keyBlock("PRIVATE KEY", [base64Line, base64Line], "\\n"),
  keyBlock("EC PRIVATE KEY", [`Proc-Type: 4,ENCRYPTED`, "DEK-Info: AES-128-CBC,00", "", base64Line], "\r\n"),
  keyBlock("PGP PRIVATE KEY BLOCK", [`Comment: ${"c".repeat(100)}`, `Hash: ${"h".repeat(100)}`, "", base64Line]),
];

/** Texts with whole, cut and glued secrets, beginnings of some, and bytes that are no text. */
const hostileTexts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...secrets) },
      { weight: 2, arbitrary: fc.constantFrom(...blocks) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...secrets, ...blocks), fc.nat(120))
          .map(([text, length]) => text.slice(0, length)),
      },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          ...[
            "password=",
            "token: ",
            '"secret": "',
            "api_key = '",
            "Authorization: Bearer ",
            "https://user:",
            "@host/",
          ],
          ...["://", "eyJ", "sk-", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "hunter2hunter2"],
          ...["\n", "\r\n", " ", '"', "'", "\\n", "\u001b[1;32m", "%3D", "@", ":", "é", "-", "_"],
        ),
      },
      { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
      { weight: 1, arbitrary: fc.constantFrom("a", "A1", "ab=\n", ".", "\n\n").map((text) => text.repeat(1500)) },
    ),
    { maxLength: 25 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

test("however a stream is cut, it is masked as all of it at once would be", () => {
  fc.assert(
    fc.property(hostileTexts, chunkSizes, (bytes, sizes) => {
      const whole = maskWhole(bytes);
      const cut = masked(bytes, sizes);
      expect(cut.bytes.toString("latin1")).toBe(whole.bytes.toString("latin1"));
      expect(cut.count).toBe(whole.count);
    }),
    { numRuns: 1500 },
  );
});

test.each(["password=", "://", "-----BEGIN PRIVATE KEY-----\n", "eyJ", "sk-", "x", "\n"])(
  "no more than what an opener looks at is held back: %j",
  (text) => {
    const masker = new Masker();
    let heldBytes = 0;
    for (const chunk of cutUp(Buffer.from(text.repeat(20_000)), [1000])) {
      heldBytes += chunk.length - masker.write(chunk).length;
      expect(heldBytes).toBeLessThanOrEqual(reachBytes);
    }
    expect([masker.end().length, masker.count]).toEqual([heldBytes, 0]);
  },
);

describe("a token", () => {
  test.each(tokens)("%s is masked wherever it stands: %s", (kind, secret) => {
    const shown = mask(kind);
    for (const [before, after] of [
      ["", ""],
      ["a line\n", "\nthe next\n"],
      ["the key ", " is secret"],
      ['{"x": "', '"}'],
      ["\u001b[1;33m", "\u001b[0m"],
      ['"line\\n', '\\nline"'],
      ["x%3D", "&y=1"],
      ["é", "é"],
      ["(", ")"],
    ]) {
      expect(textOf(`${before}${secret}${after}`)).toBe(`${before}${shown}${after}`);
    }
  });

  test("is known better by its own shape than by its name", () => {
    expect(textOf(`GITHUB_TOKEN=ghp_${"a1".repeat(18)}\n`)).toBe("GITHUB_TOKEN=[redacted: github-token]\n");
    expect(textOf(`Authorization: Bearer ghp_${"a1".repeat(18)}`)).toBe(
      "Authorization: Bearer [redacted: github-token]",
    );
  });

  test.each([
    "xghp_a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f6g7h8",
    "ghp_short",
    "AKIA1234567890",
    "AKIAABCDEFGHIJKLMNOPQRST",
    "task-force sk-circle sk-loader-with-a-very-long-class-name-in-some-css",
    "eyJhbGciOiJIUzI1NiJ9.not.a.token",
    "npm_config_registry npm_lifecycle_event npm_package_name",
    "-----BEGIN CERTIFICATE-----\nMIIBbase64base64base64base64\n-----END CERTIFICATE-----",
    "grep -- '-----BEGIN RSA PRIVATE KEY-----' *",
    "https://example.org:8080/a@b https://user@host/ mailto:a@b.c 10:20:30",
    "https://$USER:$PASSWORD@host https://user:{password}@host https://user:***@host",
  ])("is not seen in %j", (text) => {
    expect(masked(text)).toEqual({ bytes: Buffer.from(text), count: 0 });
  });
});

describe("an assignment", () => {
  test.each([
    ["DB_PASSWORD=hunter2hunter2", "DB_PASSWORD=[redacted: password]"],
    ["DB_PASSWORD=p@ss$w0rd!;x", "DB_PASSWORD=[redacted: password];x"],
    ["password: hunter22", "password: [redacted: password]"],
    ['"password": "correct horse 1"', '"password": "correct horse 1"'],
    ['{"password":"abc123def","x":1}', '{"password":"[redacted: password]","x":1}'],
    ['"{\\"api_key\\": \\"abc123def\\"}"', '"{\\"api_key\\": \\"[redacted: key]\\"}"'],
    ["config['client_secret'] = 'abc123def'", "config['client_secret'] = '[redacted: secret]'"],
    ["?access_token=abc123def&page=2", "?access_token=[redacted: token]&page=2"],
    ["X-Api-Key: abc123def456", "X-Api-Key: [redacted: key]"],
    ["apiKey => `abc123def`", "apiKey => `[redacted: key]`"],
    ["secret := abc123def456", "secret := [redacted: secret]"],
    [
      '\u001b[34;1m"token"\u001b[0m\u001b[39m:\u001b[0m \u001b[32m"abc123def"\u001b[0m',
      '\u001b[34;1m"token"\u001b[0m\u001b[39m:\u001b[0m \u001b[32m"[redacted: token]"\u001b[0m',
    ],
    ["AccountKey=aB3/aB3/aB3/aB3/==;EndpointSuffix=x", "AccountKey=[redacted: key];EndpointSuffix=x"],
    [
      `aws_secret_access_key = ${"aBcDe/+".repeat(6).slice(0, 40)}`,
      "aws_secret_access_key = [redacted: aws-secret-key]",
    ],
    ["postgres://app:s3cr3t@db/x", "postgres://app:[redacted: url-password]@db/x"],
    ["redis://:p@ss@host:6379", "redis://:[redacted: url-password]@host:6379"],
    [`https://ghp_${"a1".repeat(18)}:x-oauth-basic@github.com/`, "https://[redacted: github-token]@github.com/"],
    ["> Authorization: Basic dXNlcjpwYXNz", "> Authorization: Basic [redacted: authorization]"],
    ['-H "authorization: Bearer abc.def-123"', '-H "authorization: Bearer [redacted: authorization]"'],
    ["password=é1é2é3é4 x", "password=[redacted: password] x"],
    [`token=${"a1".repeat(100_000)} x`, "token=[redacted: token] x"],
  ])("%j", (text, shown) => {
    expect(textOf(text)).toBe(shown);
    expect(masked(shown)).toEqual({ bytes: Buffer.from(shown), count: 0 });
  });

  test.each([
    "password: ",
    "password: string; token: CancellationToken; secret: unknown",
    "password = getPassword1(user)",
    "password=$PASSWORD1 token=${TOKEN_V1} secret=<your-secret-1> api_key=%(key)s123",
    'token: "your-token-123" secret="changeme123" password="xxxxxxxx1"',
    "token = process.env.TOKEN_2 api_key = os.environ['KEY_1234']",
    "private_key: X25519PrivateKey, secret: My-App-Tls-2024",
    "secretName: my-app-tls-2024\nsecret: my-app-tls-2024",
    "token_count: 123456789012 tokens: 12345678 max_tokens=16384",
    "password_file=/run/secrets/db1 secret=/run/secrets/db1 private_key = ~/keys/id_rsa_2",
    "token=https://example.org/t1",
    "authorization: Bearer authentication required",
    "Enter your password: secret token accepted 12345678",
  ])("of no secret stays: %j", (text) => {
    expect(masked(text)).toEqual({ bytes: Buffer.from(text), count: 0 });
  });
});

describe("a private key", () => {
  test("keeps its lines, their ends and its frame, and counts as one", () => {
    const title = "RSA PRIVATE KEY";
    for (const newline of ["\n", "\r\n"]) {
      const shown = keyBlock(
        title,
        Array.from({ length: 26 }, () => mask("private-key")),
        newline,
      );
      const block = keyBlock(title, [...Array.from({ length: 25 }, () => base64Line), "ab=="], newline);
      const { bytes, count } = masked(`a${newline}${block}${newline}b`);
      expect([bytes.toString(), count]).toEqual([`a${newline}${shown}${newline}b`, 1]);
    }
  });

  test("keeps the indentation of a document that it stands in, and headers", () => {
    const lines = ["  DEK-Info: AES-128-CBC,0011", "", `  ${base64Line}`, "  ab=="];
    const shown = ["  DEK-Info: AES-128-CBC,0011", "", "  [redacted: private-key]", "  [redacted: private-key]"];
    expect(textOf(`key: |\n  ${keyBlock("EC PRIVATE KEY", [...lines, "  "])}`)).toBe(
      `key: |\n  ${keyBlock("EC PRIVATE KEY", [...shown, "  "])}`,
    );
  });

  test("on one line of JSON is one mask", () => {
    const block = keyBlock("PRIVATE KEY", [base64Line, base64Line, ""], "\\n");
    expect(textOf(`{"private_key": "${block}\\n", "x": 1}`)).toBe(
      '{"private_key": "-----BEGIN PRIVATE KEY-----\\n[redacted: private-key]-----END PRIVATE KEY-----\\n", "x": 1}',
    );
  });

  test("that is cut off is masked as far as it goes, 64 KiB at most", () => {
    const begun = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
    expect(textOf(`${begun}${base64Line}\n${base64Line.slice(0, 9)}`)).toBe(
      `${begun}${mask("private-key")}\n${mask("private-key")}`,
    );
    expect(textOf(`${begun}${base64Line}\n\n[log] done`)).toBe(`${begun}${mask("private-key")}\n\n[log] done`);
    const endless = `${base64Line}\n`.repeat(2000);
    expect(textOf(begun + endless).endsWith(`${base64Line}\n`)).toBe(true);
    expect(masked(begun + endless).count).toBe(1);
  });
});

test("everything else is given out byte for byte, and what cannot begin a secret at once", () => {
  const masker = new Masker();
  const bytes = Buffer.from([...Array.from({ length: 256 }, (_, i) => i), 0xff, 0xc3, 0x28, 0]);
  expect(masker.write(bytes)).toEqual(bytes);
  expect(masker.write(Buffer.from("Continue? [y/N] ")).toString()).toBe("Continue? [y/N] ");
  expect(masker.end().length).toBe(0);
});

test("a secret is not begun to be given out before it is known", () => {
  for (const secret of secrets) {
    const masker = new Masker();
    const given = cutUp(Buffer.from(`key ${secret}`), [1]).map((byte) => masker.write(byte).toString());
    expect(given.join("").replace(/\[redacted: [a-z-]+\]/, "")).toBe("key ");
    expect(masker.end().toString() + given.join("")).toContain("[redacted: ");
  }
});
