import { type Static, Type } from 'typebox'
import { invalid } from '../../../core/problem.ts'
import { nullable, oneOf } from '../../../core/schema.ts'
import { actions } from '../../../engine/flows/flow.ts'
import type { Row } from '../../../engine/flows/rows.ts'
import { type Move, numberOf, simulate } from '../../../engine/flows/simulation.ts'
import { phases } from '../../../engine/flows/state-types.ts'
import { maxExpanded, sizeOf } from '../../../engine/flows/validate/program.ts'
import type { SimulateBody } from './bodies/flow.ts'
import { flowOf } from './rules.ts'

/** Trials of flows that are written, without a tournament. (match-flows: FFA) */

const Seat = nullable(Type.Integer({ examples: [1] }))
const MapNumber = nullable(Type.Integer({ examples: [3] }), 'Of the pool, from 1.')
const Step = nullable(Type.String({ examples: ['3.2'] }), 'As it is written.')

/** The schema of a trial. */
export const SimulationView = Type.Object(
  {
    taken: Type.Integer({ description: 'How many of the moves were possible.', examples: [1] }),
    refused: nullable(Type.String(), 'Why the next one was not.'),
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
        step: Step,
        seat: Seat,
        map: MapNumber,
        rolls: Type.Array(nullable(Type.Integer())),
        pair: nullable(Type.String()),
        place: nullable(Type.Integer()),
        flair: nullable(Type.String()),
        winner: Seat,
        result: nullable(Type.String({ examples: ['drawn'] }), 'What came of a lapse.'),
        why: nullable(Type.String({ examples: ['no_map'] }), 'Why a step was passed.'),
      }),
      { description: 'All that happened, the oldest first.' },
    ),
  },
  { title: 'FlowSimulation' },
)

/** @throws Problem `flow.maps_missing`, `flow.invalid` */
export function simulateWritten({ flow: body, bestOf = null, pool, seed = '', moves = [] }: SimulateBody) {
  const flow = flowOf(body)
  if (sizeOf(flow.steps, flow.seats).expanded > maxExpanded) {
    throw invalid('flow.invalid', `The flow is too long; it has at most ${maxExpanded} steps, as they are taken.`)
  }
  const facts = pool.map(({ flair = null, isTiebreaker = false }) => ({ flair, isTiebreaker }))
  const { taken, refused, state, rows } = simulate({ flow, bestOf, pool: facts, seed, moves: moves.map(moveOf) })
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

/** Members that are unset may be null. */
function moveOf({ kind, winner = null, ...given }: NonNullable<SimulateBody['moves']>[number]): Move {
  if (kind === 'result') return { kind, winner }
  if (kind !== 'act') return { kind }
  const members = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { kind, ...Object.fromEntries(members) }
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
