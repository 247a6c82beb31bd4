import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './sources.ts'

/** Comments in plain words (docs/glossary.md): words that stand in place of a name are counted, and may only become fewer. */

/** How often all comments together may have each word. Lower a number when the count falls. */
const budget: Readonly<Record<string, number>> = {
  whoever: 0,
  whom: 8,
  nobody: 65,
  'what is told': 0,
  'is told': 9,
  'of which': 28,
  stands: 24,
  'comes to': 0,
  'in earnest': 0,
  'lets go': 0,
  beside: 11,
  'holds to': 0,
}

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm

function commentsOf(source: string): string {
  return Array.from(source.matchAll(comment), ([text]) => text.replace(/\s+\*?\s*/g, ' ')).join('\n')
}

test('comments have no more of the words that stand for a name than before', () => {
  const comments = sourceFiles().map((file) => [file, commentsOf(readFileSync(path.join(root, file), 'utf8'))] as const)
  for (const [word, most] of Object.entries(budget)) {
    const found = comments.flatMap(([file, text]) =>
      Array.from(text.matchAll(new RegExp(`\\b${word}\\b`, 'gi')), () => file),
    )
    const where = [...new Set(found)].join(' ')
    expect(found.length, `“${word}” in comments: name the thing instead. Files: ${where}`).toBeLessThanOrEqual(most)
  }
  expect(comments.length).toBeGreaterThan(2_000)
})

test('the glossary has at most 40 words, each once', () => {
  const glossary = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8')
  const words = Array.from(glossary.matchAll(/^\| ([^|]+) \| /gm), ([, word = '']) => word.trim()).filter(
    (word) => word !== 'word',
  )
  expect(new Set(words).size).toBe(words.length)
  expect(words.length).toBeLessThanOrEqual(40)
})
