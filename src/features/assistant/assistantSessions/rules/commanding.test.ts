import { expect, test } from 'vitest'
import type { Answered, Parameters } from '../../../../infra/clients/assistant/messages.ts'
import type { Effect, Input, Machine } from './machine.ts'
import { begin, step } from './step.ts'

/** The answers to commands that cannot be carried out yet. (AS3, AS8, AS12) */

const parameters: Parameters = {
  hash: 'a'.repeat(40),
  characteristic: 'Standard',
  difficulty: 'Expert',
  name: 'A map',
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
const { hash, characteristic, difficulty, name } = parameters
const chosen = { map: { poolMapGuid: null, hash, characteristic, difficulty, name, modifiers: [] }, parameters }
const tournament = { guid: 't', name: '', users: [], matches: [], qualifiers: [], pools: [], permissions: [] }

/** A session that has just joined and asked for its match. */
function joined() {
  let machine: Machine = begin({
    settings: { bannedMods: [], loadTimeoutMs: 100_000, permissions: [] },
    expected: [],
    matchGuid: null,
    isMatchOurs: false,
    map: null,
  })
  const give = (input: Input): readonly Effect[] => {
    const stepped = step(machine, input, { now: 0, tournament: 't', newGuid: () => 'a guid' })
    machine = stepped.machine
    return stepped.effects
  }
  const asked = give({ type: 'joined', self: 'self', tournament, heldElsewhere: new Set() })
  return { give, asked, now: () => machine }
}

const creations = (effects: readonly Effect[]) =>
  effects.flatMap((effect) =>
    effect.type === 'send' && effect.ref !== null && effect.message.type === 'createMatch' ? [effect.ref] : [],
  )
const answers = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'answer' ? [effect.failure] : []))

test('without a match, a map is refused with what is done about it', () => {
  const { give, asked } = joined()
  const setMap = {
    type: 'command',
    id: 'map',
    command: { name: 'setMap', chosen: { ...chosen, maxScore: null, isFree: true } },
  } as const
  const [ref = 0, ...more] = creations(asked)
  expect(more).toEqual([])
  const early = give(setMap)
  expect(creations(early)).toEqual([])
  expect(answers(early)).toMatchObject([
    { code: 'assistant.no_match', message: expect.not.stringContaining('once more') },
  ])
  const refusal: Answered = {
    type: 'answer',
    to: 'packet',
    from: 'server',
    ok: false,
    message: '',
    details: { type: 'permission', required: 'tournament:match:create_match' },
  }
  give({ type: 'answer', ref, answer: refusal })
  const late = give(setMap)
  expect(creations(late)).toHaveLength(1)
  expect(answers(late)).toMatchObject([{ code: 'assistant.no_match', message: expect.stringContaining('once more') }])
})
