import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const sources = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }))

/** The output of a simple bundler that does not shorten names: one module without types, comments and indentation. */
function bundled(text: string): string {
  return stripTypeScriptTypes(text, { mode: 'transform' })
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export \{[^}]*\}[^;]*;\n/gm, '')
    .replace(/^\s+/gm, '')
}

test('the client is at most 12 kB, compressed (RT37)', () => {
  const bytes = gzipSync(sources.map(({ text }) => bundled(text)).join(''), { level: 9 }).length
  process.stdout.write(`downbeat-client: ${bytes} bytes compressed\n`)
  expect(bytes).toBeLessThanOrEqual(12_000)
  expect(bytes).toBeGreaterThan(5_000)
})

test('it depends on nothing, and neither evaluates text nor makes HTML of it (RT37, RT39)', () => {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  expect(Object.keys(manifest).filter((member) => /dependencies/i.test(member))).toEqual([])
  for (const { file, text } of sources) {
    const imported = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier = '']) => specifier)
    expect(
      imported.filter((specifier) => !/^\.\/[a-z]+\.ts$/.test(specifier)),
      file,
    ).toEqual([])
    expect(text, file).not.toMatch(/\beval\b|\bFunction\(|innerHTML|outerHTML|insertAdjacent|\bdocument\.\w|\bimport\(/)
  }
  expect(sources.length).toBeGreaterThan(15)
})
