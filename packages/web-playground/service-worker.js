// Keeps the page for when there is no network. The build fills in the list.
const CACHE = "idewire-__VERSION__";
const FILES = __FILES__;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const dropOld = caches
    .keys()
    .then((keys) =>
      Promise.all(
        keys
          .filter((key) => key.startsWith("idewire-") && key !== CACHE)
          .map((key) => caches.delete(key)),
      ),
    );
  event.waitUntil(dropOld.then(() => self.clients.claim()));
});

// The network first, so that a page that is served by another version is never mixed with this one.
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    fetch(event.request).catch(() => caches.match(event.request, { ignoreSearch: true })),
  );
});
