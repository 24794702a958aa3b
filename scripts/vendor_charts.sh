#!/usr/bin/env bash
# The chart library of the HTML pages: the parts of Observable Plot that they use, and of d3 that Plot needs, in one
# script, with the licences of all that went in. Needs node and npm; run it after changing a version or a name here.
#
#     scripts/vendor_charts.sh
set -euo pipefail
PLOT=0.6.17
ESBUILD=0.28.2
ASSETS="$(cd "$(dirname "$0")/.." && pwd)/src/whileai/simulations/web/assets"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

npm init -y >/dev/null
npm install --no-audit --no-fund --ignore-scripts --save-exact "@observablehq/plot@$PLOT" "esbuild@$ESBUILD" >/dev/null
node node_modules/esbuild/install.js 2>/dev/null || true # names the binary that npm has put beside it

cat >charts.js <<'JS'
export {axisX, dot, gridX, gridY, link, plot, pointer, rect, ruleX, ruleY, text, tip} from "@observablehq/plot";
JS
node_modules/.bin/esbuild charts.js --bundle --minify --format=iife --global-name=Plot --target=es2021 \
  --legal-comments=none --metafile=meta.json --outfile=plot.js --log-level=warning

cat >licences.mjs <<'JS'
import {readFileSync, writeFileSync, readdirSync} from "node:fs";
const bundled = Object.entries(Object.values(JSON.parse(readFileSync("meta.json")).outputs)[0].inputs);
const folders = new Set();
for (const [path, {bytesInOutput}] of bundled) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (found && bytesInOutput) folders.add(found[1]);
}
const parts = [...folders].sort().map((folder) => {
  const {name, version, license} = JSON.parse(readFileSync(`${folder}/package.json`));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("licences.txt", "plot.js holds parts of these packages.\n\n" + parts.join("\n" + "-".repeat(80) + "\n\n"));
JS
node licences.mjs

install -m 644 plot.js "$ASSETS/plot.js"
install -m 644 licences.txt "$ASSETS/plot-licences.txt"
wc -c "$ASSETS/plot.js" "$ASSETS/plot-licences.txt"
