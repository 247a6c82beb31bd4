import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { nameKeysOf } from '../../../../core/names.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { withdrawalPolicies } from '../../../../engine/types.ts'
import { maxEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { maxBrackets } from '../../../brackets/brackets/rules/structure.ts'
import { maxReasonCharacters } from '../../../brackets/results/bodies.ts'
import { maxNoteCharacters } from '../../../teams/desk/rules.ts'
import { teamNotes } from '../../../teams/desk/tables.ts'
import { maxTextCharacters } from '../../../teams/registration/rules/answers.ts'
import { appearances } from '../../../teams/registration/tables.ts'
import { maxPronunciationCharacters } from '../../../teams/teams/rules/details.ts'
import { maxMessageCharacters, maxNameCharacters } from '../../../teams/teams/rules/teams.ts'
import { fieldAnswers, teamInvitations, teamMembers, teams, teamWithdrawals } from '../../../teams/teams/tables.ts'
import { invitationStatuses, teamStatuses } from '../../../teams/teams/types.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { lineUpTo, nameUpTo, ShortId, textUpTo, wordOf, wordUpTo } from './bounds.ts'
import {
  columnsOf,
  follows,
  forStaff,
  kind,
  link,
  member,
  ofTournament,
  person,
  personal,
  plain,
  typed,
} from './kind.ts'

const Color = wordOf('^#[0-9a-f]{6}$')
const Seed = Type.Integer({ minimum: 1, maximum: maxEntrants })

const inTeamsOf = (tournament: string) => sql`(select t.guid from ${teams} t where t.tournament_guid = ${tournament})`

export const teamsKind = kind(
  'teams',
  columnsOf(teams, {
    ...{ guid: plain, tournamentGuid: ofTournament },
    id: typed(personal('name', ShortId, 'team-id')),
    name: typed(personal('name', nameUpTo(maxNameCharacters), 'team')),
    nameKey: follows('teams.name'),
    nameLook: follows('teams.name'),
    ...{ pronunciation: typed(lineUpTo(maxPronunciationCharacters, 'name')), imageUrl: link, color: typed(Color) },
    ...{ captainGuid: person, status: typed(oneOf(teamStatuses)), seed: typed(Seed), rosterLocked: plain },
    ...{ registeredAt: plain, withdrawnAt: plain, withdrawnReason: forStaff(textUpTo(maxReasonCharacters)) },
    ...{ changedAt: plain, createdAt: plain, updatedAt: plain },
  }),
  {
    open: {
      members: [
        ...[
          'guid',
          'id',
          'name',
          'pronunciation',
          'imageUrl',
          'color',
          'captainGuid',
          'status',
          'seed',
          'registeredAt',
        ],
        ...['withdrawnAt', 'createdAt', 'updatedAt'],
      ],
    },
    brings: {
      columns: ({ name }) => ({ ...nameKeysOf(String(name)) }),
      // As registering does. (D45)
      lacks: { rosterLocked: ({ status }) => status !== 'unregistered' },
    },
  },
)

/** The captain and as many members as a team can have are fewer. */
export const mostActive = 100
const State = Type.Object({
  status: oneOf(teamStatuses),
  seed: nullable(Seed),
  rosterLocked: Type.Boolean(),
  registeredAt: nullable(Instant),
  activeGuids: Type.Array(personal('id', Guid), { maxItems: mostActive }),
})
const LeftBracket = Type.Object({ bracketGuid: Guid, earlier: nullable(oneOf(withdrawalPolicies)) })

/** What teams that have withdrawn get back if they return. */
export const withdrawals = kind(
  'withdrawals',
  columnsOf(teamWithdrawals, {
    teamGuid: plain,
    policy: typed(oneOf(withdrawalPolicies)),
    state: typed(State, { people: '$.activeGuids[*]' }),
    brackets: typed(Type.Array(LeftBracket, { maxItems: maxBrackets })),
  }),
  { of: (tournament) => sql`${teamWithdrawals.teamGuid} in ${inTeamsOf(tournament)}`, order: ['teamGuid'] },
)

export const members = kind(
  'members',
  columnsOf(teamMembers, {
    ...{ teamGuid: plain, tournamentGuid: ofTournament, userGuid: person, isActive: plain, joinedAt: plain },
  }),
  {
    order: ['teamGuid', 'userGuid'],
    open: { members: ['teamGuid', 'userGuid', 'isActive', 'joinedAt'] },
  },
)

export const invitations = kind(
  'invitations',
  columnsOf(teamInvitations, {
    ...{ guid: plain, teamGuid: plain, tournamentGuid: ofTournament, userGuid: person, invitedByGuid: person },
    ...{
      byOrganiser: plain,
      standInGuid: person,
      message: forStaff(textUpTo(maxMessageCharacters)),
      status: typed(oneOf(invitationStatuses)),
      createdAt: plain,
      decidedAt: plain,
    },
  }),
)

export const answers = kind(
  'answers',
  columnsOf(fieldAnswers, {
    ...{ guid: plain, teamGuid: plain, fieldGuid: plain, userGuid: person },
    response: member({
      personal: 'text',
      schema: Type.Unsafe<unknown>({
        anyOf: [
          Type.String({ maxLength: maxTextCharacters }),
          Type.Number(),
          Type.Object({ hash: wordUpTo(), difficulty: wordUpTo(), characteristic: wordUpTo() }),
        ],
      }),
    }),
    ...{ isPrivate: plain, publicAt: plain, answeredAt: plain },
  }),
  {
    of: (tournament) => sql`${fieldAnswers.teamGuid} in ${inTeamsOf(tournament)}`,
    // Also of a field that is no longer private: its teams may still object.
    privateRows: sql`${fieldAnswers.isPrivate}`,
    open: {
      members: ['teamGuid', 'fieldGuid', 'userGuid', 'response'],
      order: ['teamGuid', 'fieldGuid', 'userGuid'],
      // Not of fields that are gone or have become private, nor of people who have left. (additions: Tournament record)
      rows: ({ tournament }) => sql`exists (
        select from ${tournaments} t cross join lateral jsonb_array_elements(t.additional_fields) field
        where t.guid = ${tournament} and field ->> 'guid' = ${fieldAnswers.fieldGuid}::text
          and not (field ->> 'private')::boolean)
        and (${fieldAnswers.userGuid} is null or exists (select from ${teamMembers} m
          where m.team_guid = ${fieldAnswers.teamGuid} and m.user_guid = ${fieldAnswers.userGuid}))`,
    },
    // A number or a map may tell who somebody is. (P5)
    nameless: sql`jsonb_typeof(${fieldAnswers.response}) = 'string'`,
  },
)

/** Who was in a team when it registered. */
export const appearancesKind = kind(
  'appearances',
  columnsOf(appearances, { userGuid: person, tournamentGuid: ofTournament, firstAt: plain }),
  { order: ['userGuid'] },
)

/** What the staff note about teams. */
export const notes = kind(
  'notes',
  columnsOf(teamNotes, { teamGuid: plain, note: typed(textUpTo(maxNoteCharacters)), updatedAt: plain }),
  {
    of: (tournament) => sql`${teamNotes.teamGuid} in ${inTeamsOf(tournament)}`,
    order: ['teamGuid'],
    privateRows: sql`true`,
    nameless: 'none',
  },
)
