import { describe, expect, test } from 'vitest'
import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'
import { readFile, readRows } from './sheet.ts'

const fields = [
  { guid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42', label: 'Region', type: 'text', subject: 'team' },
] as unknown as AdditionalField[]
const read = (text: string) => readFile(new TextEncoder().encode(text), fields)
const named = (name: string) => ({ chatPlatformId: null, rankingIdA: null, rankingIdB: null, name })

describe('a file', () => {
  test.each([
    ['commas', 'teamName,captain,members,seed\nQuavers,Breve,Longa|Minim,3\n'],
    [
      'semicolons, another order and a byte order mark',
      '\uFEFFSeed;Members;Team Name;CAPTAIN\r\n3;Longa|Minim;Quavers;Breve\r\n',
    ],
    ['tabs and columns of their own', 'team\tplayer 1\tplayer 2\tplayer 3\tseed\nQuavers\tBreve\tLonga\tMinim\t3'],
    [
      'an unknown column, and empty lines',
      'note,team,captain,players,seed\nhi,Quavers,Breve,"Longa | Minim",3\n,,,,\n\n',
    ],
    ['a semicolon in a quoted heading', '"a;b;c;d;e",team,captain,members,seed\n,Quavers,Breve,Longa|Minim,3'],
  ])('with %s', (_what, text) => {
    const { rows, faults } = read(text)
    expect(faults).toEqual([])
    expect(rows).toMatchObject([
      { line: 2, teamName: 'Quavers', captain: named('Breve'), members: [named('Longa'), named('Minim')], seed: 3 },
    ])
  })

  test('counts lines as the file has them', () => {
    const { rows, faults } = read('team,captain,register\n"One\nmore",A,yes\n\nTwo,B,no\nThree,,x\nFour,D,perhaps')
    expect(rows.map(({ line, teamName, register }) => [line, teamName, register])).toEqual([
      [2, 'One\nmore', true],
      [5, 'Two', false],
    ])
    expect(faults).toEqual([
      { line: 6, teamName: 'Three', reason: '`captain` is missing.' },
      { line: 7, teamName: '', reason: '“perhaps” in `register` is neither yes nor no.' },
    ])
  })

  test('answers fields by their labels', () => {
    const [row] = read('team,captain,region\nQuavers,Breve,Europe').rows
    expect(row?.answers).toEqual([{ fieldGuid: fields[0]?.guid, response: 'Europe' }])
  })

  test.each([
    ['no columns that it needs', 'a,b\n1,2', 'team_import.unreadable'],
    ['two columns for one thing', 'team,team name,captain\n1,2,3', 'team_import.unreadable'],
    ['nothing', '', 'team_import.unreadable'],
    ['an open quotation mark', 'team,captain\n"x,y', 'team_import.unreadable'],
    ['too many rows', `team,captain\n${'a,b\n'.repeat(1_025)}`, 'team_import.too_large'],
    ['too many bytes', `team,captain\n${'a'.repeat(2 * 1024 * 1024)},b`, 'team_import.too_large'],
  ])('with %s is refused', (_what, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })

  test('in another encoding is refused', () => {
    expect(() => readFile(Uint8Array.of(0xff, 0xfe, 0x41, 0x00), fields)).toThrow(
      expect.objectContaining({ code: 'team_import.unreadable' }),
    )
  })
})

describe('a person', () => {
  const personOf = (captain: string | object) => readRows([{ teamName: 'T', captain } as never], fields)

  test.each([
    ['210987654321098765', { chatPlatformId: '210987654321098765', name: null }],
    ["'210987654321098765", { chatPlatformId: '210987654321098765', name: null }],
    ['76561198000000001', { rankingIdA: '76561198000000001', chatPlatformId: null }],
    ['42', { name: '42' }],
    ["'=cmd()", { name: '=cmd()' }],
    ["'t Hooft", { name: "'t Hooft" }],
    ['<script>', { name: '<script>' }],
    [
      { name: 'Breve', rankingIdB: '12' },
      { name: 'Breve', rankingIdB: '12' },
    ],
  ])('%j', (given, expected) => {
    expect(personOf(given).rows[0]?.captain).toMatchObject(expected)
  })

  test.each([
    ['\u202Eesrever', 'reverse'],
    ['\u200B', 'missing|empty|visible'],
    ['x'.repeat(65), 'at most 64'],
    [{}, 'neither ID nor name'],
    [{ chatPlatformId: 'abc' }, 'chatPlatformId'],
  ])('%j makes the row unusable', (given, reason) => {
    expect(personOf(given).faults[0]?.reason).toMatch(new RegExp(reason))
  })

  test('who stands twice in a team is one', () => {
    const { rows } = readRows([{ teamName: 'T', captain: 'Breve', members: ['breve', 'Longa', 'ＬＯＮＧＡ'] }], fields)
    expect(rows[0]?.members).toEqual([named('ＬＯＮＧＡ')])
  })
})
