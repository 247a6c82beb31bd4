import { spawnSync } from 'node:child_process'

/** Everything that must hold before a change lands: format and lint, types, unused code, and the tests. */
const steps: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'web'],
  ['tsc', '--noEmit', '-p', 'web/test'],
  ['knip'],
  ['vitest', 'run'],
]

for (const [program = '', ...args] of steps) {
  console.log(`\n> ${[program, ...args].join(' ')}`)
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
