import { defineConfig } from 'vitest/config';

// One static folder that works from any address: all its own links are relative.
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The package `shosa` is a link to web/engine; its three.js is this one.
  resolve: { preserveSymlinks: true, dedupe: ['three'] },
  worker: { format: 'es' },
  build: { outDir: '../out/studio', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4000, assetsInlineLimit: 0 },
  test: { include: ['tests/unit/*.test.ts'] },
});
