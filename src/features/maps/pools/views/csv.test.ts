import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOf, poolMapOf } from '../../../../../test/pool-maps.ts'
import { poolCsv } from './csv.ts'

/** The table of the maps of a pool. (pools: Playlist and CSV) */

const header =
  'order,flair,tiebreaker,name,sub name,artist,mapper,key,hash,characteristic,difficulty,bpm,njs,nps,seconds,notes,max score,stars A,stars B,modifiers,note'
const forPoolers = ',state,added by,staff note,up,neutral,down'

const plain = poolMapOf({
  guid: 'first',
  flair: 'Speed',
  modifiers: ['NoFail', 'FastSong'],
  note: 'Say "hi", then go',
  staffNote: 'secret',
  addedByGuid: 'ann',
  map: { hash: hashOf(1), key: '1a2b', name: 'Song', subName: 'Live', starsA: 9.53, state: 'outdated' },
})
const bare = poolMapOf({
  guid: 'second',
  isTiebreaker: true,
  addedByGuid: 'gone',
  map: {
    hash: hashOf(2),
    key: null,
    name: '=1+1',
    artist: null,
    mapper: null,
    state: 'unresolved',
    bpm: null,
    njs: null,
    nps: null,
    durationSeconds: null,
    notes: null,
    maxScore: null,
  },
})
const facts = {
  names: new Map([['ann', '@Ann']]),
  tallies: new Map([['first', { up: 3, neutral: 0, down: 1 }]]),
}

/** Removes the apostrophes that stop a spreadsheet from running a cell as a formula. */
const unguarded = (text: string) => text.replaceAll("'", '')

describe('CSV of a pool', () => {
  test('for outsiders has the columns as agreed, no byte order mark, and CRLF', () => {
    expect(poolCsv([plain, bare], null)).toBe(
      `${header}\r\n` +
        `0,Speed,no,Song,Live,Artist,Mapper,1a2b,${hashOf(1)},Standard,ExpertPlus,180,18,6.5,120,780,710000,9.53,,NoFail FastSong,"Say ""hi"", then go"\r\n` +
        `1,,yes,'=1+1,,,,,${hashOf(2)},Standard,ExpertPlus,,,,,,,,,,\r\n`,
    )
  })

  test('for poolers has theirs too, without the votes that are hidden from them', () => {
    const rows = poolCsv([plain, bare], facts).split('\r\n')
    expect(rows[0]).toBe(`${header}${forPoolers}`)
    expect(rows[1]).toMatch(/,outdated,'@Ann,secret,3,0,1$/)
    expect(rows[2]).toMatch(/,unresolved,,,,,$/)
  })

  test('of no maps is its header', () => {
    expect(poolCsv([], null)).toBe(`${header}\r\n`)
    expect(poolCsv([], { names: new Map(), tallies: new Map() }, 'spreadsheet')).toBe(
      `\uFEFF${header}${forPoolers}\r\n`,
    )
  })

  test('keeps what stands in it, row by row, and holds no formula, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .tuple(fc.constantFrom('=', '+', '-', '@', '\t=', ' @', '＝', '"', '\r\n=', ';'), fc.string())
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, mapper: text, flair: text, note: text, staffNote: text }), { maxLength: 8 }),
        (list) => {
          const maps = list.map(({ name, mapper, ...parts }) => poolMapOf({ ...parts, map: { name, mapper } }))
          const file = poolCsv(maps, { names: new Map(), tallies: new Map() })
          const rows: string[][] = parse(file, { bom: true, record_delimiter: '\r\n' })
          expect(rows.length).toBe(list.length + 1)
          for (const [index, { name, mapper, flair, note, staffNote }] of list.entries()) {
            const row = rows[index + 1] ?? []
            const cells = [row[3], row[6], row[1], row[20], row[23]]
            for (const [at, written] of [name, mapper, flair, note, staffNote].entries()) {
              expect(unguarded(cells[at] ?? '')).toBe(
                unguarded(written.replace(/\r\n|[\n\v\f\r\x85\u2028\u2029]/g, ' / ')),
              )
              expect(cells[at]).not.toMatch(/^[=+\-@\t\r\n＝]/)
            }
            expect(row.length).toBe(rows[0]?.length)
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
