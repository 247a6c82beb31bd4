import { type Static, Type } from 'typebox'
import { type Actor, signedIn } from '../../../core/actor.ts'
import { command, query } from '../../../core/operation.ts'
import { exampleGuid, nullable } from '../../../core/schema.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { organisers } from '../../tournaments/access/policy.ts'
import { readCounts } from '../../tournaments/tournaments/store/tournaments.ts'
import type { Changed } from '../teams/commands/teams.ts'
import { captainAndOrganisers } from '../teams/policy.ts'
import { readTeamView, TeamView } from '../teams/views/teams.ts'
import { disqualifyTeam, qualifyTeam, registerTeam, unregisterTeam } from './commands.ts'
import { standingOf } from './policy.ts'
import { askRankings, findPartyOf, judge, readParty } from './queries.ts'
import { EligibilityView, eligibilityView } from './views.ts'

const eligibility = query({
  name: 'registration.eligibility',
  method: 'GET',
  path: '/tournaments/:tournament/registration-eligibility',
  scope: 'rest:read',
  allow: signedIn,
  missingToken: 400,
  unknown: 400,
  summary: 'Whether the caller’s team could be registered now, and everything that stands in the way.',
  description:
    'For the team that the caller captains or belongs to, measured as the caller would be when they register it. Ranking platforms are asked where the requirements need them.',
  reply: { 200: EligibilityView },
  prepare: async ({ db, clients, actor, tournament }) =>
    askRankings(db, clients.rankingCache, tournament, standingOf(actor), () => findPartyOf(db, tournament, actor.guid)),
  run: async ({ db, actor, tournament, prepared: findings, now }) => {
    const party = await findPartyOf(db, tournament, actor.guid)
    const { registered } = await readCounts(db, tournament.guid)
    const standing = standingOf(actor)
    const verdict = await judge(db, party, { tournament, registered, standing, given: [], findings, now })
    return eligibilityView(verdict.eligibility)
  },
})

const ChangedTeam = Type.Object({ message: Type.String(), newTeam: TeamView })

async function changedTeam(
  tx: Tx,
  changed: Changed,
  actor: Actor,
  now: Date,
  outcome: string,
): Promise<Static<typeof ChangedTeam>> {
  const { tournament, team } = changed
  const newTeam = await readTeamView(tx, tournament, team, actor, now, changed)
  return { message: `“${team.name}” ${outcome}.`, newTeam }
}

const GivenAnswer = Type.Object({
  fieldGuid: Type.String({ maxLength: 64, description: 'GUID of the field.' }),
  userGuid: Type.Optional(
    nullable(
      Type.String({ maxLength: 64 }),
      'GUID of the member whose answer it is, for fields that every player answers.',
    ),
  ),
  response: Type.Union(
    [
      Type.String(),
      Type.Number(),
      Type.Object({ hash: Type.String(), difficulty: Type.String(), characteristic: Type.String() }),
    ],
    {
      description:
        'By the field’s type: a text; a number; one of the options; `true` or `false` as text; a map. An empty text takes an earlier answer back.',
      examples: ['Europe'],
    },
  ),
})

export const Waiver = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description:
    'From organisers: why the tournament’s requirements are waived for members who have not signed in yet. Stands in the audit.',
  examples: ['Signed up by mail; brings proof to the desk.'],
})

const Refusal = Type.Object({ message: Type.String(), eligibility: EligibilityView }, { title: 'RegistrationRefusal' })

const register = command({
  name: 'registration.register',
  method: 'POST',
  path: '/tournaments/:tournament/register/:team',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  forbidden: 401,
  unknown: 400,
  inRehearsals: true,
  summary: 'Register a team, which takes a place in the tournament.',
  description:
    'A refusal is JSON with `message` and `eligibility`, which lists every failed check. Answers are kept from one registration to the next; those given now go before earlier ones. A team that has withdrawn is registered by nobody: `DELETE /tournaments/{tournament}/teams/{team}/withdrawal` gives it back what it had.',
  refusals: { 400: Refusal, 409: Refusal },
  body: Type.Object(
    {
      additionalFields: Type.Optional(Type.Array(GivenAnswer, { maxItems: 1_000 })),
      waiver: Type.Optional(Waiver),
    },
    { examples: [{ additionalFields: [{ fieldGuid: exampleGuid, response: 'Europe' }] }] },
  ),
  bodyOptional: true,
  reply: { 200: ChangedTeam },
  problems: { 'registration.refused': 400, 'team.withdrawn': 409, 'waiver.not_allowed': 403 },
  prepare: async ({ db, clients, actor, tournament, team }) =>
    askRankings(db, clients.rankingCache, tournament, standingOf(actor), () => readParty(db, team)),
  run: async ({ tx, actor, tournament, team, body, prepared: findings, now }) => {
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const application = { given: body?.additionalFields ?? [], findings, waiver: body?.waiver }
    const changed = await registerTeam(tx, actor, target, application, now)
    return changedTeam(tx, changed, actor, now, 'is registered')
  },
})

const unregister = command({
  name: 'registration.unregister',
  method: 'POST',
  path: '/tournaments/:tournament/unregister/:team',
  scope: 'rest:write',
  allow: captainAndOrganisers,
  inRehearsals: true,
  forbidden: 401,
  unknown: 400,
  summary: 'Give a team’s place back.',
  description:
    'The captain can do so until the registration deadline or the start of the tournament, organisers at any time. Members stay in the team and leave the active roster.',
  reply: { 200: ChangedTeam },
  problems: { 'tournament.over': 400, 'team.not_registered': 400, 'registration.deadline_passed': 403 },
  run: async ({ tx, actor, tournament, team, now }) => {
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const changed = await unregisterTeam(tx, actor, target, now)
    return changedTeam(tx, changed, actor, now, 'is no longer registered')
  },
})

const qualify = command({
  name: 'registration.qualify',
  method: 'POST',
  path: '/tournaments/:tournament/qualify/:team',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  forbidden: 401,
  unknown: 400,
  summary: 'Advance a registered team to the main bracket, or change its seed.',
  description:
    'The roster is locked by it. A seed belongs to one team at a time; `POST /tournaments/{tournament}/qualifier/seed` gives all of them in one step.',
  body: Type.Object({
    seed: Type.Optional(
      nullable(
        Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [3] }),
        'Belongs to one team at a time. null takes it away; left out, it stays as it is.',
      ),
    ),
  }),
  bodyOptional: true,
  reply: { 200: ChangedTeam },
  problems: { 'tournament.over': 400, 'team.withdrawn': 409, 'team.not_registered': 400, 'seed.taken': 400 },
  run: async ({ tx, actor, tournament, team, body, now }) => {
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    const changed = await qualifyTeam(tx, actor, target, body?.seed, now)
    const { seed } = changed.team
    return changedTeam(tx, changed, actor, now, seed === null ? 'is qualified' : `is qualified with seed ${seed}`)
  },
})

const disqualify = command({
  name: 'registration.disqualify',
  method: 'POST',
  path: '/tournaments/:tournament/disqualify/:team',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  forbidden: 401,
  unknown: 400,
  summary: 'Take a team out of the main bracket; it stays registered.',
  description: 'It also leaves the brackets that it stands in: its open matches are walkovers for the others.',
  reply: { 200: ChangedTeam },
  problems: { 'tournament.over': 400, 'team.not_qualified': 400 },
  run: async ({ tx, actor, tournament, team, now }) => {
    const target = { tournamentGuid: tournament.guid, teamGuid: team.guid }
    return changedTeam(tx, await disqualifyTeam(tx, actor, target, now), actor, now, 'is registered and not qualified')
  },
})

export const registrationOperations = [eligibility, register, unregister, qualify, disqualify]
