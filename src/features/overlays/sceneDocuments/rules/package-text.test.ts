import { expect, test } from 'vitest'
import { readText } from './package-text.ts'

const read = (text: string | Uint8Array) => readText(Buffer.from(text as string))
const reasonOf = (text: string | Uint8Array) => {
  const result = read(text)
  return result.ok ? null : result.reason
}

test.each(['{}', '[1,"a\\\\",{"b":[null]}]', '"[[[[ \\" {,:"', ' {"ä":"\\u005b"} '])(
  '%s is read as JSON is',
  (text) => {
    expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) })
  },
)

test('what stands in texts counts for nothing', () => {
  const text = JSON.stringify({ data: `${'['.repeat(100)}"\\${','.repeat(2_000_000)}` })
  expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) })
})

test.each<[string, string | Uint8Array, RegExp]>([
  ['nothing', '', /JSON/],
  ['half of it', '{"a":', /JSON/],
  ['a text without end', '"abc', /JSON/],
  ['a text whose end is escaped', '"abc\\"', /JSON/],
  ['what is deep', `${'['.repeat(41)}${']'.repeat(41)}`, /levels/],
  ['what is deep and without end', '{"a":'.repeat(1_000_000), /levels/],
  ['very many members', `[${'{},'.repeat(700_000)}{}]`, /members/],
  ['other letters', Uint8Array.of(0x22, 0xff, 0x22), /UTF-8/],
  ['a byte order mark', '\uFEFF{}', /JSON/],
])('%s is refused', (_, text, reason) => {
  expect(reasonOf(text)).toMatch(reason)
})
