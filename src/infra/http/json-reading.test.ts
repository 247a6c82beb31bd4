import { afterAll, expect, test } from 'vitest'
import { Problem } from '../../core/problem.ts'
import { readJson } from './json-body.ts'
import { JsonReading } from './json-reading.ts'

const reading = new JsonReading()
afterAll(() => reading.close())

async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() }
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
}

const spaces = ' '.repeat(70_000)

test.each([
  ['clean strings', '{"a":["e\u0301 ","x\\r\\ny"],"b":{"c":0.5,"d":1.5e3,"e":null}}'],
  ['a string that is refused', '{"a":{"b":["fine","not\\u0000"]}}'],
  ['a name that is refused', '{"__proto__":1}'],
  ['no JSON', '{"a":1,}'],
  ['nothing', ''],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
])('a large body of %s is read as a small one', async (_what, body) => {
  const small = Buffer.from(body)
  const large = Buffer.concat([small, Buffer.from(spaces)])
  expect(await outcomeOf(() => reading.read(large, undefined))).toEqual(
    await outcomeOf(() => readJson(small, undefined)),
  )
})

test('a large body, and one with much Markdown, is read beside the event loop', async () => {
  const texts = Array.from({ length: 400 }, (_none, index) => `${index}${'e\u0301\u0323'.repeat(300)}`)
  const markdown = { text: `\`<b>\` ${'<p '.repeat(6_000)}` }
  let turns = 0
  const clock = setInterval(() => turns++, 1)
  for (const value of [texts, markdown]) {
    const body = Buffer.from(JSON.stringify(value))
    const before = turns
    expect(await reading.read(Buffer.concat([body]), undefined)).toEqual(readJson(body, undefined))
    expect(turns).toBeGreaterThan(before)
  }
  clearInterval(clock)
})
