import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What screen readers say of the tables and forms of a page: roles, names and states of the accessibility tree. */

/** Tables and forms that are not in others. */
const parts = ['table', 'form', 'fieldset', 'select', 'label:has(input[type="checkbox"])'].map((part) => `main ${part}`)
const outermost = `:is(${parts.join(', ')}):not(:is(${parts.join(', ')}) *)`

export async function readAloud(page: Page): Promise<string> {
  const all = await page.locator(outermost).all()
  const said = await Promise.all(all.map((part) => part.ariaSnapshot()))
  return normal(withoutCells([...new Set(said)].join('\n')))
}

/** Of each table its heads and first rows: the name of a row has the words of all its cells. */
function withoutCells(text: string): string {
  let rows = 0
  let depth: number | null = null
  return text
    .split('\n')
    .filter((line) => {
      const indent = line.search(/\S/)
      if (depth !== null && indent > depth) return false
      depth = null
      if (/^\s*- (table|grid|list)\b/.test(line)) rows = 0
      if (!/^\s*- (row|listitem)\b/.test(line)) return !/^\s*- (rowgroup|text)\b/.test(line)
      depth = indent
      return ++rows <= 3
    })
    .join('\n')
}

/** Without what differs from run to run: times, and the numbers by which tests keep their records apart. */
function normal(text: string): string {
  return text
    .replace(/^\s*- \/(url|placeholder):.*\n?/gm, '')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ \w+( \d{4})?/g, 'DAY')
    .replace(/\b\d\d:\d\d\b/g, 'TIME')
    .replace(/\b\d{1,2} \w{3,4} \d{4}\b/g, 'DAY')
    .replace(/\b([a-z]+)-\d{3,}-\d+\b/g, '$1')
    .replace(/\b(player|Awards |Song )\d+\b/g, '$1')
    .replace(/\b[\da-f]{8,40}\b/g, 'ID')
}

/** Compares with the committed words, or writes them with `GENERATE=1`; somebody must read them. */
export function expectAloud(said: ReadonlyMap<string, string>, name = 'read-aloud'): void {
  const file = path.join(import.meta.dirname, `${name}.txt`)
  const text = [...said].map(([page, words]) => `# ${page}\n\n${words}\n`).join('\n')
  if (process.env.GENERATE === '1') writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
