import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { penaltyTypes } from '../../../../engine/flows/flow.ts'
import type { Claim, Penalty } from '../../../../engine/flows/machine.ts'
import { type Warning, warningCodes } from '../../../../engine/flows/warnings.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { OptionalSeat, Seat } from './games.ts'
import { playerMembers, playerView, type SeatNames } from './players.ts'

/** The decisions of referees, and the warnings for them. */

type Users = ReadonlyMap<string, UserFacts>

const OptionalNumber = nullable(Type.Integer())

/** The schema of a replay that a seat has claimed. (match-flows: Replays, technical replays, penalties) */
export const ClaimView = Type.Object(
  {
    guid: Guid,
    game: Type.Integer({ examples: [1] }),
    chain: Type.Integer({ examples: [1] }),
    run: Type.Integer({ description: 'That was played, and is to be played again.', examples: [1] }),
    seat: Seat,
    ...playerMembers,
    user: nullable(Guid, 'Where a player plays again alone; null for a seat that has a name and no team.'),
    reason: nullable(Type.String()),
    by: nullable(UserCard),
    at: Instant,
    status: oneOf(['open', 'played', 'cancelled']),
  },
  { title: 'FlowClaim' },
)

/** The users and seats that a decision names. */
export interface Named {
  readonly users: Users
  readonly names: SeatNames
}

export function claimView(claim: Claim, { users, names }: Named): Static<typeof ClaimView> {
  const { guid, game, chain, run, seat, reason, status } = claim
  return { ...playerView(claim, names), guid, game, chain, run, seat, reason, status, ...done(claim, users) }
}

export const PenaltyView = Type.Object(
  {
    guid: Guid,
    seat: Seat,
    ...playerMembers,
    user: nullable(Guid, 'Whose score or place it is about; null for a seat that has a name and no team.'),
    game: OptionalNumber,
    run: OptionalNumber,
    chain: nullable(Type.Integer(), 'Of the run, or all of whose runs it is about; null for all of the map.'),
    type: oneOf(penaltyTypes),
    points: nullable(Type.Number()),
    reason: Type.String(),
    by: nullable(UserCard),
    at: Instant,
    voidedAt: nullable(Instant),
  },
  { title: 'FlowPenalty' },
)

export function penaltyView(penalty: Penalty, { users, names }: Named): Static<typeof PenaltyView> {
  const { guid, seat, game, run, chain, type, points, reason, voidedAt } = penalty
  return {
    ...playerView(penalty, names),
    guid,
    seat,
    game,
    run,
    chain,
    type,
    points,
    reason,
    ...done(penalty, users),
    voidedAt: voidedAt === null ? null : formatInstant(new Date(voidedAt)),
  }
}

function done({ by, at }: { readonly by: string | null; readonly at: number }, users: Users) {
  const author = users.get(by ?? '')
  return { by: author === undefined ? null : userCard(author), at: formatInstant(new Date(at)) }
}

/** The schema of a warning for referees. (match-flows: Clocks, line-ups, scores, rule 6) */
export const WarningView = Type.Object(
  {
    guid: Guid,
    code: oneOf(warningCodes),
    blocking: Type.Boolean({ description: 'Keeps the map from becoming final.' }),
    game: OptionalNumber,
    run: OptionalNumber,
    seat: OptionalSeat,
    ...playerMembers,
    score: nullable(Guid),
    position: nullable(Type.Integer(), 'Of a row in the log.'),
  },
  { title: 'FlowWarning' },
)

export function warningView(
  { isBlocking, isDismissed: _, chain: _chain, ...warning }: Warning,
  names: SeatNames,
): Static<typeof WarningView> {
  return { ...warning, ...playerView(warning, names), blocking: isBlocking }
}

export const ProposalView = Type.Object(
  {
    guid: Guid,
    seat: Seat,
    type: oneOf(penaltyTypes),
    minutes: Type.Integer({ description: 'That the seat is late.', examples: [5] }),
    at: Instant,
  },
  { title: 'FlowProposal' },
)
