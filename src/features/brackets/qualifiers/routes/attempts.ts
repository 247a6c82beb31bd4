import { type Static, Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { normaliseGuid } from '../../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { forbidden, invalid, missing } from '../../../../core/problem.ts'
import { exampleGuid, exampleUser, Guid, NextCursor, oneOf, PageQuery } from '../../../../core/schema.ts'
import { parseAnyInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { AttemptBody, VoidBody } from '../bodies.ts'
import { type NamedAttempt, recordAttempts, voidAttempt as voidOne } from '../commands/attempts.ts'
import { unknownQualifier } from '../commands/qualifier.ts'
import { mayReadAttemptsOfOthers, recorders } from '../policy.ts'
import { type RejectionReason, rejectionReasons } from '../rules/recording.ts'
import { listAttempts } from '../store/attempts.ts'
import { listPlayerRefs } from '../store/board.ts'
import { findQualifier, listMaps } from '../store/qualifiers.ts'
import type { Attempt, QualifierMap } from '../types.ts'
import { AttemptView, attemptView } from '../views/qualifier.ts'

async function listViews(db: Db, attempts: readonly Attempt[], maps: readonly QualifierMap[]) {
  const [users, teams] = await Promise.all([
    listPlayerRefs(
      db,
      attempts.map(({ userGuid }) => userGuid),
    ),
    listTeamSummaries(
      db,
      attempts.map(({ teamGuid }) => teamGuid),
    ),
  ])
  const around = { users, teams, maps: new Map(maps.map((map) => [map.guid, map])) }
  return attempts.map((attempt) => attemptView(attempt, around))
}

const listName = 'qualifiers.attempts'

export const attempts = query({
  name: 'qualifiers.attempts',
  method: 'GET',
  path: `${tournamentPath}/qualifier/attempts`,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'The ledger of attempts, newest first.',
  description:
    'All of them for coordinators, the organiser, admins and `role:staff`; for everybody else, those that they played themselves.',
  query: Type.Object({
    ...PageQuery,
    map: Type.Optional(Guid),
    user: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a user, or `@me`.' }),
    ),
    team: Type.Optional(Guid),
  }),
  reply: { 200: Type.Object({ attempts: Type.Array(AttemptView), nextCursor: NextCursor }) },
  problems: { 'qualifier.unknown': 404, 'user.unknown': 404, 'role.missing': 403 },
  live: { query: ['map', 'user', 'team'] },
  run: async ({ db, actor, tournament, query: { limit = defaultPageSize, before, map, user, team }, depends }) => {
    const [qualifier, maps] = await Promise.all([findQualifier(db, tournament.guid), listMaps(db, tournament.guid)])
    if (qualifier === undefined) throw unknownQualifier()
    const after = decodeCursor(listName, before, isMakingPosition)
    const wanted = await playerOf(db, actor.guid, user)
    const seesAll = mayReadAttemptsOfOthers(actor)
    if (!seesAll && user !== undefined && wanted !== actor.guid) {
      throw forbidden('role.missing', 'Only coordinators and organisers may see what others played.')
    }
    if (wanted === null) throw missing('user.unknown', 'There is no such user.')
    const rows = await listAttempts(db, qualifier.guid, {
      mapGuid: map === undefined ? undefined : normaliseGuid(map),
      userGuid: seesAll ? wanted : actor.guid,
      teamGuid: team === undefined ? undefined : normaliseGuid(team),
      after,
      limit,
    })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    depends(tournament.guid, ...items.map(({ userGuid }) => userGuid))
    return { attempts: await listViews(db, items, maps), nextCursor }
  },
})

/** The GUID of the named player; undefined if no player is named, null if the player is unknown. */
async function playerOf(db: Db, ownGuid: string, identifier: string | undefined): Promise<string | null | undefined> {
  if (identifier === undefined || identifier === '@me') return identifier && ownGuid
  return (await findUser(db, identifier))?.guid ?? null
}

const reasons = Object.keys(rejectionReasons) as RejectionReason[]
const Index = Type.Integer({ description: 'In the list that was sent, from 0.', examples: [0] })

export const record = command({
  name: 'qualifiers.recordAttempts',
  method: 'POST',
  path: `${tournamentPath}/qualifier/attempts`,
  scope: 'rest:write',
  socket: true,
  allow: recorders,
  inRehearsals: true,
  summary: 'Record attempts while the qualifier is open.',
  description:
    'Each is recorded, known already, or rejected for itself with a reason, which refuses none of the others; wrong types refuse the whole list. However it ended, an attempt uses up one of the player’s, until it is made void.',
  body: Type.Object(
    { attempts: Type.Array(AttemptBody, { minItems: 1, maxItems: 500 }) },
    {
      examples: [
        {
          attempts: [
            {
              mapGuid: exampleGuid,
              user: exampleUser,
              score: 912_345,
              accuracy: 0.9734,
              misses: 3,
              completion: 'passed',
            },
          ],
        },
      ],
    },
  ),
  reply: {
    201: Type.Object({
      accepted: Type.Array(AttemptView, { description: 'In the order in which they were sent.' }),
      duplicates: Type.Array(Index),
      rejected: Type.Array(
        Type.Object({
          index: Index,
          reason: oneOf(reasons, {
            description: reasons.map((reason) => `- \`${reason}\`: ${rejectionReasons[reason]}`).join('\n'),
          }),
          message: Type.String(),
        }),
      ),
    }),
  },
  problems: {
    'qualifier.unknown': 404,
    'qualifier.not_open': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, body, now }) => {
    const named = body.attempts.map((attempt, index) => readAttempt(attempt, index, now))
    const { accepted, duplicates, rejected, maps } = await recordAttempts(tx, actor, tournament, named, now)
    return {
      accepted: await listViews(tx, accepted, maps),
      duplicates: [...duplicates],
      rejected: [...rejected],
    }
  },
})

function readAttempt(attempt: Static<typeof AttemptBody>, index: number, now: Date): NamedAttempt {
  const playedAt = attempt.playedAt == null ? null : parseAnyInstant(attempt.playedAt)
  if (playedAt?.ok === false) {
    throw invalid('request.invalid', `The body's member "attempts[${index}].playedAt" ${playedAt.reason}.`)
  }
  return {
    mapGuid: normaliseGuid(attempt.mapGuid),
    user: attempt.user,
    score: attempt.score ?? null,
    accuracy: attempt.accuracy ?? null,
    misses: attempt.misses ?? null,
    badCuts: attempt.badCuts ?? null,
    maxCombo: attempt.maxCombo ?? null,
    fullCombo: attempt.fullCombo ?? null,
    completion: attempt.completion ?? 'passed',
    source: attempt.source ?? 'manual',
    externalId: attempt.externalId ?? null,
    playedAt: playedAt?.value ?? now,
  }
}

export const voidAttempt = command({
  name: 'qualifiers.voidAttempt',
  method: 'POST',
  path: `${tournamentPath}/qualifier/attempts/:attempt/void`,
  scope: 'rest:write',
  socket: true,
  allow: recorders,
  inRehearsals: true,
  summary: 'Make an attempt void: it counts no longer, and the player may play the map once more.',
  description:
    'It stays in the ledger, with the reason and who gave it. That cannot be undone; record the result anew instead.',
  body: VoidBody,
  reply: { 200: AttemptView },
  problems: { 'qualifier.unknown': 404, 'attempt.unknown': 404, 'attempt.void': 409, 'qualifier.final': 409 },
  run: async ({ tx, actor, tournament, attempt: guid, body, now }) => {
    const target = { tournamentGuid: tournament.guid, guid }
    const { attempt, maps } = await voidOne(
      tx,
      actor,
      target,
      { reason: body.reason, refund: body.refund === true },
      now,
    )
    const [view] = await listViews(tx, [attempt], maps)
    if (view === undefined) throw new Error('an attempt has no view')
    return view
  },
})
