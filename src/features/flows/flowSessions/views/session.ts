import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { SeatTeam } from '../../../../engine/flows/rows.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { seenPosition } from '../policy.ts'
import { type SessionRecord, type SessionViewer, storedStatuses } from '../types.ts'
import { Seat } from './games.ts'

/** A session in a list. */
export const SessionView = Type.Object(
  {
    guid: Guid,
    match: nullable(Guid, 'null for a free session.'),
    public: Type.Boolean({ description: 'Whether others than referees and speakers see it.' }),
    status: oneOf(storedStatuses),
    position: Type.Integer({ description: 'Of the last row that the viewer sees.', examples: [20] }),
    flow: Type.Object({ guid: nullable(Guid), name: Type.String({ examples: ['AccSaber best of 3'] }) }),
    pool: nullable(Type.Object({ guid: Guid, name: nullable(Type.String({ examples: ['Quarter-finals'] })) })),
    seats: Type.Array(Type.Object({ seat: Seat, team: nullable(TeamRef), name: Type.String() })),
    viewDelaySeconds: Type.Integer({ examples: [0] }),
    createdAt: Instant,
    endedAt: nullable(Instant),
  },
  { title: 'FlowSession' },
)
export type SessionView = Static<typeof SessionView>

export function sessionView(
  session: SessionRecord,
  viewer: SessionViewer,
  { seats, teams }: { readonly seats: readonly SeatTeam[]; readonly teams: ReadonlyMap<string, TeamRef> },
): SessionView {
  const { guid, matchGuid, isPublic, flowGuid, flowName, poolGuid, poolName, viewDelaySeconds } = session
  const position = seenPosition(viewer, session)
  const status = position === session.position ? session.status : (session.shownStatus ?? session.status)
  const isOver = status === 'over' || status === 'void'
  return {
    guid,
    match: matchGuid,
    public: isPublic,
    status,
    position,
    viewDelaySeconds,
    flow: { guid: flowGuid, name: flowName },
    pool: poolGuid === null ? null : { guid: poolGuid, name: poolName },
    seats: seats.map(({ seat, team, name }) => ({ seat, team: teams.get(team ?? '') ?? null, name })),
    createdAt: formatInstant(session.createdAt),
    endedAt: isOver ? formatInstant(session.endedAt) : null,
  }
}
