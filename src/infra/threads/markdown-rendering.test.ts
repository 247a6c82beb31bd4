import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMarkdown } from '../../core/text.ts'
import { MarkdownRendering } from './markdown-rendering.ts'

const mediaOrigin = 'https://media.example'
const rendering = new MarkdownRendering(mediaOrigin)
// The thread is running before the tests begin.
beforeAll(() => rendering.render(['first'], 'a tournament'))
afterAll(() => rendering.close())

/** A text of 16,000 characters that takes some ten milliseconds. */
const hostile = (number: number) => `${number} ${'*a* '.repeat(2_200)}`.padEnd(16_000, 'Word ')

test('gives each text its HTML, in their order, however often it is there', async () => {
  const texts = ['**a**', null, '', 'x < y', '**a**', `![own](${mediaOrigin}/media/x) [l](https://a.example)`]
  const html = texts.map((text) => (text === null ? null : renderMarkdown(text, mediaOrigin)))
  for (const line of ['one', 'one', 'other']) expect(await rendering.render(texts, line)).toEqual(html)
})

test('requests for the same texts at the same time get the same HTML', async () => {
  const texts = [hostile(1), hostile(2)]
  const all = await Promise.all(['one', 'one', 'other'].map((line) => rendering.render(texts, line)))
  for (const each of all) expect(each).toEqual(texts.map((text) => renderMarkdown(text, mediaOrigin)))
})

test('texts of a tournament do not wait for the many of another one', async () => {
  let isDone = false
  const many = rendering.render(
    Array.from({ length: 60 }, (_, index) => hostile(index + 10)),
    'many',
  )
  const over = many.then(() => {
    isDone = true
  })
  expect(await rendering.render(['*few*'], 'few')).toEqual(['<p><em>few</em></p>\n'])
  expect(isDone).toBe(false)
  await over
  expect(new Set(await many).size).toBe(60)
})

test('what is rendered when it closes fails, and what comes later is rendered', async () => {
  const other = new MarkdownRendering(mediaOrigin)
  const lost = expect(other.render([hostile(3)], 'a')).rejects.toThrow('a thread ended')
  await setImmediate()
  await other.close()
  await lost
  expect(await other.render(['*a*'], 'a')).toEqual(['<p><em>a</em></p>\n'])
  await other.close()
})
