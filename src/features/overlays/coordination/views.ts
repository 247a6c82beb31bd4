import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { matchStatuses, sections } from '../../../engine/types.ts'
import type { SessionRecord } from '../../flows/flowSessions/types.ts'
import { storedStatuses } from '../../flows/flowSessions/types.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import type { StreamSession } from '../../streaming/streamSessions/types.ts'
import type { TeamMember } from '../../teams/teams/types.ts'
import { TeamRef } from '../../teams/teams/views/teams.ts'
import type { CoordinatedMatch, HeldSession, OpenProposal, PointedOverlay } from './types.ts'

const Named = Type.Object({ guid: Guid, name: Type.String({ examples: ['Playoffs'] }) })

const MatchRow = Type.Object(
  {
    match: Type.Object({
      guid: Guid,
      number: Type.Integer({ description: 'Stable, and unique in the division.', examples: [12] }),
      division: Named,
      bracket: Named,
      section: oneOf(sections),
      round: Type.Integer({ description: 'Within the section, from 1.', examples: [1] }),
      status: oneOf(matchStatuses),
      bestOf: Type.Integer({ examples: [3] }),
      sides: Type.Array(Type.Object({ team: nullable(TeamRef), score: nullable(Type.Number()) }), {
        minItems: 2,
        maxItems: 2,
      }),
      scheduledAt: nullable(Instant),
      startedAt: nullable(Instant),
    }),
    overlays: Type.Array(Named, { description: 'That point at the match.' }),
    session: nullable(
      Type.Object({
        guid: Guid,
        status: oneOf(storedStatuses),
        dueAt: nullable(Instant, 'When the time of the clock is over that runs.'),
        overdue: Type.Boolean({ description: 'That time is over, and what follows of it is still to come.' }),
      }),
      'How the match is picked and played by a flow, as late as the viewer may see it.',
    ),
    assistant: nullable(
      Type.Object({
        guid: Guid,
        status: Type.String({ examples: ['connected'] }),
        phase: Type.String({ examples: ['playing'] }),
      }),
      'The open session at the assistant.',
    ),
    proposals: Type.Array(
      Type.Object({
        guid: Guid,
        game: Type.Integer({ examples: [1] }),
        run: Type.Integer({ examples: [1] }),
        status: Type.String({ examples: ['proposed'] }),
        createdAt: Instant,
      }),
      { description: 'Results that wait for somebody to decide on them, the oldest first.' },
    ),
    streams: Type.Array(
      Type.Object({
        user: UserCard,
        side: Type.Integer({ minimum: 1, maximum: 2 }),
        startedAt: Instant,
      }),
      { description: 'Players who are live, tests aside.' },
    ),
  },
  { title: 'CoordinatedMatch' },
)
type MatchRow = Static<typeof MatchRow>

export const CoordinationView = Type.Object(
  {
    running: Type.Array(MatchRow, { description: 'In the order in which they began, the first 20.' }),
    next: Type.Array(MatchRow, {
      description: 'What has a time in the order of these, then what can be played at once; the first 20.',
    }),
  },
  { title: 'Coordination' },
)

/** The records that the views of matches need. */
export interface Shown {
  readonly teams: ReadonlyMap<string, TeamRef>
  readonly members: ReadonlyMap<string, readonly TeamMember[]>
  readonly users: ReadonlyMap<string, UserFacts>
  /** By GUID of the user. */
  readonly live: ReadonlyMap<string, StreamSession>
  readonly overlays: readonly PointedOverlay[]
  /** By GUID of the match. */
  readonly sessions: ReadonlyMap<string, SessionRecord>
  readonly held: readonly HeldSession[]
  readonly proposals: readonly OpenProposal[]
  /** Whether the viewer sees sessions without delay. */
  readonly isNow: boolean
}

export function matchRow(match: CoordinatedMatch, shown: Shown): MatchRow {
  const { guid, number, section, round, status, bestOf } = match
  const sides = [match.team1Guid, match.team2Guid].map((team, index) => ({
    team: team === null ? null : (shown.teams.get(team) ?? null),
    score: match.sides[index]?.score ?? null,
  }))
  const isOwn = ({ matchGuid }: { readonly matchGuid: string }) => matchGuid === guid
  const session = shown.sessions.get(guid)
  const held = shown.held.find(isOwn)
  return {
    match: {
      guid,
      number,
      section,
      round,
      status,
      bestOf,
      sides,
      division: { guid: match.divisionGuid, name: match.divisionName },
      bracket: { guid: match.bracketGuid, name: match.bracketName },
      scheduledAt: formatInstant(match.scheduledAt),
      startedAt: formatInstant(match.startedAt),
    },
    overlays: shown.overlays.filter(isOwn).map((overlay) => ({ guid: overlay.guid, name: overlay.name })),
    session: session === undefined ? null : sessionPart(session, shown.isNow),
    assistant:
      held === undefined ? null : { guid: held.guid, status: held.status, phase: phaseOf(held, session, shown) },
    proposals: shown.proposals.filter(isOwn).map(({ matchGuid: _match, createdAt, ...rest }) => {
      return { ...rest, createdAt: formatInstant(createdAt) }
    }),
    streams: streamsOf(match, shown),
  }
}

/** If a song's session is delayed, the song's phase is hidden from viewers with the delay. (match-flows: Spectators) */
function phaseOf({ phase }: Shown['held'][number], session: SessionRecord | undefined, { isNow }: Shown) {
  return isNow || session === undefined || session.viewDelaySeconds === 0 ? phase : 'idle'
}

/**
 * For viewers with the delay, a delayed session contains only what the audience sees already. (match-flows: Spectators)
 */
function sessionPart(session: SessionRecord, isNow: boolean): MatchRow['session'] {
  const { guid, status, shownStatus, dueAt, isOverdue, viewDelaySeconds } = session
  if (isNow || viewDelaySeconds === 0) return { guid, status, dueAt: formatInstant(dueAt), overdue: isOverdue }
  return shownStatus === null ? null : { guid, status: shownStatus, dueAt: null, overdue: false }
}

function streamsOf({ team1Guid, team2Guid }: CoordinatedMatch, { members, users, live }: Shown): MatchRow['streams'] {
  return [team1Guid, team2Guid].flatMap((team, index) =>
    (members.get(team ?? '') ?? []).flatMap(({ userGuid }) => {
      const [user, stream] = [users.get(userGuid), live.get(userGuid)]
      if (user === undefined || stream === undefined) return []
      return [{ user: userCard(user), side: index + 1, startedAt: formatInstant(stream.startedAt) }]
    }),
  )
}
