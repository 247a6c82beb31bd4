import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Chooses the tests that a change can affect, for `npm test -- --changed`. Paths are relative to the project. */

/** Files with the files of the project that they import, types aside: these are checked by the compiler. */
export type Imports = ReadonlyMap<string, readonly string[]>

export interface Affected {
  readonly tests: readonly string[]
  /** Changed files whose effect goes beyond the chosen tests: the whole run is due. */
  readonly whole: readonly string[]
}

/** If more tests than this depend on a file, those nearest to it are run, and the whole run is due. */
const maxTests = 150

const isTest = (file: string) => file.endsWith('.test.ts')
const isContractTest = (file: string) => /^test\/[^/]+$/.test(file) && isTest(file)
const isKernelTest = (file: string) => file.startsWith('test/kernel/') && isTest(file)
/** Code of the service, apart from `src/*.ts`, which import every slice and would make each depend on all others. */
const isSource = (file: string) => /^src\/[^/]+\//.test(file) && !isTest(file)

const areas = /^src\/(?:features|infra)\/[^/]+\/|^src\/(?:core|oauth|cli)\/|^(?:client|demo|scripts|stand-in|web)\//

/** Whether the test is about the part of the project that the file is in. */
function isNear(test: string, file: string): boolean {
  const area = areas.exec(file)?.[0]
  return area === undefined ? path.posix.dirname(test) === path.posix.dirname(file) : test.startsWith(area)
}

const sliceOf = (file: string) => /^src\/features\/[^/]+\/[^/]+\/|^src\/oauth\//.exec(file)?.[0]

export function affected(changed: readonly string[], imports: Imports): Affected {
  const all = [...imports.keys()].filter(isTest)
  const importers = importersOf(imports)
  const tests = new Set<string>()
  const whole: string[] = []
  for (const file of changed) {
    const found = testsOf(file, all, importers)
    if (found === 'whole' || found.length > maxTests) {
      whole.push(file)
      for (const test of all) if (isKernelTest(test) || isNear(test, file)) tests.add(test)
    } else for (const test of found) tests.add(test)
  }
  return { tests: [...tests].sort(), whole }
}

/** @returns 'whole' when anything may depend on the file */
function testsOf(file: string, all: readonly string[], importers: Imports): readonly string[] | 'whole' {
  if (isTest(file)) return all.filter((test) => test === file)
  if (/^(?:docs|examples)\/|\.md$/.test(file)) return all.filter(isContractTest)
  if (file.endsWith('.ts') && /^(?:test|web\/test)\//.test(file)) {
    if (runners.includes(file)) return 'whole'
    const users = closure(file, importers, () => true)
    return all.filter((test) => users.has(test))
  }
  if (/^src\/(?:core|infra|cli)\/|^src\/(?:features\/)?[^/]+$/.test(file)) return 'whole'
  if (file.startsWith('src/')) return testsOfSource(file, all, importers)
  if (/^(?:client|demo|scripts|stand-in|web)\//.test(file)) {
    const direct = importers.get(file) ?? []
    const isOperation = file.startsWith('stand-in/')
    return all.filter((test) => isNear(test, file) || direct.includes(test) || (isOperation && isContractTest(test)))
  }
  if (file.startsWith('bench/')) return []
  return 'whole'
}

/** All tests run by these, although none imports them. */
const runners = ['test/global-setup.ts', 'test/runner.ts', 'test/sequence.ts']

/**
 * Most tests start the whole service, so by their imports alone each would depend on every file. Chosen are the tests
 * of the file's area, of each slice whose code imports the file, and those of all operations.
 */
function testsOfSource(file: string, all: readonly string[], importers: Imports): readonly string[] {
  const sources = closure(file, importers, isSource)
  const slices = new Set([...sources].map(sliceOf).filter((slice) => slice !== undefined))
  // Tests of pure code, such as the engine, import what they are about.
  const direct = new Set([...sources].filter((source) => source === file || sliceOf(source) === undefined))
  const users = new Set([...direct].flatMap((source) => importers.get(source) ?? []))
  return all.filter(
    (test) => isContractTest(test) || isNear(test, file) || slices.has(sliceOf(test) ?? '') || users.has(test),
  )
}

/** The file, and what imports it, directly or through others that `follows` names. */
function closure(file: string, importers: Imports, follows: (file: string) => boolean): ReadonlySet<string> {
  const found = new Set([file])
  for (const one of found) for (const importer of importers.get(one) ?? []) if (follows(importer)) found.add(importer)
  return found
}

function importersOf(imports: Imports): Imports {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports)
    for (const one of imported) {
      const list = importers.get(one)
      if (list === undefined) importers.set(one, [file])
      else list.push(file)
    }
  return importers
}

const folders = ['src', 'client', 'demo', 'scripts', 'stand-in', 'test', 'web'] as const

/** Reads the imports of all modules. */
export function readImports(root: string): Imports {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
      .filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/')),
  )
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(path.join(root, file), 'utf8'))]))
}

const statements = /^(?:import|export)\s+(?!type\b)(?:[\w\s{},*$]+?\sfrom\s+)?'(\.[^']+)'/gm
const calls = /\b(?:import|new URL)\(\s*'(\.[^']+)'/g

/** The files that the module imports, without those of which it takes types alone. */
export function importsOf(file: string, text: string): readonly string[] {
  const specifiers = [...text.matchAll(statements), ...text.matchAll(calls)].map((match) => match[1] as string)
  return specifiers.map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
}
