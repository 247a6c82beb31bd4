import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,demo,stand-in,test}/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
