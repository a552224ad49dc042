import { expect, test } from "vitest";
import { isSecretPath } from "../secrets/secret-paths.ts";
import { ideFixture } from "../testing/ide-fixture.ts";
import { posixPath } from "../testing/posix-path.ts";
import type { Selection } from "./editor-host.ts";
import {
  defaultSharePolicy,
  mayShare,
  type ShareLevel,
  shareLevels,
  shareSelection,
} from "./share-policy.ts";

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };

function select(text: string, path = "/vault/a.txt"): Selection {
  return { path: posixPath(path), ranges: [{ ...range, text }], primary: 0 };
}

function at(level: ShareLevel) {
  return { ...defaultSharePolicy, level };
}

test("each level shares what the one before does, and more", () => {
  const path = posixPath("/vault/a.txt");
  const allowed = shareLevels.map((level) =>
    shareLevels.map((wanted) => mayShare(at(level), wanted, path)),
  );
  expect(allowed).toEqual([
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
  ]);
});

test("off shares nothing, path the path, selection and all also range and text", () => {
  const selection = select("abc");
  expect(shareSelection(selection, at("off"))).toBe(undefined);
  expect(shareSelection(selection, at("path"))).toEqual({ path: "/vault/a.txt", primary: 0 });
  expect(shareSelection(selection, at("selection"))).toEqual(selection);
  expect(shareSelection(selection, at("all"))).toEqual(selection);
  expect(shareSelection(undefined, at("all"))).toBe(undefined);
});

test.each([
  "/vault/.git/config",
  "/vault/.git",
  "/vault/sub/.git/hooks/x",
  "/vault/.env",
  "/vault/.env.local",
  "/vault/.envrc",
  "/vault/sub/.ENV",
  "/home/me/.ssh/id_rsa",
  "/home/me/.ssh/id_ed25519",
  "/home/me/.ssh/id_ecdsa_sk",
  "/vault/server.pem",
  "/vault/server.KEY",
  "/vault/cert.p12",
  "/c/vault/id_rsa.",
  "/c/vault/id_rsa::$DATA",
  "/c/vault/server.pem . ",
  "/c/vault/.git./config",
  "/vault/.GIT/config",
  "/vault/.env.d/token",
  "/vault/.env/bin/activate",
  "/vault/.ENV-prod/sub/token",
  "/c/vault/.env.d./token",
  "/vault/prod.env",
  "/vault/config/app.env.local",
  "/vault/.npmrc",
  "/home/me/.netrc",
  "/home/me/_netrc",
  "/home/me/.aws/credentials",
  "/home/me/.aws/config",
  "/home/me/.ssh/config",
  "/home/me/.ssh/known_hosts",
  "/home/me/.kube/config",
  "/home/me/.docker/config.json",
  "/home/me/.config/gcloud/access_tokens.db",
  "/home/me/.config/gh/hosts.yml",
  "/home/me/.azure/msal_token_cache.json",
  "/home/me/.gnupg/secring.gpg",
  "/home/me/.cargo/credentials.toml",
  "/home/me/.pypirc",
  "/home/me/.pgpass",
  "/home/me/.git-credentials",
  "/home/me/.m2/settings.xml",
  "/home/me/.bash_history",
  "/home/me/.claude/.credentials.json",
  "/vault/terraform.tfstate",
  "/vault/terraform.tfstate.backup",
  "/vault/prod.auto.tfvars",
  "/vault/my-service-account.json",
  "/vault/client_secret_1.apps.googleusercontent.com.json",
  "/vault/app-firebase-adminsdk-1.json",
  "/vault/secrets.yaml",
  "/vault/.dev.vars",
  "/vault/.htpasswd",
  "/vault/store.kdbx",
  "/vault/.vagrant/machines/a/private_key",
  "/vault/kubeconfig",
  "/vault/kubeconfig.yaml",
  "/vault/work_id_ed25519",
  "/vault/deploy_key",
  "/vault/AuthKey_1.p8",
  "/vault/serviceAccountKey.json",
  "/vault/google-credentials.json",
  "/vault/htpasswd",
  "/vault/vault-password.txt",
  "/vault/passwords.csv",
  "/vault/secring.gpg",
  "/home/me/.config/hub",
  "/home/me/.netlify/config.json",
  "/home/me/.gemini/oauth_creds.json",
  "/vault/.npmrc.bak",
  "/vault/server.key~",
  "/vault/id_rsa.old",
  "/vault/deploy_ed25519",
  "/vault/ssh_host_rsa_key",
  "/vault/app.jceks",
  "/vault/private.pgp",
  "/vault/.yarnrc.yml",
  "/vault/.yarnrc",
  "/home/me/.authinfo.gpg",
  "/vault/.ansible_vault_pass",
  "/vault/.remote-sync.json",
  "/vault/kaggle.json",
  "/home/me/.vercel/auth.json",
  "/home/me/.twilio-cli/config.json",
  "/home/me/.dbt/profiles.yml",
  "/home/me/.circleci/cli.yml",
  "/home/me/.cache/huggingface/token",
  "/home/me/.local/share/opencode/auth.json",
  "/vault/.sentryclirc",
  "/vault/.pg_service.conf",
  "/home/me/.m2/settings-security.xml",
  "/vault/ngrok.yml",
  "/etc/wireguard/wg0.conf",
  "/home/me/Library/login.keychain-db",
  "/vault/api_key.txt",
  "/home/me/.config/pip/pip.conf",
  "/vault/.bundle/config",
  "/home/me/.wrangler/config/default.toml",
  "/home/me/.subversion/auth/svn.simple/1a2b",
  "/home/me/.electrum/wallets/default_wallet",
  "/etc/kubernetes/admin.conf",
  "/home/me/.mozilla/firefox/ab12.default/logins.json",
  "/vault/auth.json",
  "/vault/Token.json",
  "/vault/wp-config.php",
  "/vault/wp-config.php.bak",
  "/vault/LocalSettings.php",
  "/vault/sites/default/settings.php",
  "/vault/app/etc/env.php",
  "/vault/app/config/parameters.yml",
  "/vault/android/key.properties",
  "/vault/keystore.properties",
  "/home/me/.gradle/gradle.properties",
  "/vault/gcp-key.json",
  "/vault/secrets.prod.yaml",
  "/vault/appsettings.Secrets.json",
  "/vault/.dockerconfigjson",
  "/vault/connectionStrings.config",
  "/vault/config/initializers/secret_token.rb",
  "/vault/cookies.txt",
  "/c/Users/me/AppData/Local/Browser/Login Data",
  "/c/Users/me/AppData/Roaming/GitHub CLI/hosts.yml",
  "/c/Users/me/AppData/Roaming/NuGet/NuGet.Config",
  "/c/Users/me/AppData/Roaming/gcloud/credentials.db",
  "/home/me/Library/Application Support/sops/age/keys.txt",
  "/home/me/.config/hcloud/cli.toml",
  "/home/me/.railway/config.json",
  "/etc/rancher/k3s/k3s.yaml",
  "/etc/shadow",
  "/vault/private_key.txt",
  "/vault/.mnemonic",
  "/vault/UTC--2020-01-01T00-00-00.0Z--00112233445566778899aabbccddeeff00112233",
  "/home/me/.Rhistory",
  "/home/me/.mbsyncrc",
  "/vault/.idea/webServers.xml",
  "/vault/example.com.key",
  "/vault/default.pem",
  "/vault/.env.local.d/token",
])("%s is a secret", (path) => {
  expect(isSecretPath(posixPath(path))).toBe(true);
  for (const level of shareLevels) {
    expect(shareSelection(select("abc", path), at(level))).toBe(undefined);
  }
});

test.each([
  "/vault/.gitignore",
  "/vault/git/config",
  "/vault/env",
  "/vault/a.env.md",
  "/vault/id_rsa.pub",
  "/vault/keys.ts",
  "/vault/monkey",
  "/home/me/.environments/vault/a.md",
  "/vault/.env.example",
  "/vault/.env.local.sample",
  "/vault/.ENV.Template",
  "/vault/example.env",
  "/vault/.env.dist",
  "/vault/credentials.example.json",
  "/vault/secrets.sample.prod.md",
  "/vault/prod.tfvars.example",
  "/vault/wp-config-sample.php",
  "/vault/.envoy.yaml",
  "/vault/.environment.ts",
  "/vault/terraform.tfstate.md",
  "/vault/gradle.properties",
  "/vault/nuget.config",
  "/vault/tokens.json",
  "/vault/tokenizer.json",
  "/vault/src/secrets.ts",
  "/vault/src/token.ts",
  "/vault/lang/de/token.json",
  "/vault/i18n/secrets.json",
  "/vault/translations/credentials.yml",
  "/vault/src/settings.php",
  "/vault/src/shadow",
  "/vault/notes/cookies.md",
  "/vault/my.env/a.md",
  "/vault/repo.git/a.md",
  "/vault/talk.key.d/a.md",
  "/vault/src/secrets/find.ts",
  "/vault/src/credentials/read.ts",
  "/vault/secrets.md",
  "/vault/locales/en/auth.json",
  "/vault/.docker/Dockerfile",
  "/vault/main.tf",
  "/vault/credentials.json.md",
  "/vault/passwords.ts",
  "/vault/notes.md.bak",
  "/vault/public_key",
  "/vault/id_rsa.pub.bak",
  "/vault/settings.xml",
  "/vault/aws/config",
  "/vault/environment.ts",
  "/vault/ssh_host_rsa_key.pub",
  "/vault/.circleci/config.yml",
  "/vault/profiles.yml",
  "/vault/api_keys.ts",
  "/vault/ngrok.md",
  "/vault/kubernetes/deployment.yaml",
  "/vault/src/keychain.ts",
  "/vault/locales/en/logins.json",
])("%s is not a secret", (path) => {
  expect(isSecretPath(posixPath(path))).toBe(false);
});

test("the longest paths are judged at once", () => {
  for (const part of [".tfstate", "/.mozilla/a", "-client_secret"]) {
    const path = posixPath(`/vault/${part.repeat(32_000 / part.length)}!`);
    for (let round = 0; round < 30; round += 1) expect(isSecretPath(path)).toBeTypeOf("boolean");
  }
}, 5_000);

test("a text is truncated at the limit, never within a surrogate pair", () => {
  const cutAt = (maxTextLength: number, text: string) =>
    shareSelection(select(text), { ...defaultSharePolicy, maxTextLength })?.ranges?.[0]?.text;
  expect(cutAt(3, "abc")).toBe("abc");
  expect(cutAt(3, "abcd")).toBe("abc");
  expect(cutAt(3, "ab🦊")).toBe("ab");
  expect(cutAt(4, "ab🦊")).toBe("ab🦊");
  expect(cutAt(4, "ab🦊c")).toBe("ab🦊");
  expect(cutAt(0, "abc")).toBe("");
  expect(cutAt(3, "ab\ud83d")).toBe("ab\ud83d");
  // A half that was alone before the cut stays.
  expect(cutAt(2, "a\udc00bc")).toBe("a\udc00");
});

test("the limit is 100,000 units by default", async () => {
  const { host, connect } = ideFixture();
  const agent = connect();
  await agent.getReady();
  host.setSelection(select(`${"x".repeat(99_999)}🦊`));
  expect((await agent.take())[0]?.params).toMatchObject({ text: "x".repeat(99_999) });
});

function filePaths(messages: readonly { readonly params?: unknown }[]) {
  return messages.map(({ params }) => {
    const { filePath, text } = params as { filePath?: string; text: string };
    return [filePath, text];
  });
}

test("a new policy is applied to the agents immediately", async () => {
  const { host, server, connect } = ideFixture();
  const agent = connect();
  host.setSelection(select("abc"));
  await agent.getReady();
  server.share = at("path");
  server.share = at("off");
  server.share = at("all");
  expect(filePaths(await agent.take())).toEqual([
    ["/vault/a.txt", ""],
    [undefined, ""],
    ["/vault/a.txt", "abc"],
  ]);
});

test("with off nothing is sent, not even that something changed", async () => {
  const { host, server, connect } = ideFixture({ share: at("off") });
  const agent = connect();
  host.setSelection(select("abc"));
  expect(await agent.getReady()).toEqual([]);
  host.setSelection(select("def"));
  host.mention({ path: posixPath("/vault/a.txt") });
  server.share = at("off");
  expect(await agent.take()).toEqual([]);
});

test("from a shared file to a secret one the agent's selection is cleared, once", async () => {
  const { host, connect } = ideFixture();
  const agent = connect();
  host.setSelection(select("abc"));
  await agent.getReady();
  host.setSelection(select("TOKEN=1", "/vault/.env"));
  host.setSelection(select("TOKEN=2", "/vault/.env"));
  host.mention({ path: posixPath("/vault/.env") });
  expect(filePaths(await agent.take())).toEqual([[undefined, ""]]);
});

test("diffs work at every level", async () => {
  const { host, connect } = ideFixture({ share: at("off") });
  const agent = connect();
  await agent.getReady();
  agent.start("openDiff", {
    old_file_path: "/vault/.env",
    new_file_contents: "A=1",
    tab_name: "env",
  });
  await agent.take();
  expect(host.shownDiffs.length).toBe(1);
});
