import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/corpus/**'],
    sequence: { shuffle: true },
    testTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['lib/**/*.ts', 'bin/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'lib/domain/**': { statements: 100, branches: 100, functions: 100, lines: 100 },
        'lib/app/**': { statements: 100, branches: 100, functions: 100, lines: 100 },
      },
    },
  },
});
