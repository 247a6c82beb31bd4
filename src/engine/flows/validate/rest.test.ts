import { describe, expect, test } from 'vitest'
import { type Cursor, next, pathOf, start, stepAt } from '../cursor.ts'
import { completeFlow, type Flow, type FlowInput, type PartInput, type StepInput } from '../flow.ts'
import { presets } from '../presets.ts'
import { placeOf, programOf } from './program.ts'
import { isDecidedWithout, type Rest } from './rest.ts'

const play: StepInput = { action: 'play' }
const pick = (more: Partial<StepInput> = {}): StepInput => ({ action: 'pick', actor: 'seat:1', ...more })
const loop = (...steps: PartInput[]): PartInput => ({ repeat: 'until_decided', steps })
const around = (seats: number) => ({
  isDecided: false,
  orderOf: () => Array.from({ length: seats }, (_, index) => index + 1),
})

test('a cursor stands at its step of the program, wherever it goes', () => {
  const nested = completeFlow({
    seats: 3,
    steps: [
      { action: 'roll' },
      { each: 'last_first', steps: [pick({ times: 2 }), { repeat: 2, steps: [pick({ actor: 'it' }), play] }] },
      { repeat: 3, steps: [{ each: 'lowest_seed_first', steps: [play] }, pick()] },
      { repeat: 'until_decided', steps: [pick(), { repeat: 2, steps: [play, pick({ times: 3 })] }] },
    ],
  })
  for (const flow of [nested, ...presets.map((preset) => preset.flow)]) {
    const program = programOf(flow)
    let cursor: Cursor = start(flow, around(flow.seats))
    let before = -1
    for (let turn = 0; turn < 150 && stepAt(flow, cursor) !== null; turn += 1) {
      const place = placeOf(flow, cursor)
      expect(program[place]).toMatchObject({ kind: 'turn', path: pathOf(cursor), step: stepAt(flow, cursor) })
      const isAgain = place <= before
      if (isAgain) expect(program.slice(before).some(({ kind }) => kind === 'again')).toBe(true)
      before = place
      cursor = next(flow, cursor, around(flow.seats))
    }
  }
})

describe('a level map may be given up where the rest is decided for sure', () => {
  const plain = (maps: number) => Array.from({ length: maps }, () => ({ flair: null, isTiebreaker: false }))
  const flagged = { flair: null, isTiebreaker: true }
  /** The cursor at the n-th play. */
  const behind = (flow: Flow, plays: number): Cursor => {
    let cursor = start(flow, around(2))
    for (let seen = 0; ; cursor = next(flow, cursor, around(2))) {
      if (stepAt(flow, cursor)?.action === 'play') seen += 1
      if (seen === plays) return cursor
    }
  }
  const base: Omit<Rest, 'cursor' | 'plays' | 'left'> = {
    isStepDone: true,
    queue: 0,
    takesOne: false,
    rolled: false,
    chosen: [],
    hasWinner: true,
    lost: [],
    choices: new Map(),
  }
  const picks = [loop(pick(), play)]
  const before = [pick({ times: 3 }), loop(play)]
  const loser = [loop(pick({ actor: ['lastMapLoser', 'rollWinner'] }), play)]
  const tiebreak = [
    loop({ action: 'tiebreaker', when: 'all_at_match_point' }, pick({ when: 'not_all_at_match_point' }), play),
  ]
  const clocked = [loop(pick({ seconds: 30, onTimeout: 'forfeit' }), pick({ actor: 'seat:2' }), play)]
  test.each<[string, readonly PartInput[], Partial<Rest>, boolean, Partial<FlowInput>?]>([
    ['as many maps as there may be plays', picks, { plays: 3, left: plain(3) }, true],
    ['one too few', picks, { plays: 3, left: plain(2) }, false],
    ['flagged ones are no maps to pick', picks, { plays: 3, left: [...plain(2), flagged] }, false],
    ['one that is drawn in its place', picks, { plays: 2, left: plain(3), takesOne: true }, true],
    ['of which there are too few', picks, { plays: 2, left: plain(2), takesOne: true }, false],
    ['enough in the play order', before, { plays: 2, left: plain(0), queue: 2 }, true],
    ['too few in the play order', before, { plays: 3, left: plain(9), queue: 2 }, false],
    ['the tiebreaker at match point', tiebreak, { plays: 2, left: [...plain(1), flagged] }, true],
    ['no tiebreaker left', tiebreak, { plays: 2, left: plain(5) }, false],
    ['no loser to pick', loser, { plays: 3, left: plain(9), hasWinner: false }, false],
    ['a roll winner instead', loser, { plays: 3, left: plain(9), hasWinner: false, rolled: true }, true],
    ['a loser', loser, { plays: 3, left: plain(9) }, true],
    ['picks that were lost', picks, { plays: 3, left: plain(9), lost: ['pick'] }, false],
    ['nothing more to be played', picks, { plays: 0, left: plain(0) }, true],
    ['a flow that ends', [{ repeat: 3, steps: [pick(), play] }], { plays: 3, left: plain(9) }, false],
    ['picks that may be lost', clocked, { plays: 2, left: plain(9) }, true],
  ])('%s', (_what, steps, rest, expected) => {
    const flow = completeFlow({ bestOf: 3, steps, rules: { tie: ['void'] } })
    expect(isDecidedWithout(flow, { ...base, cursor: behind(flow, 1), plays: 1, left: [], ...rest })).toBe(expected)
  })

  test('what limits exclude is what was chosen before, too', () => {
    const flow = completeFlow({ bestOf: 3, steps: [loop(pick({ limits: [{ other_flair_than: 'own_all' }] }), play)] })
    const left = ['tech', 'tech', 'speed', 'acc'].map((flair) => ({ flair, isTiebreaker: false }))
    const rest = { ...base, cursor: behind(flow, 1), plays: 2, left }
    expect(isDecidedWithout(flow, rest)).toBe(true)
    expect(isDecidedWithout(flow, { ...rest, choices: new Map([['pick', 2]]) })).toBe(false)
  })
})
