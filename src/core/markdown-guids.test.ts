import { expect, test } from 'vitest'
import { namedGuids } from './markdown-guids.ts'

const guid = 'f3a1c2d4-0b5e-4c6d-8e7f-9a0b1c2d3e4f'
const address = `http://127.0.0.1:3001/media/${guid}/full.webp`

test.each([
  ['as it is given', `![a](${address})`],
  ['bare', `See ${address}.`],
  ['in capitals', `![a](${address.toUpperCase()})`],
  ['around dots', `![a](http://127.0.0.1:3001/x/../media/./${guid}/full.webp)`],
  ['without an origin', `![a](/media/${guid}/full.webp)`],
  ['behind a definition', `![a][b]\n\n[b]: </media/${guid}/full.webp>`],
  ['with somebody’s name', `![a](http://o'(x)@127.0.0.1:3001/media/${guid}/full.webp)`],
  ['by character references', `![a](${address.replace(guid, `&#x66;${guid.slice(1).replace('-', '&#45;')}`)})`],
  ['with backslashes', `![a](${address.replaceAll('-', '\\-')})`],
  ['by numbers', `![a](${address.replace(guid, `%66${guid.slice(1).replace('-', '%2d')}`)})`],
  ['with what browsers drop', `![a](<${address.replace('-', '\t-')}>)`],
  ['behind one that it is no part of', `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}/${guid}/`],
])('an address that is spelt %s', (_, text) => {
  expect(namedGuids(text)).toContain(guid)
})

test('each once, and nothing else', () => {
  expect(namedGuids(`${address} ${address.toUpperCase()} ${guid.slice(1)} f3a1c2d4-0b5e`)).toEqual([guid])
  expect(namedGuids('Nothing & \\ nobody, 100%')).toEqual([])
})

test.each(['f', 'f3a1c2d4-', '&#x66;', '\\', '%66', '&', '![a](', `${guid}`])(
  'takes linear time for many of %s',
  (part) => {
    const begun = performance.now()
    namedGuids(part.repeat(1_000_000 / part.length))
    expect(performance.now() - begun).toBeLessThan(2_000)
  },
)
