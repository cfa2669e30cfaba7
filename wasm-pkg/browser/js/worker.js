// Every worker of the package is made of this file: the keeper of a tree, or an analyst.

import { parent } from "./host.js";
import { Analyst } from "./analyst.js";
import { Channel, ofPort } from "./channel.js";
import { initSync, kinds, languages, version } from "./engine.js";
import { FINGERPRINT } from "./fingerprint.js";
import { Keeper } from "./keeper.js";
import { CHANNEL, DATABASE, collectGarbage, openDatabase } from "./store.js";

const up = parent();
let started = false;

up.listen((message) => {
  if (started || !message.start) return;
  started = true;
  const { role, module, port } = message.start;
  const { memory } = initSync({ module });
  if (role === "keeper") keep();
  else new Channel(ofPort(port), new Analyst({ memory: () => memory, fingerprint: FINGERPRINT, database: DATABASE }).answers());
});

function keep() {
  let keeper = null;
  let files = [];
  // Reading can be stopped while the files are still handed over.
  let cancelled = false;
  const news = globalThis.indexedDB && new BroadcastChannel(CHANNEL);
  news?.unref?.();
  if (news) news.onmessage = () => keeper?.forgotten();
  const session = (name) => (argument, asked) => keeper[name](argument, asked);
  const main = new Channel(
    up,
    {
      open({ folder, options }) {
        const given = folder.kind === "files" ? { ...folder, files } : folder;
        files = [];
        keeper = new Keeper(main, given, { ...options, fingerprint: FINGERPRINT });
        if (cancelled) keeper.cancel();
        return keeper.index();
      },
      search: session("search"),
      ask: session("ask"),
      coverage: session("coverage"),
      files: session("files"),
      read: session("read"),
      refresh: session("refresh"),
      close: session("close"),
      languages,
      kinds,
      version: () => ({ engine: version(), fingerprint: FINGERPRINT }),
      knownFolders: () => withDatabase([], async (store) => {
        const trees = (await store.trees()).sort((a, b) => b.opened - a.opened);
        return trees.map(({ id, name, files, bytes, opened, handle }) => ({ id, name, files, bytes, opened, handle }));
      }),
      forgetFolder: (id) => withDatabase(undefined, async (store) => {
        await store.forget(id);
        await collectGarbage(store);
      }),
      forgetEverything: () => withDatabase(undefined, async (store) => {
        keeper?.forgotten();
        news?.postMessage("forgotten");
        await store.forgetAll();
      }),
    },
    {
      files: (some) => files.push(...some),
      cancel: () => {
        cancelled = true;
        keeper?.cancel();
      },
      lostAnalyst: (lost) => keeper?.lostAnalyst(lost),
    },
  );
}

/** Does something with the database; where there is none, the answer is `none`. */
async function withDatabase(none, does) {
  const store = await openDatabase();
  if (!store) return none;
  try {
    return await does(store);
  } finally {
    store.close();
  }
}
