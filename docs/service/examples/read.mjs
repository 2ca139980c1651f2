// Reads one picture, with nothing but Node 18 or newer: node read.mjs receipt.jpg
// Needs RECEIPTS_URL and RECEIPTS_KEY; NODE_EXTRA_CA_CERTS names a certificate that no public authority has signed.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { RECEIPTS_URL: url, RECEIPTS_KEY: apikey } = process.env;

/** One call, again after 1, 2, 4 and 8 seconds when it failed for a passing reason. */
async function call(path, makeBody) {
  for (const pause of [1, 2, 4, 8, null]) {
    let answer;
    try {
      const body = makeBody?.();
      const response = await fetch(url + path, { method: body ? "POST" : "GET", headers: { apikey }, body });
      answer = await response.json();
    } catch (error) {
      answer = { code: 510, message: String(error.cause ?? error) };
    }
    if (![510, 520, 521].includes(answer.code)) return answer;
    if (pause === null) throw new Error(answer.message);
    await sleep(pause * 1000);
  }
}

const picture = process.argv[2];
const bytes = await readFile(picture);
const type = picture.toLowerCase().endsWith(".png") ? "image/png" : "image/jpeg";

const upload = await call("/api/2/process", () => {
  const form = new FormData();
  form.append("file", new Blob([bytes], { type }), basename(picture));
  form.append("region", "us");
  return form;
});
if (upload.code !== 200 && upload.code !== 300) throw new Error(`${upload.code}: ${upload.message}`);

let answer;
for (let seconds = 0; seconds < 60; seconds += 1) {
  await sleep(seconds ? 1000 : 2000);
  answer = await call(`/api/result/${upload.token}`);
  if (answer.code !== 301) break; // 301: not there yet
}
if (answer.code !== 202) throw new Error(`${answer.code}: ${answer.message}`);
console.log(JSON.stringify(answer.result));
