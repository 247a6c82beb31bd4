import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const folder = path.join(import.meta.dirname, '../docs/generated')

/** Compares with the committed file, or writes it when the documents are being generated (`npm run generate`). */
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
