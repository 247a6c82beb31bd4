import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogueClient } from '../src/infra/clients/catalogue.ts'
import { readSong } from '../src/infra/clients/catalogue-songs.ts'
import { Unreachable } from '../src/infra/clients/http.ts'
import { type Harness, outcome, startHarness } from '../test/harness.ts'
import { makeTournament } from '../test/make.ts'
import { withInventedSongs } from './catalogue.ts'
import { inventedSongs } from './songs.ts'

/** The invented maps of a local installation. */

const songs = inventedSongs.map((record) => readSong(record))
const [first, second] = songs

test('the songs are all different, and everything is known of them', () => {
  expect(songs).toHaveLength(90)
  for (const member of ['key', 'hash', 'name'] as const) {
    expect(new Set(songs.map((song) => song?.[member])).size, member).toBe(90)
  }
  for (const song of songs) {
    expect(song).toMatchObject({
      key: expect.stringMatching(/^f00000[0-5][0-9a-f]$/),
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      name: expect.any(String),
      artist: expect.any(String),
      mapper: expect.any(String),
      bpm: expect.any(Number),
      difficulties: expect.arrayContaining([expect.objectContaining({ difficulty: 'ExpertPlus' })]),
    })
  }
  // Playlists contain these ids, so they must not change.
  expect([first?.key, first?.hash, first?.name]).toEqual([
    'f0000001',
    '4811173291de9377916e5b2045563b0f2a7b0686',
    'Paper Lanterns',
  ])
})

test('a name is asked for where it is', async () => {
  const asked: string[] = []
  let isThere = true
  const ask = async (names: readonly string[]) => {
    asked.push(names.join(','))
    if (!isThere) throw new Unreachable('timeout', 'catalogue')
    return new Map(names.map((name) => [name, null]))
  }
  const outside: CatalogueClient = {
    byHashes: ask,
    byKeys: ask,
    playlistPage: async () => null,
    ping: async () => {},
  }
  const client = withInventedSongs(outside)
  const [key = '', hash = '', otherHash = 'e'.repeat(40)] = [first?.key, second?.hash]
  expect(await client.byKeys([key])).toEqual(new Map([[key, first]]))
  expect(await client.byHashes([hash])).toEqual(new Map([[hash, second]]))
  expect(asked).toEqual([])

  expect(await client.byKeys(['1a2b', key, '3c'])).toEqual(
    new Map([
      [key, first],
      ['1a2b', null],
      ['3c', null],
    ]),
  )
  expect(await client.byHashes([otherHash])).toEqual(new Map([[otherHash, null]]))
  expect(asked).toEqual(['1a2b,3c', otherHash])

  isThere = false
  expect(await client.byHashes([otherHash, hash])).toEqual(new Map([[hash, second]]))
  await expect(client.byHashes([otherHash])).rejects.toThrow(Unreachable)
})

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

test('a pool takes them where nothing outside answers', async () => {
  const organiser = await api.user()
  const path = `/tournaments/${(await makeTournament(api, organiser)).guid}/pools`
  const pool = `${path}/${(await api.post(path, organiser, { name: 'Finals' })).body.guid}`
  const { key, hash, name } = { ...songs[2] }
  const added = await api.post(`${pool}/maps`, organiser, { ref: `!bsr ${key}`, difficulty: 'Hard' })
  expect([added.status, added.body.map]).toMatchObject([201, { hash, key, state: 'known', name }])
  const lacks = await api.post(`${pool}/maps`, organiser, { ref: first?.hash, difficulty: 'Easy' })
  expect(outcome(lacks)).toEqual([400, 'map.difficulty_unknown'])
})
