import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { seatOfPlayer } from '../../../../engine/flows/players.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import type { LoggedRow } from '../store/rows.ts'
import { flowMembersOf } from './flow.ts'
import { playerView, type SeatNames, userOf } from './players.ts'

/** The schema of a row of the log. (match-flows: Log and state, rule 1) */
export const LogRowView = Type.Object(
  {
    position: Type.Integer({ description: 'From 1, without gaps.', examples: [1] }),
    kind: Type.String({ description: 'What happened.', examples: ['ban'] }),
    step: nullable(Type.String({ examples: ['3.2.1'] }), 'Of the flow, as it is written; null for what is no step.'),
    seat: nullable(Type.Integer({ examples: [1] })),
    by: nullable(UserCard, 'Who wrote it; null for the system.'),
    onBehalf: Type.Boolean({ description: 'A referee acted for the seat.' }),
    map: nullable(Guid, 'In the pool of the session; null in a secret choice until all is revealed.'),
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'What it says, by its kind.',
      examples: [{ rolls: [75, 47], round: 1 }],
    }),
    at: Instant,
    undoneBy: nullable(Type.Integer(), 'Position of the row that took it back.'),
  },
  { title: 'FlowRow' },
)
export type LogRowView = Static<typeof LogRowView>

/** The properties of the viewer that decide which rows and members are visible. */
export interface LogViewer {
  /** Seats that the viewer is a speaker of. */
  readonly seats: readonly number[]
  /** Positions of secret rows that were revealed. */
  readonly revealed: ReadonlySet<number>
  /** Position of the last row that the viewer sees. */
  readonly position: number
  readonly users: ReadonlyMap<string, UserFacts>
  readonly names: SeatNames
}

/**
 * Whether a row holds a secret choice, which only its seat sees until all seats have answered. (match-flows: Flow,
 * secret)
 */
export function isSecret({ data }: Pick<LoggedRow, 'data'>): boolean {
  return 'secret' in data && data.secret === true
}

export function logRowView(row: LoggedRow, viewer: LogViewer): LogRowView {
  const { position, kind, step, seat, by, onBehalf, map, at, undoneBy } = row
  const isHidden = isSecret(row) && !viewer.revealed.has(position) && (seat === null || !viewer.seats.includes(seat))
  const author = viewer.users.get(by ?? '')
  return {
    position,
    kind,
    step,
    seat,
    onBehalf,
    by: author === undefined ? null : userCard(author),
    map: isHidden ? null : map,
    data: isHidden ? hiddenData(row) : dataOf(row, viewer.names),
    at: formatInstant(new Date(at)),
    undoneBy: undoneBy !== null && undoneBy <= viewer.position ? undoneBy : null,
  }
}

/** The number of outcomes of a hidden draw would reveal the choices of other seats, so it is left out. */
function hiddenData({ kind }: LoggedRow): object {
  return kind === 'lineup' ? { users: [], secret: true } : { secret: true }
}

/**
 * The data of a row in the API's form: flows as callers write them, and seats without a team instead of users. (D82)
 */
function dataOf(row: LoggedRow, names: SeatNames): object {
  switch (row.kind) {
    case 'start':
      return { ...row.data, flow: flowMembersOf(row.data.flow) }
    case 'lineup':
      return { ...row.data, users: row.data.users.map(userOf) }
    case 'scores':
      return { ...row.data, scores: row.data.scores.map((score) => named(score, seatOfPlayer(score.user), names)) }
    case 'claim':
    case 'claim_cancelled':
      return { ...row.data, claim: named(row.data.claim, row.data.claim.seat, names) }
    case 'penalty':
      return { ...row.data, penalty: named(row.data.penalty, row.data.penalty.seat, names) }
    default:
      return row.data
  }
}

/** Adds the seat's name to a member that names a player, if the seat has no team. */
function named<T extends { readonly user: string | null }>(facts: T, seat: number | null, names: SeatNames): object {
  return seat === null || !names.has(seat) ? facts : { ...facts, ...playerView({ user: facts.user, seat }, names) }
}

/** Whether a row may name a seat without a team. */
export function mayNameSeat({ kind }: Pick<LoggedRow, 'kind'>): boolean {
  return naming.has(kind)
}

const naming: ReadonlySet<LoggedRow['kind']> = new Set(['lineup', 'scores', 'claim', 'claim_cancelled', 'penalty'])
