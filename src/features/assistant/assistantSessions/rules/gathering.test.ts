import { expect, test } from 'vitest'
import { gathered } from './gathering.ts'
import type { Effect, FinishFacts } from './machine.ts'

const factsOf = (userGuid: string): FinishFacts => ({
  userGuid,
  side: 1,
  score: 1,
  maxScore: null,
  accuracy: null,
  misses: 0,
  badCuts: 0,
  goodCuts: 0,
  maxCombo: null,
  completion: 'passed',
  endTime: null,
  mods: [],
  warnings: [],
})
const finish = (user: string, play = 'p') => ({ type: 'finish', play, finish: factsOf(user) }) as const
const propose = (isComplete: boolean, warnings: readonly string[] = [], play = 'p') =>
  ({ type: 'propose', play, isComplete, warnings }) as const
const live = (user: string) => ({ type: 'live', user, value: { score: null, state: 'finished' } }) as const
const save = { type: 'save' } as const
const over = { type: 'playState', play: 'p', state: 'finished' } as const

const cases: readonly (readonly [string, readonly Effect[], ReturnType<typeof gathered>])[] = [
  ['nothing', [], []],
  [
    'one result',
    [finish('a'), live('a'), propose(false), save],
    [{ type: 'results', finishes: [finish('a')], proposals: [propose(false)] }, live('a'), save],
  ],
  [
    'several, before anything of them is shown',
    [finish('a'), live('a'), propose(false), save, finish('b'), live('b'), propose(true), over, save],
    [
      { type: 'results', finishes: [finish('a'), finish('b')], proposals: [propose(true)] },
      ...[live('a'), save, live('b'), over, save],
    ],
  ],
  [
    'what was found out about a song is not lost',
    [propose(true, ['interrupted']), finish('a'), propose(false, ['late']), propose(true, [], 'q')],
    [
      {
        type: 'results',
        finishes: [finish('a')],
        proposals: [propose(true, ['interrupted', 'late']), propose(true, [], 'q')],
      },
    ],
  ],
  [
    'nothing overtakes what is done',
    [finish('a'), over, finish('b'), { type: 'answer', command: 'c', failure: null }],
    [
      { type: 'results', finishes: [finish('a')], proposals: [] },
      over,
      { type: 'results', finishes: [finish('b')], proposals: [] },
      { type: 'answer', command: 'c', failure: null },
    ],
  ],
]

test.each(cases)('%s', (_name, effects, outcome) => {
  expect(gathered(effects)).toEqual(outcome)
})
