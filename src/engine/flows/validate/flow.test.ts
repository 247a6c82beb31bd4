import { describe, expect, test } from 'vitest'
import { completeFlow, type FlowInput, type PartInput, type StepInput } from '../flow.ts'
import { mapsNeeded, presets } from '../presets.ts'
import { validateFlow } from './flow.ts'
import type { PoolMapFacts, Setting } from './types.ts'

/** Each problem that a flow may have, and flows that just avoid it. (match-flows: Validation) */

const play: StepInput = { action: 'play' }
const pick = (more: Partial<StepInput> = {}): StepInput => ({ action: 'pick', actor: 'seat:1', ...more })
const ban = (more: Partial<StepInput> = {}): StepInput => ({ action: 'ban', actor: 'seat:1', ...more })
const roll: StepInput = { action: 'roll' }
const choose = (more: Partial<StepInput> = {}): StepInput => ({ action: 'choose', actor: 'seat:1', ...more })
const loop = (...steps: PartInput[]): PartInput => ({ repeat: 'until_decided', steps })
const times = (repeat: number, ...steps: PartInput[]): PartInput => ({ repeat, steps })
const pool = (...flairs: (string | null)[]): PoolMapFacts[] => flairs.map((flair) => ({ flair, isTiebreaker: false }))
const plain = (maps: number, flagged = 0): PoolMapFacts[] => [
  ...pool(...Array.from({ length: maps }, () => null)),
  ...Array.from({ length: flagged }, () => ({ flair: null, isTiebreaker: true })),
]

const rest: readonly PartInput[] = [loop(pick(), play)]
const everybodyBans: StepInput = { action: 'ban', actor: 'all', secret: true }
const few = ['flow.too_few_maps']
const lost = ['flow.loop_without_play 1', 'flow.nothing_to_play 1.2']
const techs: Setting = { pool: pool('tech', 'tech', 'tech', null, null) }

/** A flow of exactly `bytes` bytes, mostly in names with two bytes for each character. */
function ofBytes(bytes: number): PartInput[] {
  const padded = (name: string) => [pick({ from: { exceptFlairs: ['é'.repeat(32_000), name] } }), ...rest]
  const missing = bytes - Buffer.byteLength(JSON.stringify(completeFlow({ bestOf: 3, steps: padded('') })))
  return padded('f'.repeat(missing))
}

/** The longest possible step without flairs, whose number is not limited. */
const wordy = ban({
  actor: Array(8).fill('higherSeed'),
  seconds: 3_600,
  onTimeout: Array(10).fill('opponent'),
  when: 'not_all_at_match_point',
  label: '🎵'.repeat(60),
})

type Case = readonly [string, Omit<FlowInput, 'steps'>, readonly PartInput[], readonly string[], Setting?]

function validated(more: Omit<FlowInput, 'steps'>, steps: readonly PartInput[], setting?: Setting) {
  return validateFlow(completeFlow({ bestOf: 3, ...more, steps }), setting)
}

const cases: Readonly<Record<string, readonly Case[]>> = {
  'flow.no_decision': [
    ['two maps of three', {}, [times(2, pick(), play)], ['flow.no_decision']],
    ['three maps of three', {}, [times(3, pick(), play)], []],
    ['four maps of a best of three between three seats', { seats: 3 }, [times(3, pick(), play)], ['flow.no_decision']],
    ['as many as three seats can take', { seats: 3 }, [times(4, pick(), play)], []],
    ['a play that is passed', {}, [times(3, pick(), { ...play, when: 'all_at_match_point' })], ['flow.no_decision']],
    ['one map where the best of is open', { bestOf: null }, [pick(), play], []],
    ['one map, and the match is best of 3', { bestOf: null }, [pick(), play], ['flow.no_decision'], { bestOf: 3 }],
    ['all of four, three played', all(4), [times(3, pick(), play)], ['flow.no_decision']],
    ['all of three', all(3), [times(3, pick(), play)], []],
  ],
  'flow.loop_without_play': [
    ['bans alone', {}, [loop(ban())], ['flow.loop_without_play 1']],
    [
      'a play that is passed at match point',
      {},
      [loop(pick(), { ...play, when: 'not_all_at_match_point' })],
      ['flow.loop_without_play 1'],
    ],
    [
      'a play for each of both',
      {},
      [loop(pick(), { ...play, when: 'all_at_match_point' }, { ...play, when: 'not_all_at_match_point' })],
      [],
    ],
    ['an inner loop', {}, [times(2, loop(pick()))], ['flow.loop_without_play 1.1']],
    ['no map for the play', {}, [loop(play)], ['flow.loop_without_play 1', 'flow.nothing_to_play 1.1']],
  ],
  'flow.nothing_to_play': [
    ['a play before the pick', {}, [play, loop(pick(), play)], ['flow.nothing_to_play 1']],
    ['two plays for a pick', {}, [loop(pick(), play, play)], ['flow.nothing_to_play 1.3']],
    ['maps picked before', {}, [pick({ times: 3 }), loop(play)], []],
    ['a pick that is passed when time runs out', {}, [loop(pick({ seconds: 30, onTimeout: 'skip' }), play)], lost],
    ['a pick without a clock', {}, [loop(pick({ onTimeout: 'skip' }), play)], []],
    ['a pick that is drawn at last', {}, [loop(pick({ seconds: 30, onTimeout: ['again', 'random'] }), play)], []],
    [
      'a pick that is passed the second time',
      {},
      [loop(pick({ seconds: 30, onTimeout: ['random', 'skip'] }), play)],
      lost,
    ],
    [
      'picks that a seat lost with one before',
      {},
      [pick({ seconds: 30, onTimeout: 'forfeit' }), pick({ actor: 'seat:2' }), loop(pick({ actor: 'seat:1' }), play)],
      ['flow.loop_without_play 3', 'flow.nothing_to_play 3.2'],
    ],
    [
      'picks that the other seat lost',
      {},
      [
        pick({ seconds: 30, onTimeout: 'forfeit' }),
        pick({ actor: 'seat:2', times: 1 }),
        loop(pick({ actor: 'seat:2' }), play),
      ],
      [],
    ],
    [
      'the tiebreaker alone',
      {},
      [loop({ action: 'tiebreaker', when: 'all_at_match_point' }, play)],
      ['flow.loop_without_play 1', 'flow.nothing_to_play 1.2'],
    ],
    [
      'a referee whose time runs out acts nevertheless',
      {},
      [loop(pick({ actor: 'referee', seconds: 30, onTimeout: 'skip' }), play)],
      [],
    ],
  ],
  'flow.too_few_maps': [
    ['five of six', {}, [ban({ times: 3 }), loop(pick(), play)], ['flow.too_few_maps'], { pool: plain(5) }],
    ['six of six', {}, [ban({ times: 3 }), loop(pick(), play)], [], { pool: plain(6) }],
    ['flagged ones are not for picks', {}, [loop(pick(), play)], ['flow.too_few_maps'], { pool: plain(2, 1) }],
    [
      'but where they are asked for',
      {},
      [loop(pick({ from: { tiebreakers: true } }), play)],
      [],
      { pool: plain(2, 1) },
    ],
    [
      'bans of everybody count for each',
      {},
      [everybodyBans, loop(pick(), play)],
      ['flow.too_few_maps'],
      { pool: plain(4) },
    ],
    ['and are enough', {}, [everybodyBans, loop(pick(), play)], [], { pool: plain(5) }],
    ['no skip is relied on', {}, [ban({ seconds: 30 }), loop(pick(), play)], ['flow.too_few_maps'], { pool: plain(3) }],
    ['one more where another is played', rules({ tie: ['other_map'] }), [loop(pick(), play)], few, { pool: plain(3) }],
    ['or where a map is void', rules({ tie: ['void'] }), [loop(pick(), play)], few, { pool: plain(3) }],
    ['which there is', rules({ tie: ['void'] }), [loop(pick(), play)], [], { pool: plain(4) }],
    [
      'of a flair, which bans may take',
      {},
      [ban({ times: 2 }), loop(pick({ from: { flairs: ['tech'] } }), play)],
      ['flow.too_few_maps 2.1'],
      { pool: pool('tech', 'tech', 'tech', 'tech', 'speed', 'speed', 'speed') },
    ],
    [
      'of a flair, of which there are enough',
      {},
      [ban({ times: 2 }), loop(pick({ from: { flairs: ['tech'] } }), play)],
      [],
      { pool: pool('tech', 'tech', 'tech', 'tech', 'tech', 'speed') },
    ],
    [
      'of all but a flair',
      {},
      [loop(pick({ from: { exceptFlairs: ['speed'] } }), play)],
      ['flow.too_few_maps 1.1'],
      { pool: pool('tech', null, 'speed', 'speed') },
    ],
    [
      'another flair than before',
      {},
      [loop(pick({ limits: [{ other_flair_than: 'own_all' }] }), play)],
      ['flow.too_few_maps 1.1'],
      { pool: pool('tech', 'tech', 'tech', 'speed', 'speed', 'speed') },
    ],
    [
      'another flair than the last, of three',
      {},
      [loop(pick({ limits: [{ other_flair_than: 'own_last' }] }), play)],
      [],
      { pool: pool('tech', 'tech', 'speed', 'speed', 'acc', 'acc') },
    ],
    [
      'flairs that bans put out',
      {},
      [{ action: 'flair_ban', actor: 'seat:1' }, loop(pick(), play)],
      ['flow.too_few_maps'],
      { pool: pool('tech', 'tech', 'tech', 'speed', 'speed') },
    ],
    [
      'a flair that no map has',
      {},
      [{ action: 'flair_pick', actor: 'seat:1' }, loop(pick(), play)],
      ['flow.too_few_maps 1'],
      { pool: plain(5) },
    ],
    ['unknown pools', {}, [ban({ times: 10 }), loop(pick(), play)], []],
  ],
  'flow.actor_unknown': [
    ['the winner of no roll', {}, [ban({ actor: 'rollWinner' }), loop(pick(), play)], ['flow.actor_unknown 1']],
    ['of one', {}, [roll, ban({ actor: 'rollWinner' }), loop(pick(), play)], []],
    [
      'places that are chosen later',
      { pairs: ['order'] },
      [ban({ actor: 'order:1' }), choose({ pair: 'order' }), ...rest],
      ['flow.actor_unknown 1'],
    ],
    [
      'places that are chosen',
      { pairs: ['order'] },
      [choose({ pair: 'order' }), ban({ actor: 'order:1' }), ...rest],
      [],
    ],
    [
      'places that may not be chosen in time',
      { pairs: ['order'] },
      [choose({ pair: 'order', seconds: 30, onTimeout: 'skip' }), ban({ actor: 'order:1' }), ...rest],
      ['flow.actor_unknown 2'],
    ],
    ['one of two pairs', { pairs: ['a', 'b'] }, [choose(), ban({ actor: ['a:1', 'b:2'] }), ...rest], []],
    ['the other pair', { pairs: ['a', 'b'] }, [choose(), ban({ actor: 'a:1' }), ...rest], ['flow.actor_unknown 2']],
    ['both pairs', { pairs: ['a', 'b'] }, [choose({ times: 2 }), ban({ actor: 'a:1' }), ...rest], []],
    ['the last map before there is one', {}, [loop(pick({ actor: 'lastMapLoser' }), play)], ['flow.actor_unknown 1.1']],
    ['with somebody else', {}, [loop(pick({ actor: ['lastMapLoser', 'seat:2'] }), play)], []],
    ['after it', {}, [pick(), play, loop(pick({ actor: 'lastMapLoser' }), play)], []],
    [
      'after it, where it may be void',
      rules({ tie: ['void'] }),
      [pick(), play, loop(pick({ actor: 'lastMapLoser' }), play)],
      ['flow.actor_unknown 3.1'],
    ],
    [
      'after two of them',
      rules({ tie: ['void'] }),
      [times(2, pick(), play), loop(pick({ actor: 'lastMapLoser' }), play)],
      [],
    ],
    ['the leader alone', {}, [pick(), play, loop(pick({ actor: 'leader' }), play)], ['flow.actor_unknown 3.1']],
    ['it, outside of a block', {}, [ban({ actor: 'it' }), ...rest], ['flow.actor_unknown 1']],
    ['it', {}, [{ each: 'lowest_seed_first', steps: [ban({ actor: 'it' })] }, ...rest], []],
    [
      'seeds that are missing',
      {},
      [ban({ actor: 'higherSeed' }), ...rest],
      ['flow.actor_unknown 1'],
      { seedsKnown: false },
    ],
    ['seeds', {}, [ban({ actor: 'lowerSeed' }), ...rest], []],
    ['a third seat of two', {}, [ban({ actor: 'seat:3' }), ...rest], ['flow.actor_unknown 1']],
    [
      'places among three',
      { seats: 3, pairs: ['order'] },
      [choose(), ban({ actor: 'order:1' }), ...rest],
      ['flow.actor_unknown 1', 'flow.actor_unknown 2'],
    ],
    [
      'a block over a pair that is chosen later',
      { pairs: ['order'] },
      [{ each: 'order', steps: [ban({ actor: 'it' })] }, choose(), ...rest],
      ['flow.actor_unknown 1'],
    ],
    ['a step that is never reached', {}, [loop(pick(), play), ban({ actor: 'rollWinner' })], ['flow.unreachable 2']],
    [
      'where the best of is open, and a second map is needed to see it',
      { bestOf: null },
      [pick(), play, loop(pick({ actor: 'leader' }), play)],
      ['flow.actor_unknown 3.1'],
    ],
  ],
  'flow.tiebreaker_missing': [
    ['none', {}, [loop({ action: 'tiebreaker' }, play)], ['flow.tiebreaker_missing 1.1'], { pool: plain(9) }],
    [
      'two of three',
      {},
      [loop({ action: 'tiebreaker' }, play)],
      ['flow.tiebreaker_missing 1.1'],
      { pool: plain(9, 2) },
    ],
    ['three of three', {}, [loop({ action: 'tiebreaker' }, play)], [], { pool: plain(0, 3) }],
    [
      'the last left',
      {},
      [pick({ times: 2 }), { action: 'tiebreaker', source: 'last_left' }, loop(play)],
      [],
      { pool: plain(3) },
    ],
  ],
  'flow.timeout_impossible': [
    [
      'an opponent among three',
      { seats: 3 },
      [loop(pick({ onTimeout: 'opponent' }), play)],
      ['flow.timeout_impossible 1.1'],
    ],
    [
      'a map lost among three',
      { seats: 3 },
      [loop(pick(), { action: 'ready', onTimeout: 'lose_map' }, play)],
      ['flow.timeout_impossible 1.2'],
    ],
    ['a map lost by two', {}, [loop(pick(), { action: 'ready', seconds: 30, onTimeout: 'lose_map' }, play)], []],
    [
      'a score to beat among three',
      { seats: 3, ...rules({ replays: { rule: 'score_to_beat' } }) },
      [loop(pick(), play)],
      ['flow.timeout_impossible'],
    ],
    [
      'a line-up that is drawn',
      {},
      [loop(pick(), { action: 'lineup', onTimeout: 'random' }, play)],
      ['flow.timeout_impossible 1.2'],
    ],
    ['again without end', {}, [loop(pick({ onTimeout: ['random', 'again'] }), play)], ['flow.timeout_impossible 1.1']],
    ['a break without end', {}, [{ action: 'break' }, ...rest], ['flow.timeout_impossible 1']],
    ['a break', {}, [{ action: 'break', seconds: 300 }, ...rest], []],
    ['a pick that goes on', {}, [loop(pick({ onTimeout: 'proceed' }), play)], ['flow.timeout_impossible 1.1']],
  ],
  'flow.pair_open': [
    ['a pair that is not named', {}, [ban({ actor: 'order:1' }), ...rest], ['flow.pair_open 1']],
    ['a pair that is not chosen', { pairs: ['order'] }, [ban({ actor: 'order:1' }), ...rest], ['flow.pair_open 1']],
    [
      'a block over it',
      { pairs: ['order'] },
      [{ each: 'order', steps: [ban({ actor: 'it' })] }, ...rest],
      ['flow.pair_open 1'],
    ],
    ['one that is chosen twice', { pairs: ['order'] }, [choose({ times: 2 }), ...rest], ['flow.pair_open 1']],
    [
      'another one that is chosen',
      { pairs: ['a', 'b'] },
      [choose({ pair: 'a' }), ban({ actor: 'b:1' }), ...rest],
      ['flow.pair_open 2'],
    ],
  ],
  'flow.best_of_mismatch': [
    ['another match', {}, rest, ['flow.best_of_mismatch'], { bestOf: 5 }],
    ['the same', {}, rest, [], { bestOf: 3 }],
    ['any', { bestOf: null }, rest, [], { bestOf: 5 }],
    ['all of three in a best of five', { ...all(3), bestOf: 5 }, [times(3, pick(), play)], ['flow.best_of_mismatch']],
    ['all of three in a best of seven', { ...all(3), bestOf: 7 }, [times(3, pick(), play)], []],
    ['all of three in a match of five', all(3), [times(3, pick(), play)], ['flow.best_of_mismatch'], { bestOf: 5 }],
  ],
  'flow.players_mismatch': [
    ['three of two', rules({ map: { players: 3 } }), rest, ['flow.players_mismatch'], { teamSize: 2 }],
    ['three of three', rules({ map: { players: 3 } }), rest, [], { teamSize: 3 }],
    ['the best three of two', rules({ map: { team: 'top', top: 3, players: 2 } }), rest, ['flow.players_mismatch']],
    ['the best of nobody knows how many', rules({ map: { team: 'top' } }), rest, ['flow.players_mismatch']],
  ],
  'flow.flair_unknown': [
    [
      'one that no map has',
      {},
      [ban({ from: { flairs: ['tech', 'nothing'] } }), ...rest],
      ['flow.flair_unknown 1'],
      techs,
    ],
    ['left out', {}, [ban({ from: { exceptFlairs: ['nothing'] } }), ...rest], ['flow.flair_unknown 1'], techs],
    [
      'let through',
      {},
      [ban({ limits: [{ other_flair_than: 'own_last', except: ['nothing'] }] }), ...rest],
      ['flow.flair_unknown 1'],
      techs,
    ],
    ['one that a map has', {}, [ban({ from: { flairs: ['tech'] } }), ...rest], [], techs],
    ['an unknown pool', {}, [ban({ from: { flairs: ['nothing'] } }), ...rest], []],
  ],
  'flow.too_long': [
    ['61 steps', {}, Array.from({ length: 61 }, () => pick()), ['flow.too_long']],
    ['60 steps', {}, [...Array.from({ length: 58 }, () => pick()), loop(pick(), play)], []],
    ['301 turns', {}, [times(10, times(6, pick({ times: 5 }))), pick()], ['flow.too_long']],
    [
      '300 turns',
      {},
      [times(10, times(5, pick({ times: 5 }))), times(6, pick({ times: 8 })), pick(), play],
      ['flow.no_decision'],
    ],
    ['three blocks deep', {}, [times(2, times(2, times(2, pick(), play)))], ['flow.too_long']],
    ['64 KiB and a byte', {}, ofBytes(65_537), ['flow.too_long']],
    ['64 KiB', {}, ofBytes(65_536), []],
    ['60 steps that say all that steps can say', {}, [...Array.from({ length: 58 }, () => wordy), ...rest], []],
  ],
  warnings: [
    ['behind the end', {}, [...rest, pick(), times(2, play)], ['flow.unreachable 2', 'flow.unreachable 3']],
    [
      'behind the end of a block',
      {},
      [times(2, loop(pick(), play), ban()), ban()],
      ['flow.unreachable 1.2', 'flow.unreachable 2'],
    ],
    [
      'several left of a larger pool',
      {},
      [pick({ times: 2 }), { action: 'tiebreaker', source: 'last_left' }, loop(play)],
      ['flow.last_left_drawn 2'],
      { pool: plain(4) },
    ],
    [
      'several left by a lapse',
      {},
      [ban({ seconds: 30 }), pick({ times: 2 }), { action: 'tiebreaker', source: 'last_left' }, loop(play)],
      ['flow.last_left_drawn 3'],
    ],
    [
      'several left by equal bans',
      {},
      [everybodyBans, pick({ times: 2 }), { action: 'tiebreaker', source: 'last_left' }, loop(play)],
      ['flow.last_left_drawn 3'],
      { pool: plain(5) },
    ],
    [
      'a level match where somebody must win',
      all(3),
      [times(3, pick(), play)],
      ['flow.draw_possible'],
      { elimination: true },
    ],
    [
      'not with the best player',
      { ...all(3), rules: { ...all(3).rules, tie: ['best_player'] } },
      [times(3, pick(), play)],
      [],
      { elimination: true },
    ],
  ],
}

function all(maps: number): Omit<FlowInput, 'steps'> & Required<Pick<FlowInput, 'rules'>> {
  return { bestOf: null, rules: { play: { mode: 'play_all', maps } } }
}

function rules(more: NonNullable<FlowInput['rules']>): Omit<FlowInput, 'steps'> {
  return { rules: more }
}

for (const [what, table] of Object.entries(cases)) {
  describe(what, () => {
    test.each(table.map((each) => [each[0], each] as const))('%s', (_name, [, more, steps, expected, setting]) => {
      const { problems, valid } = validated(more, steps, setting)
      expect(problems.map(({ code, step }) => (step === null ? code : `${code} ${step}`))).toEqual(expected)
      expect(valid).toBe(problems.every(({ severity }) => severity === 'warning'))
      for (const { message } of problems) expect(message).toMatch(/^\S.*[a-z”].*\.$/)
    })
  })
}

describe('the worst case', () => {
  test.each<[string, Omit<FlowInput, 'steps'>, readonly PartInput[], object, Setting?]>([
    ['turns and maps', {}, [ban(), loop(pick(), play)], { maps: 4, steps: 7, seconds: 0 }],
    [
      'turns that are passed',
      {},
      [loop(pick(), { ...ban(), when: 'all_at_match_point' }, play)],
      { maps: 4, steps: 9 },
    ],
    [
      'clocks that begin anew',
      {},
      [loop(pick({ seconds: 60, onTimeout: ['again', 'opponent'] }), play)],
      { seconds: 540 },
    ],
    [
      'each of three seats',
      { seats: 3 },
      [{ each: 'last_first', steps: [ban({ actor: 'it', times: 2 })] }, loop(pick(), play)],
      { maps: 10, steps: 14 },
    ],
    ['a best of that is open', { bestOf: null }, rest, { maps: null, steps: null, seconds: null }],
    ['a flow without end', {}, [loop(ban())], { maps: null, steps: null, seconds: null }],
    ['one void map of a pool that is not known', rules({ tie: ['void'] }), rest, { maps: 4, steps: 8 }],
    ['as many void maps as the pool has', rules({ tie: ['void'] }), rest, { maps: 4, steps: 14 }, { pool: plain(7) }],
    ['no more than the flow has', rules({ tie: ['void'] }), [times(3, pick(), play)], { steps: 6 }, { pool: plain(7) }],
  ])('tells of %s', (_what, more, steps, expected, setting) => {
    expect(validated(more, steps, setting).worstCase).toMatchObject(expected)
  })
})

describe('presets', () => {
  const anyBests = [1, 3, 5, 7, 13, 99]
  const each = presets.flatMap((preset) =>
    (preset.bestOf === null && typeof preset.maps !== 'number' ? anyBests : [preset.bestOf]).map(
      (bestOf) => [preset.name, bestOf, preset] as const,
    ),
  )
  test.each(each)('%s, best of %s', (_name, bestOf, preset) => {
    const flagged = JSON.stringify(preset.flow).includes('"flagged"') ? 1 : 0
    const needed = mapsNeeded(preset, bestOf ?? 0)
    const enough = validateFlow(preset.flow, { bestOf, pool: plain(needed - flagged, flagged), teamSize: 3 })
    expect(enough.problems).toEqual([])
    expect(enough.worstCase.maps).toBe(needed)
    const short = validateFlow(preset.flow, { bestOf, pool: plain(needed - flagged - 1, flagged) })
    expect(short.problems.map(({ code }) => code)).toEqual(['flow.too_few_maps'])
    if (flagged > 0) {
      const unflagged = validateFlow(preset.flow, { bestOf, pool: plain(needed, 0) })
      expect(unflagged.problems.map(({ code }) => code)).toEqual(['flow.tiebreaker_missing'])
    }
    expect(validateFlow(preset.flow).problems).toEqual([])
  })
})
