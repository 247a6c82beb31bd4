import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { affected, readImports } from './affected.ts'
import { printCost, type Run } from './cost.ts'
import type { Failures } from './failures.ts'

/**
 * `npm test` runs all checks and tests; `npm test -- --changed [ref]` runs all checks, and the tests that the changes
 * since the branch left `ref` can affect. Without `ref` these are the changes that are not in the upstream branch, or
 * that are not committed where there is none.
 */

/** All checks of a change: format and lint, types, unused code, and the tests. */
const checks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'web'],
  ['tsc', '--noEmit', '-p', 'web/test'],
  ['tsc', '--noEmit', '-p', 'web/worker'],
  ['knip'],
]

/** If more files than this fail once and then pass, a busy machine is not the reason: the run fails. */
const maxFlaky = 3

interface Tested extends Omit<Run, 'whole' | 'passed'> {
  /** The exit status of the program. */
  readonly status: number
}

const { values, positionals } = parseArgs({ options: { changed: { type: 'boolean' } }, allowPositionals: true })
if (positionals.length > (values.changed === true ? 1 : 0)) {
  console.error('Usage: npm test [-- --changed [ref]]. For single files: npx vitest run src/features/teams')
  process.exit(2)
}
const began = performance.now()
const { status, files, flaky } = all()
printCost({ whole: values.changed !== true, passed: status === 0, files, flaky }, (performance.now() - began) / 1000)
process.exit(status)

function all(): Tested {
  // Before the checks, so that a wrong ref is reported immediately.
  const changed = values.changed === true ? changedFiles(positionals[0]) : null
  for (const check of checks) {
    const status = run(check)
    if (status !== 0) return { status, files: 0, flaky: [] }
  }
  return changed === null ? test() : testAffected(changed)
}

/** @returns the exit status of the program */
function run(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  files: readonly string[] = [],
): number {
  const named = files.length > 3 ? [`(${files.length} files)`] : files
  console.log(`\n> ${[program, ...args, ...named].join(' ')}`)
  return spawnSync(program, [...args, ...files], { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The files that were changed, added or deleted, committed or not. */
function changedFiles(ref: string | undefined): readonly string[] {
  const base = ref === undefined ? (git('merge-base', 'HEAD', '@{upstream}') ?? 'HEAD') : git('merge-base', 'HEAD', ref)
  const changed = base === null ? null : git('diff', '--name-only', '--no-renames', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  if (base === null || changed === null || added === null) {
    console.error(`--changed needs Git, and ${ref ?? 'HEAD'} to have a commit in common with this branch.`)
    process.exit(2)
  }
  const files = [...changed.split('\n'), ...added.split('\n')].filter((file) => file !== '')
  console.log(`${files.length} files changed since ${git('rev-parse', '--short', base)}`)
  return files
}

/** Runs the tests that the change of these files can affect. */
function testAffected(changed: readonly string[]): Tested {
  const { tests, whole } = affected(changed, readImports('.'))
  console.log(`\n${tests.length} test files of the changed areas, of what imports them, and of all operations:`)
  console.log(`  ${tests.join(' ')}`)
  const result = tests.length === 0 ? { status: 0, files: 0, flaky: [] } : test(tests.map((file) => path.resolve(file)))
  if (whole.length > 0) console.log(`\nAlso run all of npm test: nearly everything depends on ${whole.join(', ')}`)
  return result
}

/**
 * Runs tests, all unless files are named. A file with failures is run once more, alone: if it passes then, it is listed
 * as flaky, so that the cause can be found, and the run still counts as passed.
 */
function test(files: readonly string[] = []): Tested {
  const { status, failures } = vitest(files)
  const ran = failures?.ran ?? 0
  // An error outside of any test has no file to run again; many failed files have a common cause.
  if (status === 0 || failures === null || failures.errors > 0) return { status, files: ran, flaky: [] }
  const failed = failures.files
  if (failed.length === 0 || failed.length > maxFlaky) return { status, files: ran, flaky: [] }
  const broken = failed.filter((file) => vitest([file]).status !== 0)
  const flaky = failed.filter((file) => !broken.includes(file)).map((file) => path.relative('.', file))
  for (const file of broken) console.log(`failed: ${path.relative('.', file)} failed among the others and alone`)
  for (const file of flaky) console.log(`flaky: ${file} failed among the others and passed alone`)
  return { status: broken.length > 0 ? 1 : 0, files: ran, flaky }
}

/** @returns the exit status and the failures; null when the run did not finish */
function vitest(files: readonly string[]): { readonly status: number; readonly failures: Failures | null } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'downbeat-tests-'))
  const report = path.join(folder, 'failures.json')
  try {
    const reporters = ['--reporter=default', '--reporter=./scripts/failures.ts']
    const status = run(['vitest', 'run', ...reporters], { TEST_FAILURES: report }, files)
    return { status, failures: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
