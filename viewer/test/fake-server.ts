// Answers as `mpiscope view` does, from the synthetic run, for work on the page without a
// trace: `npm run fake`, after `npm run build`.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { SourceError } from "../src/source";
import { Synthetic } from "./synthetic";

const PAGE = new URL("../../crates/mpiscope-serve/page/", import.meta.url);
const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", txt: "text/plain" };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; font-src 'self'";
const [hosts = "2", perHost = "4", iterations = "12"] = process.argv.slice(2);
const source = new Synthetic({ hosts: Number(hosts), perHost: Number(perHost), iterations: Number(iterations) });

const server = createServer(async (request, response) => {
  const path = request.url!.slice(1);
  try {
    if (path.startsWith("api/")) {
      const asked = path.slice("api/".length);
      if (/\/(shares|spans|messages|collectives)\//.test(asked)) return response.end(Buffer.from(await source.bytes(asked)));
      return response.end(JSON.stringify(await source.json(asked)));
    }
    const file = path === "" ? "index.html" : path;
    response.setHeader("Content-Type", TYPES[file.split(".").at(-1)!] ?? "text/plain");
    response.setHeader("Content-Security-Policy", POLICY);
    response.end(await readFile(new URL(file, PAGE)));
  } catch (error) {
    response.statusCode = error instanceof SourceError ? error.status : 404;
    response.end(JSON.stringify({ error: String(error instanceof Error ? error.message : error) }));
  }
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}/#token=any`);
});
