import { describe, expect, test } from 'vitest'
import { problemOf } from '../../test/problems.ts'
import { listEntries, readWords } from './list.ts'

const notes = ['breve', 'minim', 'quaver'] as const
const read = (text: string) => readWords(listEntries(text), notes, 'notes', 'note.unknown')

describe('a comma list', () => {
  test.each([
    ['quaver', ['quaver']],
    ['quaver,breve', ['quaver', 'breve']],
    [' quaver ,\tbreve\n', ['quaver', 'breve']],
    ['quaver,breve,quaver', ['quaver', 'breve']],
  ])('%j', (text, words) => {
    expect(read(text)).toEqual(words)
  })

  test.each(['', ',', 'quaver,', 'quaver;breve', 'Quaver', 'quaver breve', 'crotchet', 'toString'])(
    '%j is none',
    (text) => {
      expect(problemOf(() => read(text))).toMatchObject({
        kind: 'invalid',
        code: 'note.unknown',
        message: '`notes` may list breve, minim, quaver.',
      })
    },
  )

  test('has its entries as they stand, empty ones and repeated ones too', () => {
    expect(listEntries(' a,,b , a')).toEqual(['a', '', 'b', 'a'])
    expect(listEntries('')).toEqual([''])
  })
})
