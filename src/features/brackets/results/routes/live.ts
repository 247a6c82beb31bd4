import { type TSchema, Type } from 'typebox'
import { type Actor, policy } from '../../../../core/actor.ts'
import { Instant, nullable, oneOf } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { type EphemeralKey, ephemeral, expiry, type Stamps } from '../../../../infra/realtime/ephemeral/topic.ts'
import { seesMatchNow } from '../../../flows/flowSessions/policy.ts'
import { findCurrentOfMatch } from '../../../flows/flowSessions/store/sessions.ts'
import type { SessionRecord } from '../../../flows/flowSessions/types.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import { isAnyStaff, mayCoordinate, mayReferee } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { MatchRecord } from '../../matches/types.ts'

/** Values of a match that is being played. They are shown immediately and not saved. */

const known = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))
const Count = known(Type.Integer({ minimum: 0, maximum: 1_000_000 }))
const Points = known(Type.Integer({ minimum: 0, maximum: 2_000_000_000 }))
const Share = known(Type.Number({ minimum: 0, maximum: 1 }))
/** Positive modifiers raise the accuracy above 1. (D62) */
const Accuracy = known(Type.Number({ minimum: 0, maximum: 2 }))

const Hand = known(
  Type.Object({
    hits: Count,
    misses: Count,
    badCuts: Count,
    cut: known(
      Type.Array(Type.Number({ minimum: 0, maximum: 1_000 }), {
        minItems: 3,
        maxItems: 3,
        description: 'Mean points of a cut: before it, by its accuracy, after it.',
      }),
    ),
  }),
)

export const LiveScore = Type.Object(
  {
    score: Points,
    modifiedScore: Points,
    maxScore: Points,
    accuracy: Accuracy,
    combo: Count,
    maxCombo: Count,
    misses: Count,
    badCuts: Count,
    bombHits: Count,
    wallHits: Count,
    health: Share,
    songTime: known(Type.Number({ minimum: -3_600, maximum: 36_000, description: 'Seconds.' })),
    left: Hand,
    right: Hand,
    fullCombo: known(Type.Boolean()),
    state: known(oneOf(['playing', 'paused', 'failed', 'finished', 'disconnected'])),
  },
  { title: 'LiveScore' },
)

const LiveSession = Type.Object(
  {
    phase: known(Type.String({ maxLength: 32 })),
    mapHash: known(Type.String({ maxLength: 64 })),
    difficulty: known(Type.String({ maxLength: 32, examples: ['ExpertPlus'] })),
    startedAt: known(Instant),
  },
  { title: 'LiveSession' },
)

const Word = known(Type.String({ maxLength: 32 }))

const LiveMachine = Type.Object(
  {
    connection: Word,
    download: Word,
    play: Word,
    mods: known(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 })),
    delayMs: known(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
  { title: 'LiveMachine' },
)

const nobody = () => null
/**
 * Players write their own values from their game; users who prepare the match may write those of any player by hand.
 * (AS29, AS30)
 */
const byPlayer = (actor: Actor, { players = [] }: Records, user: string | null) => {
  if (user !== null && user === actor.guid && players.includes(user)) return 'game'
  return mayCoordinate(actor) ? 'manual' : null
}
const shownStamp = ({ source, at, seq }: Stamps) => ({ source, at, seq })
const since = ({ at }: Stamps) => ({ at })

const player = { form: 'player:{user}' } as const
const session = { form: 'session' } as const
const matchPath = '/tournaments/:tournament/matches/:match'

interface Players {
  /** GUIDs of the members of both teams; read only when a user writes. */
  readonly players?: readonly string[]
}

interface Records extends Players {
  /** The current flow session of the match; read only when a user subscribes. */
  readonly flowSession?: SessionRecord
  readonly tournament: Tournament
  readonly match: MatchRecord
}

const teamsOf = ({ team1Guid, team2Guid }: MatchRecord) => [team1Guid, team2Guid].filter((team) => team !== null)

/** The topic ends when the match, its bracket or its division is deleted. */
const endsWith = ({ match }: Records) => [match.guid, match.bracketGuid, match.divisionGuid]

async function readPlayers({ db, records }: { readonly db: Db; readonly records: Records }): Promise<Players> {
  const members = await listMembers(db, teamsOf(records.match))
  return { players: [...members.values()].flatMap((team) => team.map(({ userGuid }) => userGuid)) }
}

export const liveKeys: readonly EphemeralKey<Records>[] = [
  {
    ...player,
    description: 'How a player does, as far as it is known.',
    schema: LiveScore,
    writes: byPlayer,
    stamp: shownStamp,
  },
  { ...session, description: 'What is played.', schema: LiveSession, writes: nobody },
]

/** The name of a match's topic. */
export function liveTopicOf(tournamentGuid: string, matchGuid: string): string {
  return `/tournaments/${tournamentGuid}/matches/${matchGuid}/live`
}

const live = ephemeral<`${typeof matchPath}/live`, Pick<Records, 'players' | 'flowSession'>>({
  path: `${matchPath}/live`,
  summary: 'Scores while a map is played.',
  follows: 'matches.read',
  reads: {
    ...policy<Records>(
      'whoever sees the match, where its flow is shown late only those who see that now, and where the tournament says so its staff alone,',
      (actor, { tournament, flowSession }) =>
        (tournament.liveScores === 'public' || isAnyStaff(actor)) && seesMatchNow(actor, flowSession),
    ),
    open: true,
  },
  // A session that begins and a change of its speakers may change rights, so subscribers are checked again.
  besideReads: async ({ db, records }) => {
    const flowSession = await findCurrentOfMatch(db, records.match.guid)
    return flowSession === undefined ? {} : { flowSession }
  },
  canBeDelayed: true,
  matchOf: ({ match }) => match.guid,
  keys: liveKeys,
  beside: readPlayers,
  expiresMs: expiry.live,
  // A change of the teams checks writers again, since a user who has left a team may no longer write for it.
  endsWith: (records) => [...endsWith(records), ...teamsOf(records.match)],
})

const staffKeys: readonly EphemeralKey<Records>[] = [
  { ...player, description: 'How a player’s machine does.', schema: LiveMachine, writes: nobody, stamp: since },
  {
    ...session,
    description: 'How the match’s own connection does.',
    schema: LiveMachine,
    writes: nobody,
    stamp: since,
  },
]

const liveForStaff = ephemeral({
  path: `${matchPath}/live/staff`,
  summary: 'What those who run a match must know of the players’ machines.',
  follows: 'matches.read',
  reads: policy(
    'coordinators, referees and casters, and the organiser and admins of the tournament,',
    (actor) => mayReferee(actor) || actor.roles.has('role:caster') || actor.roles.has('role:hcaster'),
  ),
  keys: staffKeys,
  expiresMs: expiry.live,
  endsWith,
})

export const liveTopics = [live, liveForStaff]
