import { describe, expect, test } from 'vitest'
import {
  type Bytes,
  hash,
  head,
  heading,
  int,
  level,
  map,
  msg,
  parameters,
  str,
  written,
} from '../../../../../test/wire-bytes.ts'
import type { Ask, Order, Parameters } from '../messages.ts'
import { encode } from './codec.ts'

describe('what is sent', () => {
  const request = (field: number, ...parts: readonly Bytes[]) => [...head, ...msg(8, msg(field, ...parts))]
  /** The codec makes the GUIDs of new records; no other text in these messages looks like one. */
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
        type: 'showPrompt',
        promptId: 'q1',
        title: 'Ready?',
        text: 'Press',
        seconds: 30,
        to: ['u1'],
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
      hash,
      characteristic: 'Standard',
      difficulty: 'Easy',
      name: 'Song',
      modifiers: [],
      playerOptions: [],
      disablePause: false,
      disableFail: false,
      disableScoreSubmission: false,
      showScoreboard: false,
      disableCustomNotesOnStream: false,
      target: 0,
      attempts: 0,
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
