import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Failures } from './failures.ts'

/** All checks of a change: format and lint, types, unused code, and the tests. */
const checks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'web'],
  ['tsc', '--noEmit', '-p', 'web/test'],
  ['knip'],
]

/** If more files than this fail once and then pass, a busy machine is not the reason: the run fails. */
const maxFlaky = 3

for (const check of checks) {
  const status = run(check)
  if (status !== 0) process.exit(status)
}
process.exit(test())

/** @returns the exit status of the program */
function run([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  console.log(`\n> ${[program, ...args].join(' ')}`)
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}

/**
 * Runs all tests. A file with failures is run once more, alone: if it passes then, it is listed as flaky, so that the
 * cause can be found, and the run still counts as passed.
 * @returns the exit status of the whole run
 */
function test(): number {
  const { status, failures } = vitest()
  if (status === 0) return 0
  // An error outside of any test has no file to run again; many failed files have a common cause.
  if (failures === null || failures.errors > 0) return status
  const { files } = failures
  if (files.length === 0 || files.length > maxFlaky) return status
  const broken = files.filter((file) => vitest(file).status !== 0)
  for (const file of files) {
    const name = path.relative('.', file)
    if (broken.includes(file)) console.log(`failed: ${name} failed among the others and alone`)
    else console.log(`flaky: ${name} failed among the others and passed alone`)
  }
  return broken.length > 0 ? 1 : 0
}

/** @returns the exit status and the failures; null when the run did not finish */
function vitest(...files: readonly string[]): { readonly status: number; readonly failures: Failures | null } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'downbeat-tests-'))
  const report = path.join(folder, 'failures.json')
  try {
    const reporters = ['--reporter=default', '--reporter=./scripts/failures.ts']
    const status = run(['vitest', 'run', ...reporters, ...files], { TEST_FAILURES: report })
    return { status, failures: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
