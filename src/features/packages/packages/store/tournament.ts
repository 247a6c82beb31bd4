import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { Word } from '../../../../core/packages/marks.ts'
import { Guid, nullable } from '../../../../core/schema.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { timelineEvents } from '../../../tournaments/timeline/tables.ts'
import { listings, tournamentCounts, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { updates } from '../../../tournaments/updates/tables.ts'
import {
  columnsOf,
  follows,
  hexOf,
  json,
  kind,
  link,
  member,
  name,
  never,
  ofTournament,
  person,
  personal,
  plain,
  shortId,
  text,
  word,
} from './kind.ts'

const Range = Type.Object({ min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) })
const Requirements = Type.Object(
  {
    countries: Type.Optional(personal('place', Type.Array(Type.String()))),
    rankA: Type.Optional(Range),
    rankB: Type.Optional(Range),
    rankingA: Type.Optional(Type.Boolean()),
    rankingB: Type.Optional(Type.Boolean()),
    emailVerified: Type.Optional(Type.Boolean()),
    chatAccountAgeDays: Type.Optional(Type.Number()),
    verifiedLinks: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const Field = Type.Object({
  guid: Guid,
  label: personal('text'),
  help: nullable(personal('text')),
  type: Word,
  required: Type.Boolean(),
  options: Type.Array(personal('text')),
  subject: Word,
  private: Type.Boolean(),
})

const Address = nullable(personal('link'))
const Links = Type.Object({ chatInvite: Address, website: Address, stream: Address, rulesUrl: Address })

const derived = follows('the rows of the package')

/** The tournament, and whether the system platform lists it. */
export const tournament = kind(
  'tournament',
  columnsOf(tournaments, {
    ...{ guid: plain, id: shortId, name, summary: text, description: text, rules: text, prizes: text },
    ...{ imageUrl: link, bannerUrl: link, status: word, timezone: member({ personal: 'place' }) },
    ...{
      startsAt: plain,
      endsAt: plain,
      registrationOpensAt: plain,
      registrationClosesAt: plain,
      rosterLocksAt: plain,
    },
    ...{ teamSizeMin: plain, teamSizeMax: plain, teamSizeActive: plain, capacity: plain, publicRegistration: plain },
    requirements: json(Requirements),
    additionalFields: json(Type.Array(Field)),
    links: json(Links),
    organiserGuid: person,
    visibilityScope: word,
    chatWebhookUrl: never('a secret address'),
    chatWebhooks: never('secret addresses'),
    announcements: json(Type.Record(Type.String(), personal('text'))),
    announcementRoles: json(Type.Record(Type.String(), Type.Array(personal('contact')))),
    language: word,
    streamDelaySeconds: plain,
    streamDelayFrom: never('of the delay that is under way'),
    channelDelaySeconds: follows('channels.delaySeconds'),
    liveScores: word,
    placements: follows('placements'),
    cancelReason: text,
    ...{ approvedAt: plain, completedAt: plain, createdAt: plain, updatedAt: plain },
    search: follows('tournament.name and tournament.id'),
  }),
  {
    of: (guid) => sql`${tournaments.guid} = ${guid}`,
    more: {
      listed: {
        schema: Type.Boolean(),
        value: sql`exists (select from ${listings} l join ${platforms} p on p.guid = l.platform_guid
          where p.is_system and l.tournament_guid = ${tournaments.guid})`,
      },
    },
    open: {
      members: [
        ...[
          'guid',
          'id',
          'name',
          'summary',
          'description',
          'rules',
          'prizes',
          'imageUrl',
          'bannerUrl',
          'status',
          'timezone',
        ],
        ...['startsAt', 'endsAt', 'registrationOpensAt', 'registrationClosesAt', 'rosterLocksAt', 'teamSizeMin'],
        ...[
          'teamSizeMax',
          'teamSizeActive',
          'capacity',
          'publicRegistration',
          'requirements',
          'additionalFields',
          'links',
        ],
        ...[
          'organiserGuid',
          'visibilityScope',
          'language',
          'streamDelaySeconds',
          'liveScores',
          'cancelReason',
          'createdAt',
        ],
        ...['updatedAt', 'listed'],
      ],
    },
  },
)

export const placements = kind(
  'placements',
  columnsOf(tournamentCounts, {
    ...{ tournamentGuid: ofTournament, teams: derived, registered: derived, qualified: derived, players: derived },
  }),
  {
    beside: sql` cross join lateral (select each.* from ${tournaments} t
    cross join lateral jsonb_to_recordset(t.placements) as each(place integer, "teamGuid" uuid)
    where t.guid = ${tournamentCounts.tournamentGuid}) p`,
    more: {
      place: { schema: Type.Integer(), value: sql`p.place` },
      teamGuid: { schema: Guid, value: sql`p."teamGuid"` },
    },
    order: ['place', 'teamGuid'],
    open: { members: ['place', 'teamGuid'] },
    brings: { names: { teamGuid: 'teams' } },
  },
)

export const roles = kind(
  'roles',
  columnsOf(tournamentRoleHolders, {
    ...{ tournamentGuid: ofTournament, userGuid: person, role: word, grantedBy: person, grantedAt: plain },
  }),
  { order: ['userGuid', 'role'], open: { members: ['userGuid', 'role'] } },
)

export const timeline = kind(
  'timeline',
  columnsOf(timelineEvents, {
    ...{ guid: plain, tournamentGuid: ofTournament, title: text, description: text, icon: word },
    ...{ startTime: plain, endTime: plain, createdAt: plain, updatedAt: plain },
  }),
  { open: { members: ['guid', 'title', 'description', 'icon', 'startTime', 'endTime'] } },
)

/** Of a deleted update, nothing but its GUID is kept, and that is not in packages. */
export const updatesKind = kind(
  'updates',
  columnsOf(updates, {
    ...{ guid: plain, tournamentGuid: ofTournament, authorGuid: person, title: text, content: text },
    // As text, which keeps the order of members.
    changes: json(Type.String({ description: 'A list of cards, as JSON.' }), {
      personal: 'text',
      value: sql`${updates.changes}::text`,
    }),
    publishedHash: never('recognises a repeated request'),
    ...{ createdAt: plain, updatedAt: plain },
    deletedAt: never('deleted updates are in no package'),
  }),
  {
    of: (guid) => sql`${updates.tournamentGuid} = ${guid} and ${updates.deletedAt} is null`,
    open: { members: ['guid', 'title', 'content', 'changes', 'createdAt', 'updatedAt'] },
    nameless: 'none',
    // No request that is repeated has this digest.
    brings: { columns: ({ guid }) => ({ publishedHash: hexOf(digestOf(`imported ${guid}`)) }) },
  },
)
