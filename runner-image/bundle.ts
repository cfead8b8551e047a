import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Usage: node runner-image/bundle.ts OUTFILE. Puts the runner and all it needs, but Node, into one file.

const [outfile] = process.argv.slice(2);
if (outfile === undefined) throw new TypeError('usage: node runner-image/bundle.ts OUTFILE');

await build({
  entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  // For stack traces.
  keepNames: true,
  // The ES modules of packages leave out what is not used; CommonJS can't be shaken.
  mainFields: ['module', 'main'],
  // Some packages are CommonJS and call `require` at run time, which an ES module has not.
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  legalComments: 'eof',
  logLevel: 'warning',
});
