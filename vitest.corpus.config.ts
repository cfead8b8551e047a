import { defineConfig } from 'vitest/config';

/** The corpus is data beside the repository, not in it: its test runs only where the folder is. */
export default defineConfig({ test: { include: ['test/corpus/**/*.test.ts'], testTimeout: 300_000 } });
