import { defineConfig } from 'vitest/config'
import { testMs } from './test/patience.ts'
import { SlowSpread } from './test/sequence.ts'

export default defineConfig({
  test: {
    include: ['{src,client,demo,scripts,stand-in,test,web}/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // More than there are cores: tests wait much, for the database, for processes and for time.
    maxWorkers: 4,
    execArgv: ['--import', new URL('./bin/resolve.js', import.meta.url).href],
    // A worker loads the service once, as Node.js itself does, and keeps it for all files that it runs.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowSpread },
    // Slow files, which `test/patience.ts` names, have a longer limit.
    runner: 'test/runner.ts',
    testTimeout: testMs,
    // Hooks may install a browser or a media server.
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
  },
})
