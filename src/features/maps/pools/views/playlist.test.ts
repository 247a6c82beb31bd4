import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOf, poolMapOf, poolOf } from '../../../../../test/pool-maps.ts'
import { difficulties } from '../../catalogue/types.ts'
import { readPlaylist, readPlaylistFile } from '../rules/playlist-file.ts'
import type { Pool } from '../types.ts'
import { attachment, type PlaylistInput, playlistFile, playlistOf } from './playlist.ts'

/** Playlists, as the game receives them. (pools: Playlist and CSV) */

const png = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64')}`
const syncUrl = 'https://downbeat.example/resources/pooling/pools/0b6e2c1e-0000-4000-8000-000000000001/playlist.bplist'
const [tournamentGuid, poolGuid] = ['0a6e2c1e-0000-4000-8000-000000000001', '0b6e2c1e-0000-4000-8000-000000000001']

function input(parts: Partial<Pool> & { maps?: PlaylistInput['maps']; tournament?: string } = {}): PlaylistInput {
  const { maps = [], tournament = 'Spring Cup', ...pool } = parts
  return {
    tournament: { guid: tournamentGuid, name: tournament },
    pool: poolOf({ guid: poolGuid, revision: 2, ...pool }),
    maps,
    image: png,
    syncUrl,
  }
}

/**
 * Reads a file like the game's playlist manager does, without knowing this service. It finds a song by `hash` or by the
 * hash in `levelid`, a difficulty by `characteristic` and `name`, and the list itself again by `customData.syncURL`. It
 * accepts only booleans for switches, and takes the picture from after the comma.
 */
function inTheGame(file: string) {
  expect(file.startsWith('{')).toBe(true)
  const read = JSON.parse(file)
  const custom = read.customData ?? {}
  return {
    title: String(read.playlistTitle),
    author: String(read.playlistAuthor ?? ''),
    description: String(read.playlistDescription ?? ''),
    cover: Buffer.from(read.image.slice(read.image.indexOf(',') + 1), 'base64'),
    syncUrl: typeof custom.syncURL === 'string' ? custom.syncURL : null,
    allowsDuplicates: custom.AllowDuplicates !== false,
    isReadOnly: custom.ReadOnly === true,
    songs: (read.songs as Record<string, unknown>[]).map((song) => ({
      level: typeof song.hash === 'string' ? `custom_level_${song.hash.toUpperCase()}` : String(song.levelid),
      stated: song.levelid,
      highlighted: ((song.difficulties ?? []) as Record<string, unknown>[]).map(({ characteristic, name }) => {
        const index = ['easy', 'normal', 'hard', 'expert', 'expertPlus'].indexOf(String(name))
        return `${characteristic}:${index}`
      }),
    })),
  }
}

describe('a playlist', () => {
  const [one, two] = [hashOf(1), hashOf(2)]
  const maps = [
    poolMapOf({
      flair: 'Speed',
      map: { hash: one, key: '1a2b', name: 'First', mapper: 'Ann', difficulty: 'ExpertPlus' },
    }),
    poolMapOf({
      flair: 'Tech',
      map: { hash: two, key: null, name: null, mapper: null, state: 'missing', difficulty: 'Easy' },
    }),
    poolMapOf({
      flair: 'Tech',
      isTiebreaker: true,
      map: { hash: one, key: '1a2b', name: 'First', difficulty: 'Hard' },
    }),
    poolMapOf({ flair: 'Speed', map: { hash: one, key: '1a2b', characteristic: 'OneSaber', difficulty: 'Hard' } }),
    poolMapOf({ map: { hash: one, characteristic: 'standard', difficulty: 'Hard' } }),
  ]

  test('has exactly the members that were agreed, in their order', () => {
    const file = playlistFile(input({ maps }))
    expect(file.contentType).toBe('application/json; charset=utf-8')
    expect(file.body).toBe(
      `{"playlistTitle":"Spring Cup – Finals","playlistAuthor":"Spring Cup","playlistDescription":"","image":"${png}",` +
        `"customData":{"syncURL":"${syncUrl}","AllowDuplicates":false,"ReadOnly":true,` +
        `"downbeat":{"tournament":"${tournamentGuid}","pool":"${poolGuid}","revision":2}},"songs":[` +
        `{"key":"1a2b","hash":"${one}","songName":"First","levelAuthorName":"Ann","levelid":"custom_level_${one.toUpperCase()}",` +
        '"difficulties":[{"characteristic":"Standard","name":"expertPlus"},{"characteristic":"Standard","name":"hard"},' +
        '{"characteristic":"OneSaber","name":"hard"}],"customData":{"flairs":["Speed","Tech"],"tiebreaker":true}},' +
        `{"hash":"${two}","songName":"","levelAuthorName":"","levelid":"custom_level_${two.toUpperCase()}",` +
        '"difficulties":[{"characteristic":"Standard","name":"easy"}],"customData":{"flairs":["Tech"],"tiebreaker":false}}]}',
    )
  })

  test('is what the game expects', () => {
    const read = inTheGame(playlistFile(input({ maps })).body)
    expect(read).toMatchObject({ title: 'Spring Cup – Finals', syncUrl, allowsDuplicates: false, isReadOnly: true })
    expect(read.cover.toString('latin1')).toMatch(/^\x89PNG/)
    for (const { level, stated } of read.songs) expect(level).toBe(stated)
    expect(read.songs.map(({ highlighted }) => highlighted)).toEqual([
      ['Standard:4', 'Standard:2', 'OneSaber:2'],
      ['Standard:0'],
    ])
  })

  test('of a draft has no revision; one without maps has no songs', () => {
    expect(playlistOf(input({ revision: null }))).toMatchObject({
      customData: { downbeat: { revision: null } },
      songs: [],
    })
  })

  test.each([
    ['the defaults', {}, ['Spring Cup – Finals', 'Spring Cup', '']],
    ['what was set', { playlistTitle: 'T', playlistAuthor: 'A', playlistDescription: 'D' }, ['T', 'A', 'D']],
    ['an author alone', { playlistAuthor: 'A' }, ['Spring Cup – Finals', 'A', '']],
  ])('is called by %s', (_, set, texts) => {
    const { playlistTitle, playlistAuthor, playlistDescription } = playlistOf(input(set))
    expect([playlistTitle, playlistAuthor, playlistDescription]).toEqual(texts)
  })

  test('says the same when it is read back, whatever the pool', () => {
    const poolMap = fc.record({
      hash: fc.integer({ min: 1, max: 12 }).map(hashOf),
      characteristic: fc.constantFrom('Standard', 'OneSaber', '90Degree', 'Lawless'),
      difficulty: fc.constantFrom(...difficulties),
      name: fc.option(fc.string({ unit: 'binary', maxLength: 30 }), { nil: null }),
    })
    const pools = fc.uniqueArray(poolMap, {
      maxLength: 60,
      selector: ({ hash, characteristic, difficulty }) => `${hash} ${characteristic} ${difficulty}`,
    })
    fc.assert(
      fc.property(pools, fc.string({ unit: 'binary', maxLength: 40 }), (list, title) => {
        const withKey = ({ hash }: { hash: string }) =>
          Number.parseInt(hash.slice(-2), 16) % 3 === 0 ? null : hash.slice(-4)
        const written = input({
          playlistTitle: title,
          maps: list.map((map) => poolMapOf({ map: { ...map, key: withKey(map) } })),
        })
        const { body } = playlistFile(written)
        const back = readPlaylistFile(Buffer.from(body))
        expect(readPlaylist(JSON.parse(body))).toEqual(back)
        expect(back.overflows).toBe(false)
        // The expected songs are built from the list: in the order of their first maps, each with its difficulties.
        const hashes = [...new Set(list.map(({ hash }) => hash))]
        expect(
          back.entries.map(({ hash, key, difficulties, unread, fault }) => ({
            hash,
            key,
            difficulties,
            unread,
            fault,
          })),
        ).toEqual(
          hashes.map((hash) => ({
            hash,
            key: withKey({ hash }),
            difficulties: list
              .filter((map) => map.hash === hash)
              .map(({ characteristic, difficulty }) => ({ characteristic, difficulty })),
            unread: [],
            fault: null,
          })),
        )
        const rows = inTheGame(body).songs.flatMap(({ highlighted }) => highlighted)
        expect(rows.length).toBe(list.length)
        expect(rows.every((row) => !row.endsWith(':-1'))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the name of the file', () => {
  test.each([
    ['Spring Cup – Finals', 'Spring Cup - Finals', 'Spring%20Cup%20%E2%80%93%20Finals'],
    ['Été', 'Ete', '%C3%89t%C3%A9'],
    ['決勝', 'playlist', '%E6%B1%BA%E5%8B%9D'],
    ['', 'playlist', 'playlist'],
    ['...', 'playlist', 'playlist'],
    ['../../etc/passwd', 'etc passwd', 'etc%20passwd'],
    ['..\\..\\a', 'a', 'a'],
    ['a"; filename="b.exe', 'a ; filename= b.exe', 'a%20%3B%20filename%3D%20b.exe'],
    ['a\r\nSet-Cookie: x=1', 'a Set-Cookie x=1', 'a%20Set-Cookie%20x%3D1'],
    ['a\u0000b\u202Egpj', 'a b gpj', 'a%20b%20gpj'],
    ['con', '_con', '_con'],
    ['NUL.txt', '_NUL.txt', '_NUL.txt'],
    ['.hidden ', 'hidden', 'hidden'],
    ["it's (50%) *", "it's (50 )", 'it%27s%20%2850%20%29'],
    ['a\uD800b', 'a_b', 'a%EF%BF%BDb'],
  ])('of %j', (title, plain, encoded) => {
    expect(attachment(title, 'bplist')).toBe(
      `attachment; filename="${plain}.bplist"; filename*=UTF-8''${encoded}.bplist`,
    )
  })

  test('is a header of its form and a name that can be stored, whatever the title', () => {
    const form =
      /^attachment; filename="([A-Za-z0-9 !#$&'()+,.;=@[\]^_`{}~-]+)\.bplist"; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/
    const titles = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 250 }),
      fc.string({ maxLength: 250 }),
      fc.string({ unit: 'grapheme', maxLength: 250 }),
    )
    fc.assert(
      fc.property(titles, (title) => {
        const [, plain = '', encoded = ''] = form.exec(attachment(title, 'bplist')) ?? []
        const name = decodeURIComponent(encoded)
        expect(plain).not.toBe('')
        expect(plain).toMatch(/^[^. ].*$/)
        expect(name).toMatch(/^[^. /\\].*\.bplist$/u)
        expect(name).not.toMatch(/[/\\:"<>|?*\p{Cc}]/u)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      }),
      { numRuns: 500 },
    )
  })
})
