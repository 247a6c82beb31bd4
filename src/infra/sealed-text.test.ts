import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openText, sealText } from './sealed-text.ts'

const seal = (text: string) => createHmac('sha256', 'one').update(text).digest('base64url')
const other = (text: string) => createHmac('sha256', 'other').update(text).digest('base64url')

test('a text is opened by the same secret for the same purpose alone, as it was', () => {
  for (const text of ['', 'sk-abc', 'ключ 🎵']) {
    const sealed = sealText(seal, 'keys', text)
    expect(sealed).not.toBe(sealText(seal, 'keys', text))
    expect(openText(seal, 'keys', sealed)).toBe(text)
    expect(() => openText(other, 'keys', sealed)).toThrow()
    expect(() => openText(seal, 'secrets', sealed)).toThrow()
  }
})

test('a text that was changed or cut is not opened', () => {
  const sealed = sealText(seal, 'keys', 'sk-abc')
  const bytes = Buffer.from(sealed, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] as number) ^ 1
    expect(() => openText(seal, 'keys', changed.toString('base64url'))).toThrow()
    expect(() => openText(seal, 'keys', bytes.subarray(0, index).toString('base64url'))).toThrow()
  }
})
