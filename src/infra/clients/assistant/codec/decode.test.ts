import { describe, expect, test } from 'vitest'
import {
  type Bytes,
  double,
  float,
  floats,
  hash,
  int,
  level,
  map,
  msg,
  parameters,
  str,
  written,
} from '../../../../../test/wire-bytes.ts'
import type { Details, Told } from '../messages.ts'
import { decode } from './codec.ts'

const expectation = { tournament: 't1', hasJoined: true }
const told = (...packet: readonly Bytes[]): Told =>
  decode(Uint8Array.from([...str(1, 'x'), ...str(2, 'p9'), ...str(3, 'server'), ...packet.flat()]), expectation)

describe('what is told', () => {
  const user = [
    ...[str(1, 'u1'), str(2, 'Alice'), str(3, '765'), int(6, 2), int(7, 3), str(8, 'ModA'), str(8, 'ModB')],
    ...[msg(9, int(1, 5)), int(10, 1500), msg(12, str(1, 'd'))],
  ]
  const alice = {
    guid: 'u1',
    name: 'Alice',
    platformId: '765',
    clientType: 'player',
    playState: 'game',
    downloadState: 'error',
    mods: ['ModA', 'ModB'],
    streamDelayMs: 1500,
  }
  const held = { guid: 'x1', hash, levelId: level, characteristic: 'Standard', difficulty: 'ExpertPlus', name: 'Song' }
  const listed = { ...held, parameters }
  const match = [str(1, 'm1'), str(2, 'u1'), str(2, 'u1'), str(3, 'u1'), msg(4, ...map('x1'))]
  const ourMatch = { guid: 'm1', users: ['u1', 'u1'], leader: 'u1', map: held }
  const event = [str(1, 'e1'), str(2, 'Event'), msg(5, ...map('x1')), int(6, 1), int(7, 3)]
  const ourEvent = { guid: 'e1', name: 'Event', maps: [listed] }
  const pool = [str(1, 'o1'), str(2, 'Pool'), msg(4, ...map('x1'))]
  const tournament = (guid: string) => [
    str(1, guid),
    msg(2, str(1, 'Cup'), msg(8, ...pool), str(13, 'tournament:join'), str(13, 'tournament:match:create_match')),
    msg(3, ...user),
    msg(4, ...match),
    msg(5, ...event),
  ]
  const cup = (guid: string) => ({
    guid,
    name: 'Cup',
    users: [alice],
    matches: [ourMatch],
    qualifiers: [ourEvent],
    pools: [{ guid: 'o1', name: 'Pool', maps: [listed] }],
    permissions: ['tournament:join', 'tournament:match:create_match'],
  })
  const row = [
    ...[str(1, 'e1'), str(2, 'x1'), str(3, '765'), str(4, 'Alice'), int(5, 900), int(6, 950), int(7, 1000)],
    ...[double(8, 0.95), int(9, 1), int(10, 2), int(11, 97), int(12, 50), int(13, 1), int(14, 1), str(15, '#fff')],
  ]
  const entry = {
    eventGuid: 'e1',
    mapGuid: 'x1',
    platformId: '765',
    name: 'Alice',
    score: 950,
    maxScore: 1000,
    accuracy: 0.95,
    misses: 1,
    badCuts: 2,
    goodCuts: 97,
    maxCombo: 50,
    fullCombo: true,
    isPlaceholder: true,
  }

  describe('answers', () => {
    const success = int(1, 1)
    const answer = (...parts: readonly Bytes[]) => told(msg(9, ...parts))
    const details: readonly (readonly [string, readonly Bytes[], boolean, string, Details])[] = [
      ['nothing more', [success], true, '', { type: 'none' }],
      [
        'connect',
        [
          success,
          msg(14, msg(1, msg(1, ...tournament('t1')), msg(1, ...tournament('t2'))), int(2, 1310), str(3, 'Hi')),
        ],
        true,
        'Hi',
        { type: 'connect', serverVersion: 1310, wrongVersion: false, tournaments: [cup('t1'), cup('t2')] } as Details,
      ],
      [
        'another version',
        [msg(14, int(2, 1320), str(3, 'Old'))],
        false,
        'Old',
        { type: 'connect', serverVersion: 1320, wrongVersion: true, tournaments: [] },
      ],
      [
        'a reason of a newer server',
        [msg(14, int(2, 1310), int(4, 7))],
        false,
        '',
        { type: 'connect', serverVersion: 1310, wrongVersion: false, tournaments: [] },
      ],
      [
        'join',
        [
          success,
          msg(15, msg(1, msg(1, ...tournament('t2')), msg(1, ...tournament('t1'))), str(2, 'me'), str(3, 't1')),
        ],
        true,
        '',
        { type: 'join', selfGuid: 'me', wrongPassword: false, tournament: cup('t1') } as Details,
      ],
      [
        'a wrong password',
        [msg(15, str(4, 'No'))],
        false,
        'No',
        { type: 'join', selfGuid: '', wrongPassword: true, tournament: null },
      ],
      [
        'a match that was made',
        [success, msg(4, str(1, 'Made'), msg(2, ...match))],
        true,
        'Made',
        { type: 'match', match: ourMatch } as Details,
      ],
      [
        'a match that changed',
        [success, msg(5, msg(2, ...match))],
        true,
        '',
        { type: 'match', match: ourMatch } as Details,
      ],
      ['a match that is gone', [success, msg(6)], true, '', { type: 'match', match: null }],
      ['a board', [success, msg(16, msg(1, ...row))], true, '', { type: 'board', entries: [entry] }],
      ['an empty board', [success, msg(16)], true, '', { type: 'board', entries: [] }],
      [
        'a loaded song',
        [success, msg(17, str(1, level), str(2, 'Ok'))],
        true,
        'Ok',
        { type: 'loadSong', levelId: level },
      ],
      ['a prompt', [success, msg(19, str(1, 'ready'))], true, '', { type: 'prompt', value: 'ready' }],
      [
        'pools',
        [success, msg(11, str(1, 'Ok'), msg(2, ...tournament('t1')))],
        true,
        'Ok',
        { type: 'pools', tournament: cup('t1') } as Details,
      ],
      [
        'a qualifier',
        [success, msg(8, msg(2, ...event))],
        true,
        '',
        { type: 'qualifier', qualifier: ourEvent } as Details,
      ],
      [
        'a missing permission',
        [msg(30, str(1, 'tournament:player:play_song'), str(2, 'viewer'), str(3, 'tournament:join'))],
        false,
        '',
        { type: 'permission', required: 'tournament:player:play_song' },
      ],
      ['a refund', [success, msg(29, str(1, 'Done'))], true, 'Done', { type: 'none' }],
      ['what we never ask for', [success, msg(27, str(1, 'bot token'))], true, '', { type: 'none' }],
      ['a type of a newer server', [int(1, 9)], false, '', { type: 'none' }],
    ]
    test.each(details)('%s', (_name, parts, ok, message, expected) => {
      const [first = [], ...rest] = parts
      const isTyped = first[0] === 8
      const inOrder = isTyped ? [first, str(2, 'p1'), ...rest] : [str(2, 'p1'), ...parts]
      expect(answer(...inOrder)).toEqual({ type: 'answer', to: 'p1', from: 'server', ok, message, details: expected })
    })

    test('of a player come under the player’s name', () => {
      const bytes = Uint8Array.from([...str(3, 'u1'), ...msg(9, success, str(2, 'p1'), msg(17, str(1, level)))])
      expect(decode(bytes, expectation)).toMatchObject({ type: 'answer', from: 'u1', to: 'p1' })
    })

    test('texts are plain and at most 200 long, whatever the server sends', () => {
      const long = `a\u0000\u001bb\u009f${'😀'.repeat(150)}`
      const { message } = answer(success, msg(29, str(1, long))) as { message: string }
      expect(message).toMatch(/^a {2}b (😀)+$/u)
      expect(message.length).toBeLessThanOrEqual(200)
      expect(message.isWellFormed()).toBe(true)
    })
  })

  describe('changes', () => {
    const changed = (field: number, inTournament: string, content: readonly Bytes[]) =>
      told(msg(10, msg(field, str(1, inTournament), msg(2, ...content))))
    test.each([
      [1, 'added'],
      [2, 'updated'],
      [3, 'left'],
    ])('user %i %s', (field, change) => {
      expect(changed(field, 't1', user)).toEqual({ type: 'user', change, user: alice })
      expect(changed(field, 't2', user)).toEqual({ type: 'other' })
    })
    test.each([
      [6, 'created'],
      [7, 'updated'],
      [8, 'deleted'],
    ])('match %i %s', (field, change) => {
      expect(changed(field, 't1', match)).toEqual({ type: 'match', change, match: ourMatch })
      expect(changed(field, 't2', match)).toEqual({ type: 'other' })
    })
    test('without their object are nothing', () => {
      expect(told(msg(10, msg(1, str(1, 't1'))))).toEqual({ type: 'other' })
      expect(told(msg(10, msg(7, str(1, 't1'))))).toEqual({ type: 'other' })
    })
    test('of qualifiers, tournaments and servers are nothing to us', () => {
      for (const field of [9, 10, 11, 12, 13, 14, 15, 16]) expect(told(msg(10, msg(field)))).toEqual({ type: 'other' })
    })
    test('a match without a map, and one whose map does not say what it is', () => {
      expect(changed(7, 't1', [str(1, 'm1')])).toMatchObject({ match: { map: null, users: [], leader: '' } })
      expect(changed(7, 't1', [str(1, 'm1'), msg(4, str(1, 'x1'))])).toMatchObject({ match: { map: null } })
    })
    test.each([
      [[int(4, 1), int(6, 1), int(7, 1)], { clientType: 'socket', playState: 'waiting', downloadState: 'downloading' }],
      [[int(4, 2), int(6, 0), int(7, 2)], { clientType: 'rest', playState: 'menu', downloadState: 'downloaded' }],
      [[], { clientType: 'player', playState: 'menu', downloadState: 'none' }],
      [[int(4, 9), int(6, 9), int(7, -1)], { clientType: null, playState: null, downloadState: null }],
    ])('states of users %#', (states, expected) => {
      expect(changed(2, 't1', states)).toMatchObject({ user: expected })
    })
  })

  describe('levels', () => {
    const withLevel = (levelId: string, difficulty: number) =>
      told(
        msg(
          10,
          msg(7, str(1, 't1'), msg(2, str(1, 'm1'), msg(4, msg(2, msg(1, str(2, levelId), int(4, difficulty)))))),
        ),
      )
    test.each([
      [level, hash],
      [`custom_level_${hash}`, hash],
      ['BeatSaber', null],
      [`${level} WIP`, null],
      ['custom_level_AB12', null],
    ])('%s', (levelId, expected) => {
      expect(withLevel(levelId, 4)).toMatchObject({ match: { map: { levelId, hash: expected } } })
    })
    test.each([
      [0, 'Easy'],
      [1, 'Normal'],
      [2, 'Hard'],
      [3, 'Expert'],
      [4, 'ExpertPlus'],
      [5, null],
      [-1, null],
    ])('difficulty %i', (number, difficulty) => {
      expect(withLevel(level, number)).toMatchObject({ match: { map: { difficulty } } })
    })
  })

  test('live scores', () => {
    const hand = (hits: number) => [int(1, hits), int(2, 2), int(3, 3), floats(4, 70, 14.5, 30)]
    const score = [
      ...[str(1, 'u1'), int(2, 1000), int(3, 900), int(4, 2000), int(5, 1800), int(6, 40), float(7, 0.5)],
      ...[double(8, 0.875), float(9, 12.5), int(10, 1), int(11, 2), int(12, 3), int(13, 4), int(14, 41)],
      ...[msg(15, ...hand(20)), msg(16, ...hand(21)), msg(17, int(1, 1_700_000_000)), msg(18, int(1, 1_700_000_000))],
    ]
    expect(told(msg(7, msg(1, ...score)))).toEqual({
      type: 'score',
      user: 'u1',
      score: 1000,
      modifiedScore: 900,
      maxScore: 2000,
      accuracy: 0.875,
      combo: 40,
      maxCombo: 41,
      misses: 1,
      badCuts: 2,
      bombHits: 3,
      wallHits: 4,
      health: 0.5,
      songTime: 12.5,
      left: { hits: 20, misses: 2, badCuts: 3, cut: [70, 14.5, 30] },
      right: { hits: 21, misses: 2, badCuts: 3, cut: [70, 14.5, 30] },
    })
  })

  test('live scores without hands, with unwhole ones, and with what is no number', () => {
    expect(told(msg(7, msg(1, str(1, 'u1'))))).toMatchObject({ score: 0, left: null, right: null })
    const hands = [msg(15, int(1, 1)), msg(16, floats(4, 1, 2, Number.NaN))]
    expect(told(msg(7, msg(1, double(8, Number.NaN), float(9, Number.POSITIVE_INFINITY), ...hands)))).toMatchObject({
      accuracy: 0,
      songTime: 0,
      left: { hits: 1, cut: null },
      right: { hits: 0, cut: null },
    })
  })

  const beatmap = msg(2, str(1, 'Song'), str(2, level), msg(3, str(1, 'OneSaber')), int(4, 3))
  test('a finished song', () => {
    const push = [
      ...[msg(1, ...user), beatmap, int(3, 1), int(4, 5000), int(5, 1), int(6, 2), int(7, 300), float(8, 99.5)],
      ...[str(9, 't2'), str(10, 'm9'), int(11, 6000), double(12, 0.75)],
    ]
    expect(told(msg(7, msg(2, ...push)))).toEqual({
      type: 'finished',
      player: { guid: 'u1', platformId: '765', name: 'Alice', mods: ['ModA', 'ModB'] },
      levelId: level,
      hash,
      characteristic: 'OneSaber',
      difficulty: 'Expert',
      completion: 'failed',
      score: 5000,
      maxScore: 6000,
      accuracy: 0.75,
      misses: 1,
      badCuts: 2,
      goodCuts: 300,
      endTime: 99.5,
      // The caller decides which match the song belongs to. (AS16)
      tournament: 't2',
      match: 'm9',
    })
  })

  test('a finished song of a client that says little', () => {
    expect(told(msg(7, msg(2, msg(1, str(1, 'u1')))))).toEqual({
      type: 'finished',
      player: { guid: 'u1', platformId: '', name: '', mods: [] },
      levelId: '',
      hash: null,
      characteristic: '',
      difficulty: null,
      completion: 'passed',
      score: 0,
      maxScore: null,
      accuracy: null,
      misses: 0,
      badCuts: 0,
      goodCuts: 0,
      endTime: 0,
      tournament: null,
      match: null,
    })
    expect(told(msg(7, msg(2, int(3, 2))))).toMatchObject({ completion: 'quit' })
    expect(told(msg(7, msg(2, int(3, 3))))).toEqual({ type: 'other' })
    // -1 takes ten bytes.
    expect(told(msg(7, msg(2, int(4, -1))))).toMatchObject({ score: -1 })
  })

  test('an attempt in a qualifier', () => {
    const push = (inTournament: string) =>
      msg(7, msg(3, str(1, inTournament), msg(2, ...event), msg(3, ...written()), msg(4, ...row)))
    expect(told(push('t1'))).toEqual({ type: 'attempt', tournament: 't1', event: 'e1', map: held, entry })
    expect(told(push('t2'))).toEqual({ type: 'other' })
    expect(told(msg(7, msg(3, str(1, 't1'))))).toEqual({ type: 'other' })
    expect(told(msg(7, msg(3, str(1, 't1'), msg(2, str(1, 'e2')), msg(4))))).toMatchObject({ event: 'e2', map: null })
  })

  test('a refused token', () => {
    expect(told(msg(6, str(9, 'https://sign-in.example')))).toEqual({ type: 'unauthorised' })
    expect(told(msg(6, int(2, 1)))).toEqual({ type: 'other' })
  })

  test('what is not known is ignored: packets, fields, and packets of other kinds', () => {
    expect(told()).toEqual({ type: 'other' })
    expect(told(int(11, 1))).toEqual({ type: 'other' })
    expect(told(msg(4, str(1, 'p1')))).toEqual({ type: 'other' })
    expect(told(msg(12, str(1, 'stream')))).toEqual({ type: 'other' })
    expect(told(msg(5, str(1, 'u1'), msg(2, msg(6, str(9, 'x')))))).toEqual({ type: 'other' })
    expect(told(msg(99, str(1, 'new')))).toEqual({ type: 'other' })
    expect(told(msg(7, msg(9, str(1, 'new'))))).toEqual({ type: 'other' })
    const known = changedWith([...str(50, 'new'), ...int(51, 7)])
    expect(known).toEqual({ type: 'user', change: 'added', user: alice })

    function changedWith(unknown: Bytes) {
      return told(msg(10, msg(1, str(1, 't1'), msg(2, ...user, unknown))), unknown)
    }
  })
})
