import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitOf, slowFiles, slowFolders, slowTestMs, testMs } from './patience.ts'

const files = Object.entries(slowFiles).flatMap(([folder, names]) =>
  names.split(' ').map((name) => `${folder}/${name}.test.ts`),
)

test('what is named as slow exists, and is named once', () => {
  expect([...slowFolders, ...files].filter((name) => !existsSync(name))).toEqual([])
  const isCovered = (file: string) =>
    file.endsWith('/process.test.ts') || slowFolders.some((folder) => file.startsWith(`${folder}/`))
  expect(files.filter(isCovered)).toEqual([])
  expect(new Set(files).size).toBe(files.length)
})

test.each<[string, number]>([
  ['src/core/text.test.ts', testMs],
  ['src/features/teams/teams/changing.test.ts', testMs],
  ['src/features/flows/play/acting.test.ts', slowTestMs],
  ['src/features/flows/play/process.test.ts', slowTestMs],
  ['web/test/page.test.ts', slowTestMs],
])('%s', (file, ms) => {
  expect(limitOf(file)).toBe(ms)
})

test('a test ends at the limit of its file', ({ task }) => {
  expect(task.timeout).toBe(testMs)
})
