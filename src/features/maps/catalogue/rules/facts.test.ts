import { describe, expect, it, test } from 'vitest'
import type { Song, SongDifficulty } from '../../../../infra/clients/catalogue-songs.ts'
import { Unreachable, type UnreachableReason } from '../../../../infra/clients/http.ts'
import type { Answer, CatalogueMap, Difficulty, MapIdentity } from '../types.ts'
import { chooseDifficulty, chooseHighest } from './choosing.ts'
import { containsMore, type MapFacts, mapFacts, readsDifferently, sharedAnswer } from './facts.ts'
import { keptOf, led, withImportData } from './import-data.ts'
import { askAgainAt, consequenceOf, isFresh } from './memory.ts'

const hash = '1'.repeat(40)
const now = new Date('2026-05-01T12:00:00Z')
const earlier = new Date('2026-05-01T11:00:00Z')

function difficultyOf(name: string): SongDifficulty {
  const [difficulty = '', characteristic = 'Standard'] = name.split('/').toReversed()
  const numbers = {
    njs: 18,
    nps: 4.1,
    notes: 800,
    bombs: 3,
    obstacles: 4,
    maxScore: 700_000,
    starsA: 9.5,
    starsB: null,
  }
  return { characteristic, difficulty: difficulty as Difficulty, ...numbers, requirements: ['chroma'] }
}

function songOf(names: string, published = hash): Song {
  return {
    key: '1a2b3',
    hash: published,
    name: 'Song',
    subName: null,
    artist: 'Artist',
    mapper: 'Mapper',
    imageUrl: 'https://cdn.example.org/1.jpg',
    previewUrl: null,
    bpm: 174,
    durationSeconds: 200,
    rankedA: true,
    rankedB: false,
    ai: 'none',
    uploadedAt: '2026-01-01T00:00:00.000Z',
    difficulties: names === '' ? [] : names.split(' ').map(difficultyOf),
  }
}

const nameOf = (choice: { difficulty: string; characteristic: string } | null) =>
  choice && `${choice.characteristic}/${choice.difficulty}`

describe('the difficulty of a song that is meant', () => {
  it.each([
    ['Expert', null, null, 'Standard/Expert'],
    ['Expert ExpertPlus', null, null, 'missing'],
    ['Expert Lawless/Expert', null, null, 'missing'],
    ['Expert Lawless/Hard', null, 'lawless', 'Lawless/Hard'],
    ['Expert Lawless/Hard Lawless/Easy', null, 'LAWLESS', 'missing'],
    ['Expert Lawless/Expert', 'Expert', null, 'Standard/Expert'],
    ['Expert Lawless/Expert', 'Expert', 'lawLess', 'Lawless/Expert'],
    ['Easy Lawless/Expert', 'Expert', null, 'unknown'],
    ['Lawless/Expert Lawless/Easy', 'Expert', null, 'Lawless/Expert'],
    ['Lawless/Expert OneSaber/Expert', 'Expert', null, 'missing'],
    ['Expert', 'Hard', null, 'unknown'],
    ['Expert', 'Expert', 'OneSaber', 'unknown'],
    ['Expert', null, 'OneSaber', 'unknown'],
    ['', null, null, 'unknown'],
  ] as const)('of %j with the wish %j, %j is %j', (names, difficulty, characteristic, expected) => {
    const song = songOf(names)
    const chosen = chooseDifficulty(song, { difficulty, characteristic })
    expect(chosen.outcome === 'chosen' ? nameOf(chosen.choice) : chosen.outcome).toBe(expected)
    if (chosen.outcome !== 'chosen') expect(chosen.choices).toHaveLength(song.difficulties.length)
  })

  it.each([
    ['Easy ExpertPlus Expert Lawless/ExpertPlus', null, 'Standard/ExpertPlus'],
    ['Lawless/Easy Lawless/Hard OneSaber/ExpertPlus', null, 'Lawless/Hard'],
    ['OneSaber/ExpertPlus Easy', null, 'Standard/Easy'],
    ['Expert Lawless/Easy Lawless/Hard', 'lawless', 'Lawless/Hard'],
    ['Expert', 'lawless', null],
    ['', null, null],
  ])('the highest of %j (%j) is %j', (names, characteristic, expected) => {
    expect(nameOf(chooseHighest(songOf(names), characteristic))).toBe(expected)
  })
})

describe('what an answer makes of a map', () => {
  const identity: MapIdentity = { hash, characteristic: 'standard', difficulty: 'Expert' }
  const found = (song: Song): Answer => ({ outcome: 'found', song, answeredAt: earlier })

  it('knows the published version, in the catalogue’s spelling', () => {
    expect(mapFacts(identity, found(songOf('Easy Expert')), now)).toEqual({
      hash,
      characteristic: 'Standard',
      difficulty: 'Expert',
      state: 'known',
      currentHash: null,
      key: '1a2b3',
      name: 'Song',
      subName: null,
      artist: 'Artist',
      mapper: 'Mapper',
      imageUrl: 'https://cdn.example.org/1.jpg',
      previewUrl: null,
      bpm: 174,
      durationSeconds: 200,
      njs: 18,
      nps: 4.1,
      notes: 800,
      bombs: 3,
      obstacles: 4,
      maxScore: 700_000,
      starsA: 9.5,
      starsB: null,
      rankedA: true,
      rankedB: false,
      ai: 'none',
      requirements: ['chroma'],
      uploadedAt: new Date('2026-01-01T00:00:00Z'),
      checkedAt: earlier,
      askedInVain: 0,
      askAgainAt: null,
    })
  })

  it('takes a key for the map of all where the catalogue gave it, or publishes this version under it (D71)', () => {
    const byKey = (key: string) => ({ key, hashAnsweredAt: now })
    const other = songOf('Expert', '2'.repeat(40))
    const map = { guid: 'g', ...mapFacts(identity, found(other), now), requirements: [] } as CatalogueMap
    const lost = { outcome: 'unknown', answeredAt: now } as const
    const led = (key: string): Answer => ({ ...found(other), byKey: byKey(key) }) as Answer
    const gone = (key: string): Answer => ({ ...lost, answeredAt: earlier, byKey: byKey(key) })
    for (const make of [led, gone]) {
      expect(sharedAnswer(identity, make('1a2b3'), map)).toEqual(make('1a2b3'))
      expect(sharedAnswer(identity, make('abc'), map)).toEqual(lost)
      expect(sharedAnswer(identity, make('abc'), undefined)).toEqual(lost)
      expect(sharedAnswer(identity, make('abc'), { ...map, key: null })).toEqual(lost)
    }
    const same = { ...found(songOf('Expert')), byKey: byKey('abc') } as Answer
    expect(sharedAnswer(identity, same, undefined)).toEqual(same)
    expect(sharedAnswer(identity, found(other), undefined)).toEqual(found(other))
    expect(sharedAnswer(identity, { outcome: 'unreachable' }, map)).toEqual({ outcome: 'unreachable' })
  })

  it('is shown with what an import told where the catalogue says nothing (D71)', () => {
    const importedData = { key: 'abc', name: 'Imported', mapper: null }
    const kept = keptOf(null, importedData)
    const shown = (map: MapFacts, own = kept) => {
      const { state, currentHash, key, name, mapper } = withImportData({ guid: 'g', ...map } as CatalogueMap, own)
      return [state, currentHash, key, name, mapper]
    }
    const missing = mapFacts(identity, { outcome: 'unknown', answeredAt: earlier }, now)
    expect(shown(missing)).toEqual(['missing', null, 'abc', 'Imported', null])
    expect(shown(missing, null)).toEqual(['missing', null, null, null, null])
    expect(shown(mapFacts(identity, { outcome: 'unreachable' }, now))).toEqual([
      ...['unresolved', null, 'abc', 'Imported', null],
    ])
    const other = '2'.repeat(40)
    const byKey = { key: 'abc', hashAnsweredAt: earlier }
    const next = led(kept, { ...found(songOf('Expert', other)), byKey } as Answer)
    expect(shown(missing, next)).toEqual(['outdated', other, 'abc', 'Imported', 'Mapper'])
    expect(led(next, { outcome: 'unknown', answeredAt: now, byKey })).toEqual({ ...next, currentHash: null })
    expect(led(next, { outcome: 'unknown', answeredAt: now, byKey: { ...byKey, key: 'abd' } })).toEqual(next)
    expect(led(next, { outcome: 'unknown', answeredAt: now })).toEqual(next)
    const ofSong = ['1a2b3', 'Song', 'Mapper']
    expect(shown(mapFacts(identity, found(songOf('Expert')), now), next)).toEqual(['known', null, ...ofSong])
    const third = '3'.repeat(40)
    expect(shown(mapFacts(identity, found(songOf('Expert', third)), now), next)).toEqual(['outdated', third, ...ofSong])
    expect(keptOf(next, { key: 'abd', name: 'Renamed', mapper: null })).toEqual(next)
    expect(keptOf(null, { key: null, name: null, mapper: null })).toBeNull()
    expect(keptOf(next, null)).toEqual(next)
  })

  it('takes nothing from the difficulty of another version', () => {
    const facts = mapFacts(identity, found(songOf('Expert', '2'.repeat(40))), now)
    expect(facts).toMatchObject({ state: 'outdated', currentHash: '2'.repeat(40), name: 'Song', key: '1a2b3' })
    expect(facts).toMatchObject({ hash, njs: null, nps: null, notes: null, maxScore: null, starsA: null })
    expect(facts).toMatchObject({ requirements: null, checkedAt: earlier, askAgainAt: null })
  })

  it('misses a song that the catalogue has not, and a difficulty that the version lacks', () => {
    expect(mapFacts(identity, { outcome: 'unknown', answeredAt: earlier }, now)).toMatchObject({
      state: 'missing',
      name: null,
      checkedAt: earlier,
      askAgainAt: null,
    })
    expect(mapFacts(identity, found(songOf('Easy Lawless/Expert')), now)).toMatchObject({
      state: 'missing',
      name: 'Song',
      notes: null,
      currentHash: null,
    })
  })

  it('leaves open what the catalogue did not answer, and asks again in a minute', () => {
    expect(mapFacts(identity, { outcome: 'unreachable' }, now)).toMatchObject({
      state: 'unresolved',
      name: null,
      checkedAt: null,
      askedInVain: 1,
      askAgainAt: new Date('2026-05-01T12:01:00Z'),
    })
  })

  test('is told only where it says more than is known, and never by no answer or an older one', () => {
    const facts = mapFacts(identity, found(songOf('Expert')), now)
    const map = { guid: 'g', ...facts, requirements: [] } as CatalogueMap
    const open = mapFacts(identity, { outcome: 'unreachable' }, now)
    expect(containsMore(open, undefined)).toBe(true)
    expect(containsMore(open, map)).toBe(false)
    expect(containsMore(facts, { ...map, checkedAt: null })).toBe(true)
    expect(containsMore(facts, map)).toBe(false)
    expect(containsMore(facts, { ...map, checkedAt: now })).toBe(false)
    expect(containsMore(facts, { ...map, checkedAt: new Date(earlier.getTime() - 1) })).toBe(true)
    expect(readsDifferently(map, { ...map, checkedAt: now })).toBe(false)
    expect(readsDifferently(map, { ...map, state: 'missing' })).toBe(true)
    expect(readsDifferently(map, { ...map, starsB: 3 })).toBe(true)
  })
})

describe('the memory', () => {
  test.each([
    ['found', {}, 24 * 60],
    ['not found', null, 60],
  ])('counts what was %s for %j, %i minutes', (_, answer, minutes) => {
    const answeredAt = (ms: number) => new Date(now.getTime() - minutes * 60_000 + ms)
    expect(isFresh({ answer, answeredAt: answeredAt(1) }, now)).toBe(true)
    expect(isFresh({ answer, answeredAt: answeredAt(0) }, now)).toBe(false)
  })

  test.each([
    ['limited', 429, null, 1, 30_000],
    ['limited', 429, 7_000, 1, 7_000],
    ['limited', 429, 3_600_000, 1, 600_000],
    ['timeout', undefined, null, 1, 'again'],
    ['timeout', undefined, null, 2, 'again'],
    ['timeout', undefined, null, 3, 60_000],
    ['failing', 500, null, 2, 'again'],
    ['failing', 503, null, 3, 60_000],
    ['failing', 403, null, 1, 'none'],
    ['failing', 302, null, 1, 'none'],
    ['refused', undefined, null, 1, 'again'],
    ['reset', undefined, null, 3, 60_000],
    ['dns', undefined, null, 3, 60_000],
    ['invalid_answer', 200, null, 1, 'none'],
    ['too_large', undefined, null, 3, 'none'],
  ] as const)('after %s (%j, to wait %j ms) at try %i: %j', (reason, status, retryAfterMs, tries, expected) => {
    const details = { retryAfterMs, ...(status === undefined ? {} : { status }) }
    const failure = new Unreachable(reason satisfies UnreachableReason, 'catalogue.example', details)
    const consequence = consequenceOf(failure, tries)
    expect(consequence).toEqual(typeof expected === 'number' ? { kind: 'silence', ms: expected } : { kind: expected })
  })

  test('unresolved maps are asked for after 1, 5 and 30 minutes, then hourly', () => {
    const minutes = [1, 2, 3, 4, 5, 100].map((times) => (askAgainAt(times, now).getTime() - now.getTime()) / 60_000)
    expect(minutes).toEqual([1, 5, 30, 60, 60, 60])
  })
})
