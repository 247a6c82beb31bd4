import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Coded, CodedMemory } from './compressed-answers.ts'

const answerOf = (text: string) => ({ body: Buffer.from(text), etag: '"tag"' })
const large = answerOf(JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, word: 'ready ü' }))))

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a form in %s is made once, has a tag of its own, and is the same answer', async (coding, decode) => {
  for (const answer of [large, answerOf('small')]) {
    const coded = new Coded(null)
    expect(coded.find(coding)).toBeNull()
    const [form, same] = await Promise.all([coded.form(coding, answer), coded.form(coding, answer)])
    expect(same).toBe(form)
    expect([coded.find(coding), await coded.form(coding, answer)]).toEqual([form, form])
    expect([form.etag, Number(form.length)]).toEqual([`"tag-${coding}"`, form.body.length])
    expect(decode(form.body).equals(answer.body)).toBe(true)
    if (form.text !== null) expect(Buffer.from(form.text, 'latin1').equals(form.body)).toBe(true)
  }
})

test.each(['br', 'gzip'] as const)('a large form in %s holds no more memory than it is long', async (coding) => {
  const coded = new Coded(null)
  // Too long to be kept as text, and short enough that all of it comes back in the first chunk.
  const lines = Array.from({ length: 8_000 }, (_, index) => `${Math.sin(index)}${' and so on'.repeat(20)}`)
  const answer = answerOf(lines.join())
  const { body, text, length } = await coded.form(coding, answer)
  expect(text).toBeNull()
  expect([body.length, body.buffer.byteLength]).toEqual([Number(length), Number(length)])
})

test('forms that nobody has asked for longest are forgotten where there is no room', async () => {
  const probe = await new Coded(null).form('gzip', large)
  const memory = new CodedMemory(2.5 * Number(probe.length))
  const all = [new Coded(memory), new Coded(memory), new Coded(memory)] as const
  await all[0].form('gzip', large)
  await all[1].form('gzip', large)
  expect(memory.bytes).toBe(2 * Number(probe.length))
  expect(all[0].find('gzip')).not.toBeNull()
  await all[2].form('gzip', large)
  expect(all.map((coded) => coded.find('gzip') !== null)).toEqual([true, false, true])
  expect(memory.bytes).toBe(2 * Number(probe.length))
  // A form larger than the whole memory is returned, but not kept.
  const tiny = new CodedMemory(10)
  const coded = new Coded(tiny)
  expect((await coded.form('gzip', large)).length).toBe(probe.length)
  expect([coded.find('gzip'), tiny.bytes]).toEqual([null, 0])
})
