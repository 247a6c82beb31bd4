import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../../../test/pool-maps.ts'
import { difficulties } from '../../catalogue/types.ts'
import { readPlaylist, readPlaylistFile } from './playlist-file.ts'

/** Playlists that other programs wrote. (pools: Playlist and CSV, rule 6) */

const hash = hashOf(1)
const song = (members: object) => readPlaylist({ songs: [members] }).entries[0]
const listed = (...all: unknown[]) => song({ hash, difficulties: all })
const file = (content: unknown) => Buffer.from(JSON.stringify(content))

describe('a song', () => {
  test.each<[string, object, string | null, string | null]>([
    ['hash', { hash }, hash, null],
    ['hash in upper case', { hash: hash.toUpperCase() }, hash, null],
    ['hash between spaces', { hash: ` ${hash}\n` }, hash, null],
    ['levelid', { levelid: `custom_level_${hash}` }, hash, null],
    ['levelid in another case', { levelid: `CUSTOM_LEVEL_${hash.toUpperCase()}` }, hash, null],
    ['key', { key: '1A2b' }, null, '1a2b'],
    ['key that is a number', { key: 12345 }, null, '12345'],
    ['all of them', { hash, key: 'ff', levelid: `custom_level_${hash}` }, hash, 'ff'],
    ['hash before what the level says', { hash, levelid: `custom_level_${hashOf(2)}` }, hash, null],
    ['key beside an unusable hash', { hash: 'none', key: 'ff' }, null, 'ff'],
    ['level beside an empty hash', { hash: '', levelid: `custom_level_${hash}` }, hash, null],
    ['members in other cases', { Hash: hash, KEY: 'FF' }, hash, 'ff'],
    ['level in the spelling of another program', { levelID: `custom_level_${hash}` }, hash, null],
    ['unusable key beside a hash', { hash, key: { toString: 'ff' } }, hash, null],
  ])('is found by its %s', (_, members, foundHash, key) => {
    expect(song(members)).toMatchObject({ hash: foundHash, key, fault: null, difficulties: [], unread: [] })
  })

  test.each<[string, unknown]>([
    ['text', hash],
    ['a number', 7],
    ['null', null],
    ['a list', [hash]],
    ['empty', {}],
    ['a level of the game itself', { levelid: '100Bills', songName: '$100 Bills' }],
    ['a level in progress', { levelid: `custom_level_${hash} WIP` }],
    ['a short hash', { hash: hash.slice(1) }],
    ['a hash that is none', { hash: 'g'.repeat(40) }],
    ['a hash in a list', { hash: [hash] }],
    ['a long key', { key: '123456789' }],
    ['a key that is none', { key: 'xyz' }],
    ['a key below zero', { key: -1 }],
    ['a broken key', { key: 1.5 }],
    ['difficulties that are no list', { hash, difficulties: { name: 'Easy' } }],
    ['difficulties in a text', { hash, difficulties: 'Easy' }],
  ])('that is %s becomes an entry with a fault, and the others are read', (_, broken) => {
    const { entries } = readPlaylist({ songs: [{ hash }, broken, { key: 'ff' }] })
    expect(entries.map(({ fault }) => fault === null)).toEqual([true, false, true])
    expect(entries[1]).toMatchObject({
      hash: null,
      key: null,
      difficulties: [],
      fault: expect.stringMatching(/^The .*\.$/),
    })
    expect(entries[1]?.name).not.toBe('')
  })

  test.each<[string, object, string]>([
    ['its name', { hash, songName: '  A\nSong ' }, 'A Song'],
    ['its hash, without a name', { hash, songName: ' ' }, hash],
    ['its hash, where the name is no text', { hash, songName: { a: 1 } }, hash],
    ['its key', { key: 'FF' }, 'ff'],
    ['its level', { levelid: '100Bills' }, '100Bills'],
    ['its number', {}, 'song 1'],
    ['a name without what hides in it', { hash, songName: 'a\u0000\u202Eb\u200B' }, 'a b'],
    ['the beginning of a long name', { hash, songName: '🎵'.repeat(300) }, '🎵'.repeat(200)],
    ['a name with half a character', { hash, songName: 'a\uD800' }, 'a\uFFFD'],
  ])('is called by %s', (_, members, name) => {
    expect(song(members)?.name).toBe(name)
  })
})

describe('a difficulty', () => {
  const spelt = difficulties.flatMap((difficulty, index) => [
    ...[difficulty, difficulty.toLowerCase(), difficulty.toUpperCase()].map((name) => ({ name, difficulty })),
    ...[index * 2 + 1, String(index * 2 + 1)].map((name) => ({ name, difficulty })),
  ])
  const plus = ['expertPlus', 'Expert+', 'EXPERT+', ' expert+ '].map((name) => ({ name, difficulty: 'ExpertPlus' }))

  test.each([...spelt, ...plus])('$name is $difficulty', ({ name, difficulty }) => {
    const found = [{ characteristic: 'Standard', difficulty }]
    expect(listed({ name, characteristic: 'Standard' })).toMatchObject({ difficulties: found, unread: [] })
    expect(listed({ difficulty: name })).toMatchObject({ difficulties: found })
    expect(listed({ Name: name, Characteristic: 'Standard' })).toMatchObject({ difficulties: found })
  })

  test.each<[unknown, string]>([
    [{ name: 'Expert Plus Plus' }, 'Expert Plus Plus'],
    [{ name: 2 }, '2'],
    [{ name: '' }, 'no name'],
    [{ name: ['Easy'] }, 'no name'],
    [{}, 'no name'],
    [null, 'no object'],
    ['Easy', 'Easy'],
    [7, '7'],
    [[], 'no object'],
    [{ name: 'Easy', characteristic: 'One Saber' }, 'One Saber'],
    [{ name: 'Easy', characteristic: 'x'.repeat(33) }, 'x'.repeat(33)],
    [{ name: 'Easy', characteristic: {} }, 'no characteristic'],
    [{ name: '__proto__' }, '__proto__'],
  ])('%j is none, and shown as it is', (written, unread) => {
    expect(listed({ name: 'Hard' }, written)).toMatchObject({
      difficulties: [{ characteristic: 'Standard', difficulty: 'Hard' }],
      unread: [unread],
      fault: null,
    })
  })

  test('keeps its order, is taken once, and counts by its characteristic', () => {
    const all = [
      { characteristic: 'OneSaber', name: 'hard' },
      { characteristic: 'Standard', name: 'expertPlus' },
      { characteristic: 'standard', difficulty: 9 },
      { characteristic: null, name: 'easy' },
    ]
    expect(listed(...all)?.difficulties).toEqual([
      { characteristic: 'OneSaber', difficulty: 'Hard' },
      { characteristic: 'Standard', difficulty: 'ExpertPlus' },
      { characteristic: 'Standard', difficulty: 'Easy' },
    ])
  })
})

describe('a file', () => {
  const good = { playlistTitle: ' My list ', syncURL: 'https://example.org', AllowDuplicates: true, songs: [{ hash }] }
  const read = { title: 'My list', overflows: false, entries: [{ hash }] }

  test.each<[string, () => Uint8Array | string]>([
    ['UTF-8', () => file(good)],
    ['UTF-8 with a byte order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), file(good)])],
    ['text', () => JSON.stringify(good)],
    ['text with a byte order mark', () => `\uFEFF${JSON.stringify(good)}`],
    [
      'in lines, with settings inside',
      () => JSON.stringify({ ...good, syncURL: undefined, customData: good }, null, 2),
    ],
    ['with members in another case', () => JSON.stringify({ PlaylistTitle: 'My list', Songs: [{ hash }] })],
    [
      'of 4 MiB to the byte',
      () =>
        file(good)
          .toString()
          .padEnd(4 * 1024 * 1024),
    ],
  ])('may be %s', (_, make) => {
    expect(readPlaylistFile(make())).toMatchObject(read)
  })

  test.each<[string, Uint8Array | string, RegExp]>([
    ['nothing', '', /empty/],
    ['a byte order mark alone', '\uFEFF', /not JSON/],
    ['an archive', Buffer.from('PK\u0003\u0004rest'), /"\.blist".*Export it as "\.bplist"/],
    ['an empty archive', Buffer.from('PK\u0005\u0006'), /"\.blist"/],
    ['the binary form', Buffer.from('Blist.v3\u0000\u0001'), /"\.blist"/],
    ['compressed', gzipSync('{}'), /not UTF-8/],
    ['UTF-16', Buffer.from('\uFEFF{"songs":[]}', 'utf16le'), /not UTF-8.*Save it/],
    ['a local encoding', Buffer.from('{"songs":[],"playlistTitle":"\u00e9"}', 'latin1'), /not UTF-8/],
    ['words', 'hello', /not JSON/],
    ['a page', '<!doctype html>', /not JSON/],
    ['cut off', '{"songs":[', /not JSON/],
    ['a list', '[]', /no playlist/],
    ['null', 'null', /no playlist/],
    ['a text', '"songs"', /no playlist/],
    ['without songs', '{}', /no list "songs"/],
    ['with songs that are no list', '{"songs":{"length":2}}', /no list "songs"/],
    ['with songs of its prototype', '{"__proto__":{"songs":[]}}', /no list "songs"/],
    ['nested deeply', '['.repeat(2_000_000), /./],
    ['nested deeply and closed', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, /./],
    ['more than 4 MiB', '{"songs":[]}'.padEnd(4 * 1024 * 1024 + 1), /4 MiB/],
  ])('must not be %s, and it says what to do', (_, content, message) => {
    const reading = () => readPlaylistFile(content)
    expect(reading).toThrow(expect.objectContaining({ kind: 'invalid', code: 'playlist.invalid' }))
    expect(reading).toThrow(message)
  })

  test.each([undefined, null, 7, 'songs', true, [], [{ songs: [] }]])('%j, parsed, is no playlist', (value) => {
    expect(() => readPlaylist(value)).toThrow(expect.objectContaining({ code: 'playlist.invalid' }))
  })

  test('ends where an import does: after 500 rows, of songs or of their difficulties', () => {
    const songs = (count: number) => Array.from({ length: count }, () => ({ hash }))
    expect(readPlaylist({ songs: songs(500) })).toMatchObject({ overflows: false, entries: { length: 500 } })
    expect(readPlaylist({ songs: songs(501) })).toMatchObject({ overflows: true, entries: { length: 500 } })
    const five = { hash, difficulties: difficulties.map((name) => ({ name })) }
    expect(readPlaylist({ songs: Array(100).fill(five) })).toMatchObject({ overflows: false, entries: { length: 100 } })
    expect(readPlaylist({ songs: Array(101).fill(five) })).toMatchObject({ overflows: true, entries: { length: 100 } })
    const endless = { hash, difficulties: Array(1_000_000).fill({ name: 'x' }) }
    expect(readPlaylist({ songs: [{ hash }, endless] })).toMatchObject({ overflows: true, entries: { length: 1 } })
    const many = readPlaylistFile(`{"songs":[${'0,'.repeat(1_500_000)}0]}`)
    expect(many).toMatchObject({ overflows: true, entries: { length: 500 } })
  })

  test('changes nothing outside, whatever names it uses', () => {
    const { entries } = readPlaylistFile(
      `{"__proto__":{"polluted":1},"songs":[{"__proto__":{"hash":"${hash}"},"constructor":{"prototype":{"polluted":1}}},{"hash":"${hash}"}]}`,
    )
    expect(entries.map(({ hash: found }) => found)).toEqual([null, hash])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('of any JSON is read or refused as a playlist', () => {
    const names = fc.constantFrom(
      'hash',
      'key',
      'levelid',
      'difficulties',
      'songName',
      'name',
      'difficulty',
      'characteristic',
      'x',
    )
    const { anything } = fc.letrec((tie) => ({
      anything: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(hash, 'ff', 'Easy', 9, '', null, true, -0.5, `custom_level_${hash}`),
        fc.string({ unit: 'binary' }),
        fc.array(tie('anything'), { maxLength: 5 }),
        fc.dictionary(names, tie('anything'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(fc.array(anything), (songs) => {
        const { entries } = readPlaylistFile(JSON.stringify({ songs }))
        expect(entries.length).toBe(songs.length)
        for (const entry of entries) {
          expect(entry.name).not.toBe('')
          expect(entry.fault === null).toBe(entry.hash !== null || entry.key !== null)
          if (entry.hash !== null) expect(entry.hash).toMatch(/^[0-9a-f]{40}$/)
          if (entry.key !== null) expect(entry.key).toMatch(/^[0-9a-f]{1,8}$/)
          for (const { characteristic, difficulty } of entry.difficulties) {
            expect(characteristic).toMatch(/^\w{1,32}$/)
            expect(difficulties).toContain(difficulty)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('of any bytes is read or refused as a playlist', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readPlaylistFile(bytes)).toThrow(expect.objectContaining({ code: 'playlist.invalid' }))
      }),
    )
  })
})
