/** Says what the built page weighs on its way: raw, and by brotli as a static host would send it. */

import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
/** Of what is fetched before the first folder, at most so much may travel. */
const MOST = 16e6;

const rows = readdirSync(dist, { recursive: true })
  .filter((name) => statSync(join(dist, name)).isFile())
  .map((name) => {
    const path = join(dist, name);
    const bytes = readFileSync(path);
    // The level of a host that compresses ahead, but for the module, where it takes minutes.
    const level = bytes.length > 1e7 ? 9 : 11;
    const small = brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_LGWIN]: 24 },
    });
    return { name: basename(name), raw: bytes.length, brotli: small.length };
  })
  .sort((a, b) => b.brotli - a.brotli);
const raw = rows.reduce((sum, row) => sum + row.raw, 0);
const brotli = rows.reduce((sum, row) => sum + row.brotli, 0);
const figure = (bytes) => `${(bytes / 1000).toFixed(0).padStart(8)} KB`;
for (const row of rows.slice(0, 6)) console.log(`page: ${figure(row.raw)} raw ${figure(row.brotli)} brotli  ${row.name}`);
console.log(`page: ${figure(raw)} raw ${figure(brotli)} brotli  in all`);
if (brotli > MOST) {
  console.error(`page: more than ${MOST / 1e6} MB by brotli`);
  process.exit(1);
}
