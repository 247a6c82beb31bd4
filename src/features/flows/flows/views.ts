import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { actions, type Flow } from '../../../engine/flows/flow.ts'
import type { Preset } from '../../../engine/flows/presets.ts'
import type { Row } from '../../../engine/flows/rows.ts'
import { numberOf, type Simulated } from '../../../engine/flows/simulation.ts'
import { phases } from '../../../engine/flows/state-types.ts'
import { type FlowProblem, problemCodes, type Verdict } from '../../../engine/flows/validate/types.ts'
import { flowMembers, flowMembersOf } from '../flowSessions/views/flow.ts'
import type { FlowPlan, FlowRecord } from './types.ts'

export const ProblemView = Type.Object(
  {
    code: oneOf(problemCodes),
    step: nullable(Type.String({ examples: ['3.2.1'] }), 'As it is written, from 1; null for the flow as a whole.'),
    severity: oneOf(['error', 'warning']),
    message: Type.String({ description: 'What to do about it.' }),
  },
  { title: 'FlowProblem' },
)

/** The schema of a flow. (match-flows: Flow) */
export const FlowView = Type.Object(
  {
    guid: Guid,
    tournament: Guid,
    name: Type.String({ examples: ['Best of three'] }),
    basedOn: nullable(Type.String({ examples: ['accsaber-bo3'] }), 'Name of the preset that it was made from.'),
    ...flowMembers,
    problems: Type.Array(ProblemView, { description: 'What can be told without a match and its pool.' }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Flow' },
)

export function flowView(record: FlowRecord, problems: readonly FlowProblem[]): Static<typeof FlowView> {
  const { guid, tournamentGuid, name, basedOn, definition, createdAt, updatedAt } = record
  return {
    guid,
    tournament: tournamentGuid,
    name,
    basedOn,
    ...flowMembersOf(definition),
    problems: [...problems],
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}

/** The schema of a preset, a built-in flow. (match-flows: Presets) */
export const PresetView = Type.Object(
  {
    name: Type.String({ examples: ['accsaber-bo3'] }),
    title: Type.String({ examples: ['AccSaber best of 3'] }),
    maps: nullable(Type.Integer({ examples: [7] }), 'That a pool must have; null where the best of decides it.'),
    mapsBeyondBestOf: nullable(Type.Integer(), 'That a pool must have beside as many as the best of; null otherwise.'),
    ...flowMembers,
  },
  { title: 'FlowPreset' },
)

export function presetView({ name, title, maps, flow }: Preset): Static<typeof PresetView> {
  const isNumber = typeof maps === 'number'
  return {
    name,
    title,
    maps: isNumber ? maps : null,
    mapsBeyondBestOf: isNumber ? null : maps.beyondBestOf,
    ...flowMembersOf(flow),
  }
}

const Counted = nullable(Type.Integer())

/** The schema of a validation's result. (match-flows: Validation) */
export const VerdictView = Type.Object(
  {
    valid: Type.Boolean({ description: 'There are no errors.' }),
    problems: Type.Array(ProblemView),
    worstCase: Type.Object(
      { maps: Counted, steps: Counted, seconds: Counted },
      {
        description: 'null where a best of is missing, or the flow may have no end. Turns that are passed are counted.',
      },
    ),
  },
  { title: 'FlowVerdict' },
)

export function verdictView({ valid, problems, worstCase }: Verdict): Static<typeof VerdictView> {
  return { valid, problems: [...problems], worstCase }
}

const Reference = Type.String({
  description: 'GUID of a flow of the tournament, or name of a preset.',
  examples: ['accsaber-bo3'],
})
const OptionalFlow = nullable(Reference)

/** The schema of a flow plan. (match-flows: Plan) */
export const PlanView = Type.Object(
  {
    revision: Type.Integer({ description: '0 before there is a plan; grows with each change.', examples: [0] }),
    default: { ...OptionalFlow, description: 'The flow of whatever is not named.' },
    brackets: Type.Array(
      Type.Object({
        bracketGuid: Guid,
        flowGuid: OptionalFlow,
        rounds: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: Reference,
          description: 'By `section:round`.',
          examples: [{ 'upper:1': 'accsaber-bo3' }],
        }),
      }),
    ),
    matches: Type.Array(Type.Object({ matchGuid: Guid, flowGuid: Reference })),
  },
  { title: 'FlowPlan' },
)

export function planView({ revision, default: fallback, brackets, matches }: FlowPlan): Static<typeof PlanView> {
  return {
    revision,
    default: fallback,
    brackets: brackets.map(({ rounds, ...bracket }) => ({ ...bracket, rounds: { ...rounds } })),
    matches: matches.map((match) => ({ ...match })),
  }
}

const Seat = nullable(Type.Integer({ examples: [1] }))
const MapNumber = nullable(Type.Integer({ examples: [3] }), 'Of the pool, from 1.')
const WrittenStep = nullable(Type.String({ examples: ['3.2'] }), 'As it is written.')

/** The schema of a trial. */
export const SimulationView = Type.Object(
  {
    taken: Type.Integer({ description: 'How many of the moves were possible.', examples: [1] }),
    refused: nullable(Type.String({ examples: ['This map is banned.'] }), 'Why the next one was not.'),
    phase: oneOf(phases),
    stuck: nullable(Type.String({ examples: ['no_map'] }), 'Why a referee would be needed.'),
    turn: nullable(
      Type.Object({
        step: Type.String({ examples: ['3.2'] }),
        label: nullable(Type.String()),
        action: oneOf(actions),
        actor: oneOf(['seats', 'referee', 'system']),
        seats: Type.Array(Type.Integer(), { description: 'That have not answered yet.' }),
        maps: Type.Array(Type.Integer(), { description: 'That may be chosen.' }),
        flairs: Type.Array(Type.String()),
        pairs: Type.Array(Type.String(), { description: 'That may be chosen.' }),
        secret: Type.Boolean(),
        game: nullable(Type.Integer()),
        map: MapNumber,
      }),
    ),
    seconds: nullable(Type.Number(), 'Of the clock that runs.'),
    scoreline: Type.Array(Type.Number()),
    seats: Type.Array(
      Type.Object({
        seat: Type.Integer(),
        roll: nullable(Type.Integer()),
        places: Type.Unsafe<Readonly<Record<string, number>>>({
          type: 'object',
          additionalProperties: { type: 'integer' },
          description: 'By pair.',
        }),
      }),
    ),
    maps: Type.Array(
      Type.Object({
        map: Type.Integer(),
        state: oneOf(['available', 'banned', 'protected', 'picked', 'tiebreaker', 'playing', 'played', 'void']),
        seat: Seat,
        game: nullable(Type.Integer()),
        winner: Seat,
      }),
    ),
    winner: Seat,
    log: Type.Array(
      Type.Object({
        position: Type.Integer(),
        kind: Type.String({ examples: ['ban'] }),
        step: WrittenStep,
        seat: Seat,
        map: MapNumber,
        rolls: Type.Array(nullable(Type.Integer())),
        pair: nullable(Type.String()),
        place: nullable(Type.Integer()),
        flair: nullable(Type.String({ examples: ['tech'] })),
        winner: Seat,
        result: nullable(Type.String({ examples: ['drawn'] }), 'What came of a lapse.'),
        why: nullable(Type.String({ examples: ['no_map'] }), 'Why a step was passed.'),
      }),
      { description: 'All that happened, the oldest first.' },
    ),
  },
  { title: 'FlowSimulation' },
)

export function simulationView(flow: Flow, { taken, refused, state, rows }: Simulated): Static<typeof SimulationView> {
  const { turn, phase, stuck, clock, scoreline, seats, maps, winner, games } = state
  const game = games.find((each) => each.game === turn?.game)
  const isOfFlairs = turn?.action === 'flair_pick' || turn?.action === 'flair_ban'
  const isOfMaps = turn !== null && ['protect', 'ban', 'pick'].includes(turn.action)
  const decided = new Set(seats.flatMap(({ places }) => Object.keys(places)))
  return {
    ...{ taken, refused, phase, stuck, winner, scoreline: [...scoreline] },
    turn:
      turn === null
        ? null
        : {
            step: turn.step,
            label: turn.label,
            action: turn.action,
            actor: turn.actor,
            seats: [...turn.seats],
            maps: isOfMaps ? turn.options.map((option) => numberOf(String(option))) : [],
            flairs: isOfFlairs ? turn.options.map(String) : [],
            pairs: turn.action === 'choose' ? flow.pairs.filter((pair) => !decided.has(pair)) : [],
            secret: turn.secret,
            game: turn.game,
            map: game?.map == null ? null : numberOf(game.map),
          },
    seconds: clock?.seconds ?? null,
    seats: seats.map(({ seat, roll, places }) => ({ seat, roll, places })),
    maps: maps.map((each) => ({ ...each, map: numberOf(each.map) }) as Static<typeof SimulationView>['maps'][number]),
    log: rows.filter(({ kind }) => kind !== 'start' && kind !== 'reveal').map(rowView),
  }
}

function rowView({ position, kind, step, seat, map, data }: Row): Static<typeof SimulationView>['log'][number] {
  const {
    rolls = [],
    pair = null,
    place = null,
    flair = null,
    result = null,
    why = null,
  } = data as Partial<{
    readonly rolls: readonly (number | null)[]
    readonly pair: string
    readonly place: number
    readonly flair: string
    readonly result: string
    readonly why: string
  }>
  const winner = 'winner' in data ? data.winner : null
  return {
    ...{ position, kind, step, seat, map: map === null ? null : numberOf(map), rolls: [...rolls] },
    ...{ pair, place, flair, winner, result, why },
  }
}
