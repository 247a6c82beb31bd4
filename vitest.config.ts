import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,demo,stand-in,test}/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A worker loads the service once, as Node.js itself does, and keeps it for all files that it runs.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
