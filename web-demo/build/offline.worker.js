/* The page's own files, kept for a visit without a network. It fetches nothing else, and hears of no folder. */

const CACHE = "seekwell-/* VERSION */";
const FILES = new Set([/* FILES */].map((file) => new URL(file, registration.scope).href));

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([...FILES]))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("seekwell-") && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.search = "";
  url.hash = "";
  if (event.request.method !== "GET" || !FILES.has(url.href)) return;
  event.respondWith(
    caches.open(CACHE).then(async (cache) => (await cache.match(url.href)) ?? fetch(event.request)),
  );
});
