/** Made up, in the published shapes; put together here so that no scanner takes this file for a leak. */
const alnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g3H4i5J6k7L8m9N0o1P2";
const of = (length: number) => alnum.repeat(Math.ceil(length / alnum.length)).slice(0, length);

/** By the kind that their mask names: secrets, each as it stands alone. */
export const tokens: readonly (readonly [kind: string, secret: string])[] = [
  ["aws-access-key-id", `AKIA${of(16).toUpperCase()}`],
  ["aws-access-key-id", `ASIA${of(16).toUpperCase()}`],
  ["github-token", `ghp_${of(36)}`],
  ["github-token", `gho_${of(36)}`],
  ["github-token", `ghu_${of(36)}`],
  ["github-token", `ghr_${of(76)}`],
  ["github-token", `ghs_${of(36)}`],
  ["github-token", `ghs_123_eyJ${of(33)}.eyJ${of(90)}.${of(43)}`],
  ["github-token", `github_pat_${of(22)}_${of(59)}`],
  ["gitlab-token", `glpat-${of(20)}`],
  ["gitlab-token", `glpat-${of(27)}.01.${of(9)}`],
  ["slack-token", `xoxb-${"1234567890"}-${"1234567890123"}-${of(24)}`],
  ["slack-token", `xapp-1-A0${of(9).toUpperCase()}-1234567890-${of(64)}`],
  ["slack-webhook", `hooks.slack.com/services/T0${of(8)}/B0${of(8)}/${of(24)}`],
  ["stripe-key", `sk_live_${of(24)}`],
  ["stripe-key", `rk_test_${of(99)}`],
  ["google-api-key", `AIza${of(35)}`],
  ["google-oauth", `GOCSPX-${of(28)}`],
  ["google-oauth", `ya29.${of(60)}-_${of(60)}`],
  ["anthropic-key", `sk-ant-api03-${of(80)}-${of(12)}AA`],
  ["openai-key", `sk-${of(48)}`],
  ["openai-key", `sk-proj-${of(70)}_-${of(50)}`],
  ["npm-token", `npm_${of(36)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${of(100)}-_${of(40)}`],
  ["jwt", `eyJ${of(33)}.eyJ${of(120)}.${of(43)}`],
  ["jwt", `eyJ${of(1000)}.eyJ${of(5000)}.${of(342)}`],
];

export const base64Line = `${of(60)}+/a=`.slice(0, 64);

export function keyBlock(title: string, lines: readonly string[], newline = "\n"): string {
  return [`-----BEGIN ${title}-----`, ...lines, `-----END ${title}-----`].join(newline);
}
