import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ask, Details, Order, Parameters, Told } from '../messages.ts'
import { decode, encode, MalformedPacket } from './codec.ts'

/** The codec against bytes that are written by hand after the numbers in docs/assistant/wire.md, never by the generated code. */

type Bytes = readonly number[]

function varint(value: number | bigint): Bytes {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return [...bytes, Number(rest)]
}

const delimited = (field: number, bytes: Bytes): Bytes => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes]
const int = (field: number, value: number | bigint): Bytes => [...varint(field * 8), ...varint(value)]
const str = (field: number, value: string): Bytes => delimited(field, [...new TextEncoder().encode(value)])
const msg = (field: number, ...parts: readonly Bytes[]): Bytes => delimited(field, parts.flat())
const floatBytes = (value: number): Bytes => [...new Uint8Array(new Float32Array([value]).buffer)]
const float = (field: number, value: number): Bytes => [...varint(field * 8 + 5), ...floatBytes(value)]
const double = (field: number, value: number): Bytes => [
  ...varint(field * 8 + 1),
  ...new Uint8Array(new Float64Array([value]).buffer),
]
const floats = (field: number, ...values: readonly number[]): Bytes => delimited(field, values.flatMap(floatBytes))

const heading = { token: 'secret', id: 'p1', from: 'me', tournament: 't1' }
const head = [...str(1, 'secret'), ...str(2, 'p1'), ...str(3, 'me')]
const hash = 'ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12'
const level = `custom_level_${hash.toUpperCase()}`

const parameters: Parameters = {
  hash,
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'Song',
  modifiers: ['NoFail', 'SuperFastSong'],
  playerOptions: ['LeftHanded', 'ArcsHapticFeedback'],
  disablePause: true,
  disableFail: false,
  disableScoreSubmission: true,
  showScoreboard: true,
  disableCustomNotesOnStream: true,
  target: 900_000,
  attempts: 3,
}
/** GameplayParameters of the same; `sync` stands between the last switches. */
const written = (sync: Bytes = []): readonly Bytes[] => [
  msg(1, str(1, 'Song'), str(2, level), msg(3, str(1, 'Standard')), int(4, 4)),
  msg(2, int(6, 1 + 1024)),
  msg(3, int(1, 1 + 262_144)),
  int(4, 3),
  int(5, 1),
  int(6, 1),
  int(8, 1),
  int(9, 1),
  sync,
  int(11, 900_000),
]
const map = (guid: string): readonly Bytes[] => [str(1, guid), msg(2, ...written())]

describe('what is sent', () => {
  const request = (field: number, ...parts: readonly Bytes[]) => [...head, ...msg(8, msg(field, ...parts))]
  /** GUIDs of what is new are made by the codec; nothing else in these messages looks like one. */
  type Expected = (fresh: string) => Bytes

  const asks: readonly (readonly [Ask, Expected])[] = [
    [{ type: 'connect', clientVersion: 1310 }, () => request(36, int(1, 1310), int(2, 1310))],
    [{ type: 'join', password: 'word' }, () => request(37, str(1, 't1'), str(2, 'word'))],
    [{ type: 'join', password: '' }, () => request(37, str(1, 't1'))],
    [
      { type: 'createMatch', users: ['u1', 'me'], leader: 'me' },
      () => request(2, str(1, 't1'), msg(2, str(2, 'u1'), str(2, 'me'), str(3, 'me'))),
    ],
    [{ type: 'addUser', match: 'm1', user: 'u1' }, () => request(3, str(1, 't1'), str(2, 'm1'), str(3, 'u1'))],
    [{ type: 'removeUser', match: 'm1', user: 'u1' }, () => request(4, str(1, 't1'), str(2, 'm1'), str(3, 'u1'))],
    [{ type: 'setLeader', match: 'm1', user: 'u1' }, () => request(5, str(1, 't1'), str(2, 'm1'), str(3, 'u1'))],
    [
      { type: 'setMap', match: 'm1', map: parameters },
      (fresh) => request(6, str(1, 't1'), str(2, 'm1'), msg(3, ...map(fresh))),
    ],
    [{ type: 'deleteMatch', match: 'm1' }, () => request(7, str(1, 't1'), str(2, 'm1'))],
    [
      { type: 'loadSong', hash, to: ['u1', 'u2'] },
      () => request(40, str(1, level), str(3, 't1'), str(4, 'u1'), str(4, 'u2')),
    ],
    [
      {
        ...{ type: 'showPrompt', promptId: 'q1', title: 'Ready?', text: 'Press', seconds: 30, to: ['u1'] },
        options: [
          { label: 'Ready', value: 'ready' },
          { label: 'Not yet', value: 'wait' },
        ],
      },
      () =>
        request(
          42,
          ...[str(1, 'q1'), str(2, 'Ready?'), str(3, 'Press'), int(4, 30), int(5, 1)],
          ...[msg(7, str(1, 'Ready'), str(2, 'ready')), msg(7, str(1, 'Not yet'), str(2, 'wait'))],
          ...[str(8, 't1'), str(9, 'u1')],
        ),
    ],
    [{ type: 'qualifierScores', event: 'e1', map: 'q1' }, () => request(38, str(1, 't1'), str(2, 'e1'), str(3, 'q1'))],
    [
      { type: 'refundAttempts', event: 'e1', map: 'q1', platformId: '765', count: 1 },
      () => request(58, str(1, 't1'), str(2, 'e1'), str(3, 'q1'), str(4, '765'), int(5, 1)),
    ],
    [{ type: 'addPool', name: 'Pool' }, (fresh) => request(28, str(1, 't1'), msg(2, str(1, fresh), str(2, 'Pool')))],
    [{ type: 'setPoolName', pool: 'o1', name: 'New' }, () => request(29, str(1, 't1'), str(2, 'o1'), str(3, 'New'))],
    [
      { type: 'addPoolMaps', pool: 'o1', maps: [parameters] },
      (fresh) => request(30, str(1, 't1'), str(2, 'o1'), msg(3, ...map(fresh))),
    ],
    [
      { type: 'updatePoolMap', pool: 'o1', mapGuid: 'x1', map: parameters },
      () => request(31, str(1, 't1'), str(2, 'o1'), msg(3, ...map('x1'))),
    ],
    [{ type: 'removePoolMap', pool: 'o1', mapGuid: 'x1' }, () => request(32, str(1, 't1'), str(2, 'o1'), str(3, 'x1'))],
    [
      { type: 'addQualifierMaps', event: 'e1', maps: [parameters] },
      (fresh) => request(14, str(1, 't1'), str(2, 'e1'), msg(3, ...map(fresh))),
    ],
    [
      { type: 'updateQualifierMap', event: 'e1', mapGuid: 'x1', map: parameters },
      () => request(15, str(1, 't1'), str(2, 'e1'), msg(3, ...map('x1'))),
    ],
    [
      { type: 'removeQualifierMap', event: 'e1', mapGuid: 'x1' },
      () => request(16, str(1, 't1'), str(2, 'e1'), str(3, 'x1')),
    ],
  ]

  const command = (before: Bytes, after: Bytes = []) => [
    ...head,
    ...msg(6, before, str(11, 't1'), str(12, 'u1'), str(12, 'u2'), after),
  ]
  const to = ['u1', 'u2']
  const orders: readonly (readonly [Order, Expected])[] = [
    [{ type: 'playSong', map: parameters, useSync: true, to }, () => command(msg(6, msg(1, ...written(int(10, 1)))))],
    [{ type: 'playSong', map: parameters, useSync: false, to }, () => command(msg(6, msg(1, ...written())))],
    [{ type: 'returnToMenu', to }, () => command(int(2, 1))],
    [{ type: 'delayTestFinish', to }, () => command(int(3, 1))],
    [{ type: 'modify', modifier: 'InvertColors', to }, () => command(msg(10))],
    [{ type: 'modify', modifier: 'InvertHandedness', to }, () => command(msg(10, int(1, 1)))],
    [{ type: 'modify', modifier: 'DisableBlueNotes', to }, () => command(msg(10, int(1, 2)))],
    [{ type: 'modify', modifier: 'DisableRedNotes', to }, () => command(msg(10, int(1, 3)))],
    [{ type: 'showColor', color: '#ff0000', to }, () => command([], msg(13, str(1, '#ff0000')))],
    [{ type: 'heartbeat' }, () => [...head, ...int(11, 1)]],
  ]

  test.each([...asks, ...orders].map(([message, expected]) => [message.type, message, expected] as const))(
    '%s',
    (_type, message, expected) => {
      const bytes = encode(message, heading)
      const [fresh = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(Buffer.from(bytes).toString('latin1')) ?? []
      expect([...bytes]).toEqual(expected(fresh))
    },
  )

  test('all that can be asked and ordered is tried', () => {
    expect(new Set(asks.map(([{ type }]) => type)).size).toBe(20)
    expect(new Set(orders.map(([{ type }]) => type)).size).toBe(6)
  })

  test('Easy, no options and no switches are what is not sent', () => {
    const plain: Parameters = {
      ...{ hash, characteristic: 'Standard', difficulty: 'Easy', name: 'Song', modifiers: [], playerOptions: [] },
      ...{ disablePause: false, disableFail: false, disableScoreSubmission: false, showScoreboard: false },
      ...{ disableCustomNotesOnStream: false, target: 0, attempts: 0 },
    }
    const beatmap = msg(1, str(1, 'Song'), str(2, level), msg(3, str(1, 'Standard')))
    const bytes = encode({ type: 'playSong', map: plain, useSync: false, to: ['u1'] }, heading)
    const expected = msg(6, msg(6, msg(1, beatmap, msg(2), msg(3))), str(11, 't1'), str(12, 'u1'))
    expect([...bytes]).toEqual([...head, ...expected])
  })

  test('names two maps apart', () => {
    const text = Buffer.from(encode({ type: 'addPoolMaps', pool: 'o', maps: [parameters, parameters] }, heading))
    const guids = text.toString('latin1').match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
    expect(new Set(guids).size).toBe(2)
  })

  test('an option that the assistant does not have is no option left out', () => {
    for (const modifiers of [['Nothing'], ['toString']]) {
      const map = { ...parameters, modifiers }
      expect(() => encode({ type: 'setMap', match: 'm', map }, heading)).toThrow(RangeError)
    }
  })
})

const expectation = { tournament: 't1', hasJoined: true }
const told = (...packet: readonly Bytes[]): Told =>
  decode(Uint8Array.from([...str(1, 'x'), ...str(2, 'p9'), ...str(3, 'server'), ...packet.flat()]), expectation)

describe('what is told', () => {
  const user = [
    ...[str(1, 'u1'), str(2, 'Alice'), str(3, '765'), int(6, 2), int(7, 3), str(8, 'ModA'), str(8, 'ModB')],
    ...[msg(9, int(1, 5)), int(10, 1500), msg(12, str(1, 'd'))],
  ]
  const alice = {
    ...{ guid: 'u1', name: 'Alice', platformId: '765', clientType: 'player', playState: 'game' },
    ...{ downloadState: 'error', mods: ['ModA', 'ModB'], streamDelayMs: 1500 },
  }
  const held = { guid: 'x1', hash, levelId: level, characteristic: 'Standard', difficulty: 'ExpertPlus', name: 'Song' }
  const match = [str(1, 'm1'), str(2, 'u1'), str(2, 'u1'), str(3, 'u1'), msg(4, ...map('x1'))]
  const ourMatch = { guid: 'm1', users: ['u1', 'u1'], leader: 'u1', map: held }
  const event = [str(1, 'e1'), str(2, 'Event'), msg(5, ...map('x1')), int(6, 1), int(7, 3)]
  const ourEvent = { guid: 'e1', name: 'Event', maps: [held] }
  const pool = [str(1, 'o1'), str(2, 'Pool'), msg(4, ...map('x1'))]
  const tournament = (guid: string) => [
    str(1, guid),
    msg(2, str(1, 'Cup'), msg(8, ...pool), str(13, 'tournament:join'), str(13, 'tournament:match:create_match')),
    msg(3, ...user),
    msg(4, ...match),
    msg(5, ...event),
  ]
  const cup = (guid: string) => ({
    ...{ guid, name: 'Cup', users: [alice], matches: [ourMatch], qualifiers: [ourEvent] },
    ...{ pools: [{ guid: 'o1', name: 'Pool', maps: [held] }] },
    permissions: ['tournament:join', 'tournament:match:create_match'],
  })
  const row = [
    ...[str(1, 'e1'), str(2, 'x1'), str(3, '765'), str(4, 'Alice'), int(5, 900), int(6, 950), int(7, 1000)],
    ...[double(8, 0.95), int(9, 1), int(10, 2), int(11, 97), int(12, 50), int(13, 1), int(14, 1), str(15, '#fff')],
  ]
  const entry = {
    ...{ eventGuid: 'e1', mapGuid: 'x1', platformId: '765', name: 'Alice', score: 950, maxScore: 1000 },
    ...{ accuracy: 0.95, misses: 1, badCuts: 2, goodCuts: 97, maxCombo: 50, fullCombo: true, isPlaceholder: true },
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
      ...{ type: 'score', user: 'u1', score: 1000, modifiedScore: 900, maxScore: 2000, accuracy: 0.875, combo: 40 },
      ...{ maxCombo: 41, misses: 1, badCuts: 2, bombHits: 3, wallHits: 4, health: 0.5, songTime: 12.5 },
      left: { hits: 20, misses: 2, badCuts: 3, cut: [70, 14.5, 30] },
      right: { hits: 21, misses: 2, badCuts: 3, cut: [70, 14.5, 30] },
    })
  })

  test('live scores without hands, with unwhole ones, and with what is no number', () => {
    expect(told(msg(7, msg(1, str(1, 'u1'))))).toMatchObject({ score: 0, left: null, right: null })
    const hands = [msg(15, int(1, 1)), msg(16, floats(4, 1, 2, Number.NaN))]
    expect(told(msg(7, msg(1, double(8, Number.NaN), float(9, Number.POSITIVE_INFINITY), ...hands)))).toMatchObject({
      ...{ accuracy: 0, songTime: 0 },
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
      ...{ levelId: level, hash, characteristic: 'OneSaber', difficulty: 'Expert', completion: 'failed', score: 5000 },
      ...{ maxScore: 6000, accuracy: 0.75, misses: 1, badCuts: 2, goodCuts: 300, endTime: 99.5 },
      // Whose it is, is judged by whoever knows the open play. (AS16)
      ...{ tournament: 't2', match: 'm9' },
    })
  })

  test('a finished song of a client that says little', () => {
    expect(told(msg(7, msg(2, msg(1, str(1, 'u1')))))).toEqual({
      type: 'finished',
      player: { guid: 'u1', platformId: '', name: '', mods: [] },
      ...{ levelId: '', hash: null, characteristic: '', difficulty: null, completion: 'passed', score: 0 },
      ...{ maxScore: null, accuracy: null, misses: 0, badCuts: 0, goodCuts: 0, endTime: 0 },
      ...{ tournament: null, match: null },
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

describe('bytes that are no packet', () => {
  test('are refused by the codec’s own error, which says nothing of them', () => {
    for (const bytes of [[0xff], [10, 5, 1], [0x0b, 0x0b], [7], str(1, 'x').slice(0, -1)]) {
      expect(() => decode(Uint8Array.from(bytes), expectation)).toThrow(new MalformedPacket('not protobuf'))
    }
  })

  test('no bytes do anything else', () => {
    const packets = [
      encode({ type: 'setMap', match: 'm', map: parameters }, heading),
      Uint8Array.from([...head, ...msg(9, int(1, 1), msg(15, msg(1, msg(1, str(1, 't1')))))]),
      Uint8Array.from([...head, ...msg(7, msg(1, str(1, 'u'), msg(15, floats(4, 1, 2, 3))))]),
    ]
    const changed = fc
      .tuple(fc.constantFrom(...packets), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }), fc.nat(400))
      .map(([packet, changes, length]) => {
        const bytes = packet.slice(0, Math.max(1, length))
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        return bytes
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), changed), (bytes) => {
        try {
          expect(decode(bytes, expectation)).toHaveProperty('type')
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('packets within packets do not exhaust the stack', () => {
    let bytes: Bytes = []
    for (let depth = 0; depth < 300; depth++) bytes = msg(5, msg(2, bytes))
    expect(() => decode(Uint8Array.from(bytes), expectation)).toThrow(MalformedPacket)
  })

  test('up to 1 MiB is read, and 16 MiB before we have joined', () => {
    const mebibyte = 1024 * 1024
    const sized = (length: number) => {
      // One field that is not known: a tag of two bytes, a length of four, and the rest.
      const bytes = new Uint8Array(length)
      const start = [...varint(99 * 8 + 2), ...varint(length)]
      bytes.set([...varint(99 * 8 + 2), ...varint(length - start.length)])
      return bytes
    }
    expect(decode(sized(mebibyte), expectation)).toEqual({ type: 'other' })
    expect(() => decode(sized(mebibyte + 1), expectation)).toThrow(new MalformedPacket('too large'))
    expect(decode(sized(16 * mebibyte), { ...expectation, hasJoined: false })).toEqual({ type: 'other' })
    expect(() => decode(sized(16 * mebibyte + 1), { ...expectation, hasJoined: false })).toThrow(MalformedPacket)
  })
})
