import { expect, test } from 'vitest'
import { affected, type Imports, importsOf, readImports } from './affected.ts'

const imports: Imports = new Map(
  Object.entries({
    'src/app.ts': ['src/features.ts'],
    'src/core/text.ts': [],
    'src/core/text.test.ts': ['src/core/text.ts'],
    'src/engine/ties.ts': [],
    'src/engine/ties.test.ts': ['src/engine/ties.ts'],
    'src/engine/swiss.test.ts': [],
    'src/features.ts': ['src/features/maps/pools/slice.ts', 'src/features/teams/teams/slice.ts'],
    'src/features/brackets/brackets/rules.ts': ['src/engine/ties.ts'],
    'src/features/brackets/brackets/rules.test.ts': [],
    'src/features/brackets/results/results.test.ts': [],
    'src/features/maps/pools/slice.ts': ['src/features/teams/teams/store.ts'],
    'src/features/maps/pools/pools.test.ts': ['test/harness.ts'],
    'src/features/maps/plans/plans.test.ts': ['test/harness.ts'],
    'src/features/teams/teams/slice.ts': ['src/features/teams/teams/store.ts'],
    'src/features/teams/teams/store.ts': ['src/core/text.ts'],
    'src/features/teams/teams/teams.test.ts': ['test/harness.ts', 'test/make.ts'],
    'src/features/teams/registration/registration.test.ts': ['test/harness.ts'],
    'test/contract.test.ts': ['test/harness.ts'],
    'test/harness.ts': ['src/app.ts'],
    'test/kernel/jobs.test.ts': ['test/harness.ts'],
    'test/make.ts': ['src/features/teams/teams/store.ts'],
    'web/overlay/main.ts': [],
    'web/test/page.test.ts': [],
  }),
)

test.each<[string, string, string[], boolean]>([
  ['a test', 'src/engine/swiss.test.ts', ['src/engine/swiss.test.ts'], false],
  [
    'code of a slice: its area, the slices that import it, and the tests of all operations',
    'src/features/teams/teams/store.ts',
    [
      'src/features/maps/pools/pools.test.ts',
      'src/features/teams/registration/registration.test.ts',
      'src/features/teams/teams/teams.test.ts',
      'test/contract.test.ts',
    ],
    false,
  ],
  [
    'code of the engine: the tests beside it, and those of the slices that import it',
    'src/engine/ties.ts',
    [
      'src/engine/swiss.test.ts',
      'src/engine/ties.test.ts',
      'src/features/brackets/brackets/rules.test.ts',
      'test/contract.test.ts',
    ],
    false,
  ],
  [
    'a file of a slice that is gone',
    'src/features/teams/registration/rules.ts',
    [
      'src/features/teams/registration/registration.test.ts',
      'src/features/teams/teams/teams.test.ts',
      'test/contract.test.ts',
    ],
    false,
  ],
  ['a test that is gone', 'src/engine/gone.test.ts', [], false],
  ['a helper of tests', 'test/make.ts', ['src/features/teams/teams/teams.test.ts'], false],
  ['pages for browsers', 'web/overlay/main.ts', ['web/test/page.test.ts'], false],
  ['documents', 'docs/architecture.md', ['test/contract.test.ts'], false],
  ['a document beside code', 'src/engine/README.md', ['test/contract.test.ts'], false],
  ['what all slices use', 'src/core/text.ts', ['src/core/text.test.ts', 'test/kernel/jobs.test.ts'], true],
  ['what names all slices', 'src/features.ts', ['test/kernel/jobs.test.ts'], true],
  ['the dependencies', 'package-lock.json', ['test/kernel/jobs.test.ts'], true],
])('%s', (_, file, tests, isWhole) => {
  expect(affected([file], imports)).toEqual({ tests, whole: isWhole ? [file] : [] })
})

test('of several files the tests of each are chosen once', () => {
  const { tests } = affected(['src/engine/ties.ts', 'src/engine/ties.test.ts', 'web/overlay/main.ts'], imports)
  expect(tests).toEqual([
    'src/engine/swiss.test.ts',
    'src/engine/ties.test.ts',
    'src/features/brackets/brackets/rules.test.ts',
    'test/contract.test.ts',
    'web/test/page.test.ts',
  ])
})

test('imports are read in each form, without those of types alone', () => {
  const text = `import type { A } from './a.ts'
import { type B, b } from '../b.ts'
import {
  c,
  d,
} from './c.ts'
import './d.ts'
import path from 'node:path'
export type { E } from './e.ts'
export * from './f.ts'
export const g = h('x from ') + 'from' + './g.ts'
const worker = new URL('./worker.ts', import.meta.url)
const late = await import('./late.ts')
`
  expect(importsOf('x/y/z.ts', text)).toEqual([
    'x/b.ts',
    'x/y/c.ts',
    'x/y/d.ts',
    'x/y/f.ts',
    'x/y/worker.ts',
    'x/y/late.ts',
  ])
})

test('the imports of this project lead from code to its tests', () => {
  const read = readImports('.')
  expect(affected(['test/locks.ts'], read).tests).toContain('src/oauth/races.test.ts')
  expect(affected(['test/harness.ts'], read).whole).toEqual(['test/harness.ts'])
})
