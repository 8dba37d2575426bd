// Builds the page into the crate that embeds it. The names of the files are fixed and
// nothing depends on time or place, so the same sources give the same bytes.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The libraries whose code is part of the page. */
const EMBEDDED = ["preact", "uplot"];

/** Writes the licence notices of the embedded libraries beside the page. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const notices = EMBEDDED.map((name) => {
        const folder = here(`./node_modules/${name}`);
        const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string };
        return `${name} ${version}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}\n`;
      });
      const source = `The page of mpiscope contains these libraries.\n\n${notices.join(`\n${"-".repeat(72)}\n\n`)}`;
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [licences()],
  build: {
    outDir: here("../crates/mpiscope-serve/page"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "page.js",
        assetFileNames: (asset) => (asset.names?.[0]?.endsWith(".css") ? "page.css" : "[name][extname]"),
      },
    },
  },
  test: { include: ["test/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
});
