import { completeFlow, type Flow, type FlowInput, type PartInput, type StepInput } from './flow.ts'

/** Built-in flows, taken from well-known tournaments. (match-flows: Presets) */

export interface Preset {
  readonly name: string
  readonly title: string
  /** null if the flow fits any best of. */
  readonly bestOf: number | null
  readonly maps: MapsNeeded
  readonly flow: Flow
}

/** Number of maps that the pool must have in the worst case. */
export type MapsNeeded = number | { readonly beyondBestOf: number }

type More = Omit<StepInput, 'action' | 'actor'>

const step =
  (action: StepInput['action']) =>
  (actor: string | readonly string[], more: More = {}): StepInput => ({ action, actor, ...more })

const ban = step('ban')
const pick = step('pick')
const protect = step('protect')
const choose = (actor: string, pair: string): StepInput => ({ action: 'choose', actor, pair })
const roll: StepInput = { action: 'roll', actor: 'system' }
const play: StepInput = { action: 'play' }
const lineup: StepInput = { action: 'lineup', actor: 'all' }
const lastLeft: StepInput = { action: 'tiebreaker', actor: 'system', source: 'last_left' }
const flagged: StepInput = { action: 'tiebreaker', actor: 'system', source: 'flagged', when: 'all_at_match_point' }
const untilDecided = (...steps: readonly PartInput[]): PartInput => ({ repeat: 'until_decided', steps })

/** The tiebreaker if all seats are at match point, and otherwise a pick. */
const tiebreakerOrPick = (actor: string, more: More = {}): readonly StepInput[] => [
  flagged,
  pick(actor, { ...more, when: 'not_all_at_match_point' }),
]

const first = 'order:1'
const second = 'order:2'
const order: readonly PartInput[] = [roll, choose('rollWinner', 'order')]
const noReplays = { rule: 'none' } as const
const replaysByPlayer = {
  rule: 'better_of_each',
  perMatch: 1,
  perMap: 1,
  by: 'player',
  windowSeconds: 60,
} as const

function accsaber(bestOf: number, ...choices: readonly PartInput[]): FlowInput {
  return {
    bestOf,
    pairs: ['order'],
    steps: [...order, ...choices, lastLeft, untilDecided(play)],
    rules: { replays: replaysByPlayer },
  }
}

const accsaberBans = [ban(second), ban(first)]
const accsaberBo3 = [...accsaberBans, pick(first), pick(second), ban(first), ban(second)]
const accsaberBo5 = [...accsaberBo3, pick(second), pick(first)]

const clock: More = { seconds: 120 }

function osu(bestOf: number, ...bans: readonly string[]): FlowInput {
  const picks: More = { ...clock, onTimeout: 'opponent' }
  return {
    bestOf,
    pairs: ['pick', 'ban'],
    steps: [
      roll,
      choose('rollWinner', 'pick'),
      choose('rollLoser', 'ban'),
      ...bans.map((actor) => ban(actor, clock)),
      untilDecided(...tiebreakerOrPick('pick:1', picks), play, ...tiebreakerOrPick('pick:2', picks), play),
    ],
    rules: { timeouts: { count: 1, seconds: 120 } },
  }
}

const corsacePicks: More = { ...clock, onTimeout: ['again', 'opponent'] }
const corsace: FlowInput = {
  bestOf: 9,
  steps: [
    roll,
    protect('rollLoser', clock),
    protect('rollWinner', clock),
    ban('rollLoser', clock),
    ban('rollWinner', clock),
    { repeat: 2, steps: [pick('rollWinner', corsacePicks), play, pick('rollLoser', corsacePicks), play] },
    ban(['leader', 'lastMapWinner'], clock),
    ban(['trailer', 'lastMapLoser'], clock),
    untilDecided(
      ...[...tiebreakerOrPick('rollWinner', corsacePicks), play],
      ...[...tiebreakerOrPick('rollLoser', corsacePicks), play],
    ),
  ],
  rules: {
    replays: noReplays,
    technical: { perMatch: 1, counts: 'replace' },
    timeouts: { count: 1, seconds: 120 },
    late: [
      { afterMinutes: 5, type: 'lose_bans' },
      { afterMinutes: 5, type: 'lose_protects' },
      { afterMinutes: 10, type: 'match_forfeit' },
    ],
  },
}

function preset(name: string, title: string, maps: MapsNeeded, input: FlowInput): Preset {
  const flow = completeFlow(input)
  return { name, title, bestOf: flow.bestOf, maps, flow }
}

const osuBans = ['ban:1', 'ban:2', 'ban:2', 'ban:1']

export const presets: readonly Preset[] = [
  preset('accsaber-bo3', 'AccSaber best of 3', 7, accsaber(3, ...accsaberBo3)),
  preset('accsaber-bo5', 'AccSaber best of 5', 9, accsaber(5, ...accsaberBo5)),
  preset(
    'accsaber-bo7',
    'AccSaber best of 7',
    13,
    accsaber(7, ...accsaberBo5, ban(second), ban(first), pick(first), pick(second)),
  ),
  preset('cvre-bo5', 'CVRE best of 5', 7, {
    bestOf: 5,
    pairs: ['order'],
    steps: [
      ...order,
      ...[ban(first), ban(second), pick(first), pick(second), pick(second), pick(first)],
      ...[lastLeft, untilDecided(play)],
    ],
    rules: { replays: noReplays },
  }),
  preset('cvre-sum3', 'CVRE sum of three maps', 3, {
    bestOf: 7,
    steps: [{ repeat: 3, steps: [pick('referee'), play] }],
    rules: { play: { mode: 'play_all', maps: 3 }, decide: 'score_sum' },
  }),
  preset(
    'bseuc-3v3',
    'BSEUC three against three',
    { beyondBestOf: 2 },
    {
      pairs: ['order'],
      steps: [
        ...order,
        ...[ban(second), ban(first)],
        untilDecided(...[...tiebreakerOrPick(first), lineup, play], ...[...tiebreakerOrPick(second), lineup, play]),
      ],
      rules: {
        map: { players: 3 },
        replays: noReplays,
        pauseLimitSeconds: 10,
        late: [{ afterMinutes: 5, type: 'match_forfeit' }],
      },
    },
  ),
  preset('osu-bo9', 'Rolls, bans and picks, best of 9', 11, osu(9, 'ban:1', 'ban:2')),
  preset('osu-bo11', 'Rolls, bans and picks, best of 11', 15, osu(11, ...osuBans)),
  preset('osu-bo13', 'Rolls, bans and picks, best of 13', 17, osu(13, ...osuBans)),
  preset('corsace-bo9', 'Protects and second bans, best of 9', 13, corsace),
  preset('counterpick-bo5', 'Counterpicks, best of 5', 15, {
    bestOf: 5,
    steps: [
      ...[ban('lowerSeed'), ban('higherSeed'), { action: 'random', actor: 'system' } as const, play],
      untilDecided(ban('lastMapWinner', { times: 2 }), pick('lastMapLoser'), play),
    ],
  }),
  preset('paidia-bo3', 'Paidia best of 3', 4, {
    bestOf: 3,
    pairs: ['order'],
    steps: [...order, untilDecided(pick(first), play, pick(second), play)],
    rules: { tie: ['other_map'], late: [{ afterMinutes: 10, type: 'match_forfeit' }] },
  }),
  preset('rhythmlan-ffa4', 'Lobby of four', 8, {
    seats: 4,
    steps: [
      { each: 'lowest_seed_first', steps: [ban('it')] },
      { each: 'lowest_seed_first', steps: [pick('it'), play] },
    ],
    rules: {
      play: { mode: 'play_all', maps: 4 },
      decide: 'points',
      points: [5, 3, 2, 0],
      eliminate: 1,
      replays: replaysByPlayer,
    },
  }),
  preset(
    'referee-picks',
    'Maps that the referee tells',
    { beyondBestOf: 0 },
    { steps: [untilDecided(pick('referee'), play)], rules: { replays: noReplays } },
  ),
]

const byName = new Map(presets.map((each) => [each.name, each]))

export function findPreset(name: string): Preset | undefined {
  return byName.get(name)
}

/** Number of maps that a pool must have for the preset. */
export function mapsNeeded({ maps }: Pick<Preset, 'maps'>, bestOf: number): number {
  return typeof maps === 'number' ? maps : maps.beyondBestOf + bestOf
}
