/** The format of a secret. */
export interface SecretPattern {
  readonly name: string;
  /** Linear. The secret is its named group that matched, at the end; without groups, all of it. */
  readonly pattern: RegExp;
  /** A text with such a secret. */
  readonly example: string;
  /**
   * Whether it also matches texts that are not secrets: good enough to redact a trace, but not to withhold a
   * comment.
   */
  readonly isGuess?: boolean;
  /** Whether a match is a secret; `next` is the character after it. */
  readonly accept?: (secret: string, next: string) => boolean;
}

/**
 * Secrets that services issue, recognised by their prefix wherever a word begins. They end early on
 * purpose: the beginning of a token that was cut off is hidden as well.
 */
export const tokenFormats: readonly SecretPattern[] = [
  row("Adobe client secret", /p8e-[\w-]{16,}/, "p8e-a1b2c3d4e5f6a7b8"),
  row("age key", /AGE-SECRET-KEY-1[A-Z0-9]{4,}/, "AGE-SECRET-KEY-1QP2Z"),
  row("Airtable token", /pat[A-Za-z0-9]{14}\.[0-9a-f]{4,}/, "patA1b2C3d4E5f6G7.a1b2"),
  row("Alibaba Cloud key", /LTAI[A-Za-z0-9]{12,}/, "LTAIa1b2c3d4e5f6"),
  row("Anthropic key", /sk-ant-[\w-]{4,}/, "sk-ant-api03-a1b2"),
  row("Artifactory key", /(?:AKCp|cmVmd)[A-Za-z0-9]{20,}/, "AKCpa1b2c3d4e5f6a7b8c9d0"),
  row("Atlassian token", /(?:AT[AC]TT3|ATBB)[\w=-]{8,}/, "ATATT3a1b2c3d4"),
  row(
    "Authress key",
    /(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][\w-]{4,}/,
    "sc_a1b2c3.a1b2.acc_a1b2",
  ),
  row("AWS access key", /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/, "AKIAIOSFODNN7EXAMPLE"),
  row("AWS Bedrock key", /(?:ABSK|bedrock-api-key-)[\w+/=]{16,}/, "ABSKa1b2c3d4e5f6a7b8"),
  row("Azure client secret", /[\w.~]{3}\dQ~[\w.~-]{20,}/, "a1b8Q~c2d3e4f5a6b7c8d9e0f1"),
  row("Brevo key", /x(?:key|smtp)sib-[\w-]{4,}/, "xkeysib-a1b2"),
  row("Buildkite token", /bk(?:ua|ct|aj|pt)_[A-Za-z0-9]{8,}/, "bkua_a1b2c3d4"),
  row("CircleCI token", /CCIP(?:AT|RJ)_\w{4,}/, "CCIPAT_a1b2"),
  row("ClickHouse key", /4b1d[A-Za-z0-9]{38}/, `4b1d${"a1B2".repeat(10)}`),
  row("Clojars token", /CLOJARS_[a-z0-9]{4,}/, "CLOJARS_a1b2"),
  row(
    "Cloudflare origin key",
    /v1\.0-[0-9a-f]{24}-[0-9a-f]{4,}/,
    "v1.0-a1b2c3d4e5f6a1b2c3d4e5f6-a1b2",
  ),
  row("Contentful token", /CFPAT-[\w-]{4,}/, "CFPAT-a1b2"),
  row("crates.io token", /cio[A-Za-z0-9]{32}/, `cio${"a1B2".repeat(8)}`),
  row("Databricks token", /dapi[0-9a-f]{16,}/, "dapia1b2c3d4e5f6a1b2"),
  row("Defined Networking key", /dnkey-[\w=-]{8,}/, "dnkey-a1b2c3d4"),
  row("DigitalOcean token", /do[opr]_v1_[0-9a-f]{4,}/, "dop_v1_a1b2"),
  row(
    "Discord bot token",
    /[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{20,}/,
    `M${"a1B2".repeat(6)}.a1B2c3.${"a1B2".repeat(6)}`,
  ),
  row("Docker token", /dckr_[op]at_[\w-]{4,}/, "dckr_pat_a1b2"),
  row("Doppler token", /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{8,}/, "dp.pt.a1b2c3d4"),
  row("Dropbox token", /sl\.(?:u\.)?[\w-]{20,}/, "sl.a1b2c3d4e5f6a7b8c9d0"),
  row("Duffel token", /duffel_(?:live|test)_[\w=-]{4,}/, "duffel_test_a1b2"),
  row(
    "Dynatrace token",
    /dt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{4,}/,
    "dt0c01.A1B2C3D4E5F6A1B2C3D4E5F6.A1B2",
  ),
  row("EasyPost key", /EZ[AT]K[A-Za-z0-9]{8,}/, "EZAKa1b2c3d4"),
  row("42 client secret", /s-s4t2(?:ud|af)-[0-9a-f]{8,}/, "s-s4t2ud-a1b2c3d4"),
  row("Facebook token", /EAA[A-Za-z0-9]{20,}|\d{15,16}\|[\w-]{20,}/, "EAAMa1b2c3d4e5f6a7b8c9d0"),
  row("Figma token", /fig[dou]r?_[\w-]{8,}/, "figd_a1b2c3d4"),
  row("Flutterwave key", /FLW(?:SEC|PUB)K(?:_TEST)?-[\w-]{4,}/, "FLWSECK_TEST-a1b2"),
  row("Fly.io token", /f(?:m1[ar]|m2|o1)_[\w+/=-]{8,}/, "fm2_a1b2c3d4"),
  row("Frame.io token", /fio-u-[\w=-]{4,}/, "fio-u-a1b2"),
  row("GitHub token", /(?:gh[opsur]|github_pat)_\w{4,}/, "ghp_a1b2"),
  row(
    "GitLab token",
    /(?:gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|rtr|soat|wt)-|GR1348941)[\w.-]{4,}/,
    "glpat-a1b2",
  ),
  row("Google API key", /AIza[\w-]{4,}/, "AIzaA1b2"),
  row("Google OAuth secret", /(?:ya29\.|GOCSPX-|1\/\/0[\w-]{8})[\w.-]{4,}/, "GOCSPX-a1b2"),
  row("Grafana token", /(?:gl(?:c|sa)_|eyJrIjoi)[\w+/=]{8,}/, "glsa_a1b2c3d4"),
  row("Groq key", /gsk_[A-Za-z0-9]{8,}/, "gsk_a1b2c3d4"),
  row(
    "Harness token",
    /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.\w{4,}/,
    "pat.a1b2c3d4e5f6a7b8c9d0e1.a1b2c3d4e5f6a7b8c9d0e1f2.a1b2",
  ),
  row(
    "HashiCorp Terraform token",
    /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{4,}/,
    "a1b2c3d4e5f6a7.atlasv1.a1b2",
  ),
  row("HashiCorp Vault token", /hv[brs]\.[\w-]{8,}|s\.[A-Za-z0-9]{24}(?!\w)/, "hvs.a1b2c3d4"),
  row("Heroku key", /HRKU-[\w-]{8,}/, "HRKU-a1b2c3d4"),
  row("Hugging Face token", /(?:hf|api_org)_[A-Za-z0-9]{17,}/, "hf_a1b2c3d4e5f6a7b8c"),
  row("Infracost key", /ico-[A-Za-z0-9]{16,}/, "ico-a1b2c3d4e5f6a7b8"),
  row("LangSmith key", /lsv2_(?:pt|sk)_[\w-]{4,}/, "lsv2_pt_a1b2"),
  row("Linear key", /lin_(?:api|oauth|wh)_\w{4,}/, "lin_api_a1b2"),
  row("Lob key", /(?:live|test)_(?:pub_)?[0-9a-f]{31,}/, `live_${"a1b2".repeat(8)}`),
  row("Mailchimp key", /[0-9a-f]{32}-us\d{1,2}/, `${"a1b2".repeat(8)}-us12`),
  row("Mailgun key", /(?:pub)?key-[0-9a-f]{32}/, `key-${"a1b2".repeat(8)}`),
  row("Mapbox token", /[pst]k\.eyJ[\w.-]{8,}/, "pk.eyJ1Ijoi.a1b2c3"),
  row("MaxMind key", /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/, `a1b2c3_${"a1B2".repeat(7)}x_mmk`),
  row("Netlify token", /nf[cpu]_[\w-]{16,}/, "nfp_a1b2c3d4e5f6a7b8"),
  row("New Relic key", /NR(?:AK|II|IQ|JS|RA)-[\w-]{8,}/, "NRAK-a1b2c3d4"),
  row("Notion token", /(?:ntn|secret)_[A-Za-z0-9]{12,}/, "ntn_a1b2c3d4e5f6"),
  row("npm token", /npm_[A-Za-z0-9]{16,}/, "npm_a1b2c3d4e5f6a7b8"),
  row("NuGet key", /oy2[a-z0-9]{43}/, `oy2${"a1b2".repeat(10)}c3d`),
  row("NVIDIA key", /nvapi-[\w-]{8,}/, "nvapi-a1b2c3d4"),
  row("Octopus Deploy key", /API-[A-Z0-9]{25,}/, `API-${"A1B2".repeat(6)}C3`),
  row("1Password token", /ops_eyJ[\w+/=-]{4,}/, "ops_eyJz1b2"),
  row(
    "1Password secret key",
    /A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}-[A-Z0-9-]{4,}/,
    "A3-A1B2C3-D4E5F6-A1B2C-D3E4F",
  ),
  row("OpenAI key", /sk-(?:proj|svcacct|admin|None|or|lf)-[\w-]{4,}/, "sk-proj-a1b2"),
  row("key that begins with sk-", /sk-[\w-]{17,}/, "sk-a1b2c3d4e5f6a7b8c"),
  row("OpenShift token", /sha256~[\w-]{8,}/, "sha256~a1b2c3d4"),
  row("Perplexity key", /pplx-[A-Za-z0-9]{8,}/, "pplx-a1b2c3d4"),
  row("Pinecone key", /pcsk_\w{8,}/, "pcsk_a1b2c3d4"),
  row(
    "Plaid token",
    /access-(?:sandbox|development|production)-[0-9a-f-]{4,}/,
    "access-sandbox-a1b2",
  ),
  row("PlanetScale token", /pscale_(?:tkn|pw|oauth)_[\w=.-]{4,}/, "pscale_tkn_a1b2"),
  row("Postman key", /PMAK-[0-9a-f-]{4,}/, "PMAK-a1b2"),
  row("Prefect key", /pn[bu]_[A-Za-z0-9]{16,}/, "pnu_a1b2c3d4e5f6a7b8"),
  row("Pulumi token", /pul-[0-9a-f]{16,}/, "pul-a1b2c3d4e5f6a1b2"),
  row("PyPI token", /pypi-Ag[\w-]{4,}/, "pypi-AgEIa1b2"),
  row("ReadMe key", /rdme_[a-z0-9]{8,}/, "rdme_a1b2c3d4"),
  row("Replicate token", /r8_[A-Za-z0-9]{16,}/, "r8_a1b2c3d4e5f6a7b8"),
  row("RubyGems key", /rubygems_[0-9a-f]{8,}/, "rubygems_a1b2c3d4"),
  row("Scalingo token", /tk-us-[\w-]{16,}/, "tk-us-a1b2c3d4e5f6a7b8"),
  row("SendGrid key", /SG\.[\w-]{8,}\.?[\w-]{4,}/, "SG.a1b2c3d4.e5f6"),
  row("Sentry token", /sntry[asu]_[\w+/=]{8,}/, "sntryu_a1b2c3d4"),
  row("SettleMint token", /sm_[aps]at_[A-Za-z0-9]{8,}/, "sm_pat_a1b2c3d4"),
  row("Shippo token", /shippo_(?:live|test)_[\da-fA-F]{4,}/, "shippo_live_a1b2"),
  row("Shopify token", /shp(?:at|ca|pa|ss)_[\da-fA-F]{4,}/, "shpat_a1b2"),
  row("Slack token", /(?:xox[a-z](?:\.xox[bp])?|xapp)-[\w-]{4,}/, "xoxb-a1b2"),
  row("SonarQube token", /sq[apu]_[0-9a-f]{16,}/, "sqp_a1b2c3d4e5f6a1b2"),
  row(
    "Sourcegraph token",
    /sgp_(?:[\da-fA-F]{16}_|local_)?[\da-fA-F]{16,}/,
    "sgp_a1b2c3d4e5f6a1b2",
  ),
  row("Square token", /(?:sq0[a-z]{3}-|EAAAl?)[\w-]{16,}/, "sq0atp-a1b2c3d4e5f6a7b8"),
  row("Stripe key", /(?:[prs]k_(?:live|test|prod)|whsec)_[A-Za-z0-9]{4,}/, "sk_test_a1b2"),
  row("Supabase key", /sb(?:p_[0-9a-f]|_secret_\w)\w{4,}/, "sbp_a1b2c3d4"),
  row("Tailscale key", /tskey-[\w-]{8,}/, "tskey-auth-a1b2"),
  row("Tavily key", /tvly-[\w-]{8,}/, "tvly-a1b2c3d4"),
  row("Telegram bot token", /\d{5,16}:A[\w-]{30,}/, `123456:A${"a1B2".repeat(8)}`),
  row("Tencent Cloud key", /AKID[A-Za-z0-9]{20,}/, "AKIDa1b2c3d4e5f6a7b8c9d0"),
  row("Twilio key", /SK[\da-fA-F]{32}/, `SK${"a1b2".repeat(8)}`),
  row("Typeform token", /tfp_[\w.=-]{8,}/, "tfp_a1b2c3d4"),
  row("Vercel token", /vc[acikp]_\w{16,}/, "vcp_a1b2c3d4e5f6a7b8"),
  row("WakaTime key", /waka_[0-9a-f-]{8,}/, "waka_a1b2c3d4"),
  row("xAI key", /xai-[A-Za-z0-9]{8,}/, "xai-a1b2c3d4"),
  row(
    "Yandex Cloud key",
    /AQVN[\w-]{8,}|t1\.[\w=-]{4,}\.[\w=-]{40,}|YC[A-Z][\w-]{37}/,
    "AQVNa1b2c3d4",
  ),
];

function row(name: string, pattern: RegExp, example: string): SecretPattern {
  return { name, pattern, example };
}
