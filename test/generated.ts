import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const folder = path.join(import.meta.dirname, '../docs/generated')

/** Compares with the committed file, or writes it during `npm run generate`. */
export function expectGenerated(name: string, content: string): void {
  const file = path.join(folder, name)
  if (process.env.GENERATE === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, content)
  }
  expect(readFileSync(file, 'utf8') === content, `docs/generated/${name} is out of date: run npm run generate`).toBe(
    true,
  )
}

export interface Rule {
  readonly name: string
  /** The first paragraph of its comment, with the rule and its source. */
  readonly words: string
}

/** The exported functions and constants of a source that have a comment directly before them. */
export function rulesIn(source: string): Rule[] {
  const exported = source.matchAll(
    /\/\*\*\s*((?:(?!\*\/)[\s\S])*?)\s*\*\/\nexport (?:async )?(?:function|const) (\w+)/g,
  )
  return [...exported].map(([, comment = '', name = '']) => ({ name, words: sentence(comment) }))
}

function sentence(comment: string): string {
  const text = comment.replace(/^\s*\* ?/gm, '').replace(/\s*@\w+[\s\S]*$/, '')
  return (
    text
      .split(/\n\s*\n/)[0]
      ?.replace(/\s+/g, ' ')
      .replaceAll('|', '\\|')
      .trim() ?? ''
  )
}
