import { describe, expect, it } from 'vitest'
import { readCharacteristic, readDifficulty, readLine, readReference } from './references.ts'

const hash = 'abcdef0123456789abcdef0123456789abcdef01'

describe('a reference', () => {
  it.each([
    ['1a2b3', { kind: 'key', key: '1a2b3' }],
    ['  1A2B3\t', { kind: 'key', key: '1a2b3' }],
    ['f', { kind: 'key', key: 'f' }],
    ['0', { kind: 'key', key: '0' }],
    ['ffffffff', { kind: 'key', key: 'ffffffff' }],
    // Digits alone could also be the number of a leaderboard, but that needs a link.
    ['12345678', { kind: 'key', key: '12345678' }],
    ['dead', { kind: 'key', key: 'dead' }],
    ['001a2b3', { kind: 'key', key: '1a2b3' }],
    ['!bsr 1a2b3', { kind: 'key', key: '1a2b3' }],
    ['!BSR   1A2B3', { kind: 'key', key: '1a2b3' }],
    [hash, { kind: 'hash', hash }],
    [hash.toUpperCase(), { kind: 'hash', hash }],
    [`custom_level_${hash.toUpperCase()}`, { kind: 'hash', hash }],
    [`CUSTOM_LEVEL_${hash}`, { kind: 'hash', hash }],
    ['https://beatsaver.com/maps/1a2b3', { kind: 'key', key: '1a2b3' }],
    ['http://BeatSaver.com/maps/1A2B3/', { kind: 'key', key: '1a2b3' }],
    ['https://www.beatsaver.com/maps/1a2b3?from=x#comments', { kind: 'key', key: '1a2b3' }],
    ['beatsaver.com/maps/1a2b3', { kind: 'key', key: '1a2b3' }],
    ['https://beatsaver.com:443/maps/1a2b3', { kind: 'key', key: '1a2b3' }],
    ['https://beatsaver.com/playlists/7654', { kind: 'playlist', id: '7654' }],
    ['https://www.beatsaver.com/playlists/007654/', { kind: 'playlist', id: '7654' }],
    ['https://scoresaber.com/leaderboard/412345', { kind: 'leaderboardA', id: '412345' }],
    ['https://www.scoresaber.com/leaderboard/412345?page=3', { kind: 'leaderboardA', id: '412345' }],
    ['https://beatleader.com/leaderboard/1a2b391', { kind: 'leaderboardB', id: '1a2b391' }],
    ['https://www.beatleader.com/leaderboard/global/1a2b3x91', { kind: 'leaderboardB', id: '1a2b3x91' }],
    ['https://beatleader.xyz/leaderboard/global/1a2b391/2', { kind: 'leaderboardB', id: '1a2b391' }],
  ])('is read from %j', (text, reference) => {
    expect(readReference(text)).toEqual({ ok: true, value: reference })
  })

  it.each([
    '',
    ' ',
    '!bsr',
    '!bsr 1a2b3 Expert',
    '123456789',
    '1a2b3g',
    `${hash}0`,
    hash.slice(1),
    `custom_level_${hash} WIP`,
    'custom_level_1a2b3',
    'Song 2',
    '1a2b3\u0000',
    '１a2b3',
    'https://beatsaver.com/maps/',
    'https://beatsaver.com/maps/123456789',
    'https://beatsaver.com/maps/1a2b3/extra',
    'https://beatsaver.com/maps/%31a2b3',
    'https://beatsaver.com/MAPS/1a2b3',
    'https://beatsaver.com/playlists/1a2b3',
    'https://beatsaver.com/profile/58',
    'https://api.beatsaver.com/maps/1a2b3',
    'https://beatsaver.com.example.org/maps/1a2b3',
    'https://notbeatsaver.com/maps/1a2b3',
    'https://beatsaver.com./maps/1a2b3',
    'https://beatsaver.com:8443/maps/1a2b3',
    'https://beatsaver.com@example.org/maps/1a2b3',
    'https://user:secret@beatsaver.com/maps/1a2b3',
    'https://example.org/https://beatsaver.com/maps/1a2b3',
    'https:\\\\beatsaver.com\\maps\\1a2b3',
    'https://beatsaver.com/maps/1a\n2b3',
    'https://beаtsaver.com/maps/1a2b3',
    'ftp://beatsaver.com/maps/1a2b3',
    'javascript:alert(1)//beatsaver.com/maps/1a2b3',
    'file:///maps/1a2b3',
    'http://127.0.0.1/maps/1a2b3',
    'http://[::1]/maps/1a2b3',
    'https://beatleader.com/maps/1a2b3',
    'https://scoresaber.com/leaderboard/1a2b3',
    'https://scoresaber.com/u/76561198000000001',
    'https://beatleader.com/leaderboard/global/',
    'https://beatleader.com/leaderboard/../u/1',
    'https://beatleader.net/leaderboard/1a2b391',
    `https://beatsaver.com/maps/1a2b3?${'x'.repeat(500)}`,
    'a'.repeat(100_000),
  ])('is not read from %j', (text) => {
    const read = readReference(text)
    expect(read).toEqual({ ok: false, reason: expect.stringMatching(/^must /) })
    // The reason must not repeat the input, because reasons are shown to others, too.
    if (!read.ok) expect(read.reason).not.toContain('example.org')
  })
})

describe('a difficulty', () => {
  it.each([
    ['Easy', 'Easy'],
    ['nORMAL', 'Normal'],
    ['hard', 'Hard'],
    ['expert', 'Expert'],
    ['Expert+', 'ExpertPlus'],
    ['expertPlus', 'ExpertPlus'],
    [' ExpertPlus ', 'ExpertPlus'],
    ['9', 'ExpertPlus'],
    [1, 'Easy'],
    [3, 'Normal'],
    [5, 'Hard'],
    [7, 'Expert'],
    [9, 'ExpertPlus'],
  ])('is read from %j', (given, difficulty) => {
    expect(readDifficulty(given)).toEqual({ ok: true, value: difficulty })
  })

  it.each([
    '',
    'Expert++',
    'Expert Plus',
    '2',
    '11',
    '09',
    '1.0',
    0,
    2,
    -1,
    1.5,
    Number.NaN,
    'constructor',
    '__proto__',
  ])('is not read from %j', (given) => {
    expect(readDifficulty(given)).toEqual({
      ok: false,
      reason: 'must be one of Easy, Normal, Hard, Expert, ExpertPlus',
    })
  })
})

describe('a characteristic', () => {
  it.each(['Standard', 'OneSaber', '90Degree', 'my_mode', 'x'.repeat(32)])('is read from %j', (name) => {
    expect(readCharacteristic(name)).toEqual({ ok: true, value: name })
  })
  it.each(['', 'One Saber', 'ä', 'x'.repeat(33), '<b>'])('is not read from %j', (name) => {
    expect(readCharacteristic(name).ok).toBe(false)
  })
})

describe('a line of an import', () => {
  const key = { kind: 'key', key: '1a2b3' }
  it.each([
    ['1a2b3', key, null, null],
    ['1a2b3 Expert+', key, 'ExpertPlus', null],
    ['1a2b3\t9   lawless', key, 'ExpertPlus', 'lawless'],
    ['!bsr 1a2b3 hard OneSaber', key, 'Hard', 'OneSaber'],
    // The first word is always the reference, even if it could be something else.
    ['9', { kind: 'key', key: '9' }, null, null],
    ['9 9', { kind: 'key', key: '9' }, 'ExpertPlus', null],
    ['\ufeffhttps://beatsaver.com/maps/1a2b3 Easy', key, 'Easy', null],
    [`custom_level_${hash} 7`, { kind: 'hash', hash }, 'Expert', null],
  ])('is read from %j', (text, reference, difficulty, characteristic) => {
    expect(readLine(text)).toEqual({ ok: true, value: { reference, difficulty, characteristic } })
  })

  it.each([
    ['', /^must name a map/],
    ['nothing Expert', /^must be a key, a hash/],
    ['1a2b3 Extreme', /^has the difficulty "Extreme", which must be one of/],
    ['1a2b3 Standard', /^has the difficulty "Standard"/],
    ['1a2b3 Expert Ünique', /^has the characteristic "Ünique", which must be/],
    ['1a2b3 Expert Standard and more', /nothing behind them$/],
    ['!bsr', /^must be a key/],
    [`1a2b3 ${'x'.repeat(1_000)}`, /^must not be longer than 500/],
  ])('is not read from %j', (text, reason) => {
    expect(readLine(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  })
})
