// The script of the document to which an authorization server redirects: it runs alone, in a tab of its own.
import { LOGIN_CHANNEL } from "./login-channel.ts";

if (location.search.length > 1) {
  const channel = new BroadcastChannel(LOGIN_CHANNEL);
  channel.postMessage({ redirect: location.href });
  channel.close();
  // The code must not remain in the browser's history.
  history.replaceState(null, "", location.pathname);
}
