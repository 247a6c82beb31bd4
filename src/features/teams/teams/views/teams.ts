import { type Static, Type } from 'typebox'
import { type Actor, type Audience, strangers } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { playedTag, UserCard, userCard } from '../../../people/users/views.ts'
import { isAnyStaff, staffAudience } from '../../../tournaments/access/policy.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { isRosterLocked } from '../rules/teams.ts'
import { listAnswers } from '../store/answers.ts'
import { countPending } from '../store/invitations.ts'
import { listMembers } from '../store/teams.ts'
import {
  type FieldAnswer,
  type InvitationFacts,
  invitationStatuses,
  type Team,
  type TeamMember,
  teamStatuses,
} from '../types.ts'

/** A team inside another record, such as a match, a table of standings or a bracket. */
export const TeamRef = Type.Object(
  {
    guid: Guid,
    id: Type.String({ examples: ['the-quavers'] }),
    name: Type.String({ examples: ['The Quavers'] }),
    imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/teams/quavers.png'] })),
    color: nullable(Type.String({ examples: ['#ff8800'] })),
  },
  { title: 'TeamReference' },
)
export type TeamRef = Static<typeof TeamRef>

const MapReference = Type.Object(
  { hash: Type.String(), difficulty: Type.String(), characteristic: Type.String() },
  { description: 'A map in one of its difficulties.' },
)

export const AnswerView = Type.Object({
  fieldGuid: Guid,
  userGuid: nullable(Guid, 'Whose answer it is, for fields that every player answers; null for the team’s own.'),
  response: Type.Union([Type.String(), Type.Number(), MapReference], { examples: ['Europe'] }),
})
export type AnswerView = Static<typeof AnswerView>

const MemberView = Type.Object({
  user: UserCard,
  isActive: Type.Boolean({ description: 'On the field rather than a substitute.' }),
  joinedAt: Instant,
})

/** A team in an answer. (additions: Teams) */
export const TeamView = Type.Object(
  {
    guid: Guid,
    id: Type.String({ description: 'Short id, unique in the tournament.', examples: ['the-quavers'] }),
    name: Type.String({ examples: ['The Quavers'] }),
    pronunciation: nullable(Type.String({ examples: ['the KWAY-verz'] }), 'How the name is spoken.'),
    imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/teams/quavers.png'] })),
    color: nullable(Type.String({ examples: ['#ff8800'] }), '`#rrggbb`, in lower case.'),
    captain: UserCard,
    isSolo: Type.Boolean({ description: 'The tournament is played by teams of one.' }),
    status: oneOf(teamStatuses),
    seed: nullable(Type.Integer({ examples: [3] })),
    members: Type.Array(MemberView, { description: 'The captain among them, in the order in which they joined.' }),
    invited: Type.Integer({ description: 'People who are invited and have not answered.', examples: [0] }),
    rosterLocked: Type.Boolean({ description: 'Only the organiser may change team and members now.' }),
    registeredAt: nullable(Instant),
    withdrawnAt: nullable(Instant),
    additionalFields: Type.Array(AnswerView, {
      description: 'Answers to the tournament’s additional fields, as far as the caller may see them.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Team' },
)
export type TeamView = Static<typeof TeamView>

/** A team with all data that its view shows. */
export interface TeamFacts {
  readonly team: Team
  readonly members: readonly TeamMember[]
  readonly answers: readonly FieldAnswer[]
  /** How many people are invited and have not answered. */
  readonly invited: number
  /** By GUID; contains at least the captain and the members. */
  readonly users: ReadonlyMap<string, UserFacts>
}

/** Data that the caller has just read or saved, so that it need not be read again. */
interface Known {
  readonly members?: ReadonlyMap<string, readonly TeamMember[]> | undefined
  readonly users?: ReadonlyMap<string, UserFacts> | undefined
}

export async function listTeamFacts(
  db: Db,
  { additionalFields }: Pick<Tournament, 'additionalFields'>,
  teams: readonly Team[],
  known: Known = {},
): Promise<TeamFacts[]> {
  const guids = teams.map((team) => team.guid)
  const [members, answers, invited] = await Promise.all([
    known.members ?? listMembers(db, guids),
    listAnswers(db, additionalFields.length === 0 ? [] : guids),
    countPending(db, guids),
  ])
  // Captains are added separately: a team that was deleted in the meantime has no members any more.
  const captains = teams.map((team) => team.captainGuid)
  const others = [...members.values()].flat().map((member) => member.userGuid)
  const users = known.users ?? (await listUserFacts(db, [...captains, ...others]))
  return teams.map((team) => ({
    team,
    members: members.get(team.guid) ?? [],
    answers: answers.get(team.guid) ?? [],
    invited: invited.get(team.guid) ?? 0,
    users,
  }))
}

/** The teams of one tournament as `viewer` may see them. */
export async function listTeamViews(
  db: Db,
  tournament: Tournament,
  teams: readonly Team[],
  viewer: Actor,
  now: Date,
): Promise<TeamView[]> {
  const facts = await listTeamFacts(db, tournament, teams)
  return facts.map((each) => teamView(tournament, each, viewer, now))
}

export async function readTeamView(
  db: Db,
  tournament: Tournament,
  team: Team,
  viewer: Actor,
  now: Date,
  {
    members,
    users,
  }: { readonly members?: readonly TeamMember[]; readonly users?: ReadonlyMap<string, UserFacts> } = {},
): Promise<TeamView> {
  const known = { members: members && new Map([[team.guid, members]]), users }
  const [facts] = await listTeamFacts(db, tournament, [team], known)
  if (facts === undefined) throw new Error('a team has no facts')
  return teamView(tournament, facts, viewer, now)
}

function teamView(tournament: Tournament, facts: TeamFacts, viewer: Actor, now: Date): TeamView {
  const { team } = facts
  return {
    guid: team.guid,
    id: team.id,
    name: team.name,
    pronunciation: team.pronunciation,
    imageUrl: team.imageUrl,
    color: team.color,
    captain: cardOf(facts.users, team.captainGuid),
    isSolo: tournament.teamSizeMax === 1,
    status: team.status,
    seed: team.seed,
    members: facts.members.map(({ userGuid, isActive, joinedAt }) => ({
      user: cardOf(facts.users, userGuid),
      isActive,
      joinedAt: formatInstant(joinedAt),
    })),
    invited: facts.invited,
    rosterLocked: isRosterLocked(team, tournament, now),
    registeredAt: formatInstant(team.registeredAt),
    withdrawnAt: formatInstant(team.withdrawnAt),
    additionalFields: visibleAnswers(tournament, facts, viewer),
    createdAt: formatInstant(team.createdAt),
    updatedAt: formatInstant(team.updatedAt),
  }
}

function cardOf(users: ReadonlyMap<string, UserFacts>, guid: string): UserCard {
  const user = users.get(guid)
  if (user === undefined) throw new Error('a user who is referred to has no card')
  return userCard(user)
}

/**
 * The answers that the viewer may see, in the order of the fields. Answers to deleted fields and of former members are
 * left out. Private answers, and answers that were given while their field was private, are for the tournament's staff
 * and for the users they are about: a team's answers for its members, a player's for the player and the captain.
 * (additions: Tournament record; D74)
 */
export function visibleAnswers(
  tournament: Pick<Tournament, 'additionalFields'>,
  { team, answers, members }: Pick<TeamFacts, 'answers' | 'members'> & { readonly team: Pick<Team, 'captainGuid'> },
  viewer: Actor,
): AnswerView[] {
  const isIn = (userGuid: string | null) => members.some((member) => member.userGuid === userGuid)
  const isAbout = ({ userGuid }: FieldAnswer) =>
    viewer.guid !== null &&
    (userGuid === null ? isIn(viewer.guid) : viewer.guid === userGuid || viewer.guid === team.captainGuid)
  const isStaff = isAnyStaff(viewer)
  return tournament.additionalFields
    .flatMap((field) =>
      answers.filter(
        (answer) =>
          answer.fieldGuid === field.guid &&
          (answer.userGuid === null || isIn(answer.userGuid)) &&
          (isStaff || (!field.private && !answer.isPrivate) || isAbout(answer)),
      ),
    )
    .map(({ fieldGuid, userGuid, response }) => ({ fieldGuid, userGuid, response }))
}

/**
 * The audience for answers with teams. Staff see all answers. Any other signed-in user may have private answers, so
 * their responses are not cached: a cached one would be wrong once the user changes teams. (D74)
 */
export const teamsAudience: Audience = (actor, records) => {
  // There is no record when the API description asks for the possible audiences.
  const { additionalFields = [] } = (records.tournament ?? {}) as Partial<Pick<Tournament, 'additionalFields'>>
  // No setting tells whether there are private answers to public fields, so any additional field counts.
  return additionalFields.length === 0 || isAnyStaff(actor) ? staffAudience(actor, records) : strangers(actor, records)
}

/**
 * Registers what an answer with these teams depends on. A roster lock date in the future also limits how long it is
 * cached.
 */
export function teamsDepend(
  depends: Depends,
  { guid, rosterLocksAt }: Pick<Tournament, 'guid' | 'rosterLocksAt'>,
  teams: readonly TeamView[],
  now: Date,
): void {
  if (rosterLocksAt !== null && rosterLocksAt.getTime() > now.getTime()) depends.until(rosterLocksAt)
  const users = teams.flatMap((team) => team.members.map((member) => member.user.guid))
  depends(guid, playedTag, ...teams.map((team) => team.guid), ...users)
}

export const InvitationView = Type.Object(
  {
    guid: Guid,
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }),
    team: Type.Object({
      guid: Guid,
      id: Type.String({ examples: ['the-quavers'] }),
      name: Type.String(),
      imageUrl: nullable(Type.String()),
    }),
    user: UserCard,
    invitedBy: UserCard,
    message: nullable(Type.String({ examples: ['Play with us?'] })),
    status: oneOf(invitationStatuses),
    createdAt: Instant,
    decidedAt: nullable(Instant),
  },
  { title: 'TeamInvitation' },
)
export type InvitationView = Static<typeof InvitationView>

/** Invitations as the invited user, the team's captain and the tournament's staff see them. */
export async function listInvitationViews(db: Db, facts: readonly InvitationFacts[]): Promise<InvitationView[]> {
  const guids = facts.flatMap(({ invitation }) => [invitation.userGuid, invitation.invitedByGuid])
  const users = await listUserFacts(db, guids)
  return facts.map((each) => invitationView(each, users))
}

export async function readInvitationView(db: Db, facts: InvitationFacts): Promise<InvitationView> {
  const { userGuid, invitedByGuid } = facts.invitation
  return invitationView(facts, await listUserFacts(db, [userGuid, invitedByGuid]))
}

function invitationView(facts: InvitationFacts, users: ReadonlyMap<string, UserFacts>): InvitationView {
  const { invitation, team, tournament } = facts
  return {
    guid: invitation.guid,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    team: { guid: team.guid, id: team.id, name: team.name, imageUrl: team.imageUrl },
    user: cardOf(users, invitation.userGuid),
    invitedBy: cardOf(users, invitation.invitedByGuid),
    message: invitation.message,
    status: invitation.status,
    createdAt: formatInstant(invitation.createdAt),
    decidedAt: formatInstant(invitation.decidedAt),
  }
}
