import { sql } from 'drizzle-orm'
import { type TSchema, Type } from 'typebox'
import { impersonal } from '../../../../core/packages/marks.ts'
import { tournamentRoles } from '../../../../core/roles.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { maxEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import {
  iconPattern,
  maxDescriptionCharacters,
  maxTitleCharacters as maxEventTitle,
} from '../../../tournaments/timeline/rules.ts'
import { timelineEvents } from '../../../tournaments/timeline/tables.ts'
import { CreateBody, StatusBody } from '../../../tournaments/tournaments/bodies.ts'
import { maxTextCharacters } from '../../../tournaments/tournaments/rules/settings.ts'
import { listings, tournamentCounts, tournaments } from '../../../tournaments/tournaments/tables.ts'
import {
  type AnnouncementKind,
  announcementKinds,
  fieldSubjects,
  fieldTypes,
  liveScores,
  tournamentStatuses,
  visibilityScopes,
} from '../../../tournaments/tournaments/types.ts'
import { maxCardsLength, maxContentCharacters, maxTitleCharacters } from '../../../tournaments/updates/rules/content.ts'
import { updates } from '../../../tournaments/updates/tables.ts'
import {
  Address,
  Country,
  like,
  lineLike,
  lineUpTo,
  listLike,
  markdownUpTo,
  nameLike,
  nameUpTo,
  textLike,
  textUpTo,
  wordOf,
} from './bounds.ts'
import {
  columnsOf,
  follows,
  hexOf,
  kind,
  link,
  never,
  ofTournament,
  person,
  personal,
  plain,
  shortId,
  typed,
} from './kind.ts'

const { name, summary, timezone, teamSize, capacity, requirements, additionalFields, announcementRoles } =
  CreateBody.properties
const { streamDelaySeconds, announcements } = CreateBody.properties
const { chatAccountAgeDays, countries, rankA } = requirements.properties
const { label, help, options } = additionalFields.items.properties
const Size = like(teamSize.properties.min)
const Markdown = markdownUpTo(maxTextCharacters)

const Range = like(rankA)
const Requirements = Type.Object(
  {
    countries: Type.Optional(personal('place', listLike(countries, Country))),
    rankA: Type.Optional(Range),
    rankB: Type.Optional(Range),
    rankingA: Type.Optional(Type.Boolean()),
    rankingB: Type.Optional(Type.Boolean()),
    emailVerified: Type.Optional(Type.Boolean()),
    chatAccountAgeDays: Type.Optional(like(chatAccountAgeDays)),
    verifiedLinks: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const Field = Type.Object({
  guid: Guid,
  label: nameLike(label, 'text'),
  help: nullable(textLike(help)),
  type: oneOf(fieldTypes),
  required: Type.Boolean(),
  options: listLike(options, textLike(options.items)),
  subject: oneOf(fieldSubjects),
  private: Type.Boolean(),
})

const Link = nullable(Address)
const Links = Type.Object({ chatInvite: Link, website: Link, stream: Link, rulesUrl: Link })

/** Something for each of the kinds of announcements that are on. */
const ofKinds = (schema: (kind: AnnouncementKind) => TSchema) =>
  Type.Object(Object.fromEntries(announcementKinds.map((kind) => [kind, Type.Optional(schema(kind))])))

const derived = follows('the rows of the package')

/** The tournament, and whether the system platform lists it. */
export const tournament = kind(
  'tournament',
  columnsOf(tournaments, {
    ...{ guid: plain, id: shortId, name: typed(nameLike(name)), summary: typed(textLike(summary)) },
    ...{
      description: typed(Markdown),
      rules: typed(Markdown),
      prizes: typed(Markdown),
      imageUrl: link,
      bannerUrl: link,
    },
    ...{ status: typed(oneOf(tournamentStatuses)), timezone: typed(personal('place', like(timezone))) },
    ...{
      startsAt: plain,
      endsAt: plain,
      registrationOpensAt: plain,
      registrationClosesAt: plain,
      rosterLocksAt: plain,
    },
    ...{
      teamSizeMin: typed(Size),
      teamSizeMax: typed(Size),
      teamSizeActive: typed(Size),
      capacity: typed(like(capacity)),
    },
    publicRegistration: plain,
    requirements: typed(Requirements),
    additionalFields: typed(listLike(additionalFields, Field)),
    links: typed(Links),
    organiserGuid: person,
    visibilityScope: typed(oneOf(visibilityScopes)),
    chatWebhookUrl: never('a secret address'),
    chatWebhooks: never('secret addresses'),
    announcements: typed(ofKinds((kind) => textLike(announcements.properties[kind]))),
    announcementRoles: typed(ofKinds((kind) => personal('contact', like(announcementRoles.properties[kind])))),
    language: typed(impersonal('word', like(CreateBody.properties.language))),
    streamDelaySeconds: typed(like(streamDelaySeconds)),
    streamDelayFrom: never('of the delay that is under way'),
    channelDelaySeconds: follows('channels.delaySeconds'),
    liveScores: typed(oneOf(liveScores)),
    rehearsalOf: never('a rehearsal is in no package'),
    restoredAt: never('when an import brought it here'),
    spoilerMode: never('of how the public sees it here; an imported tournament is open'),
    placements: follows('placements'),
    cancelReason: typed(lineLike(StatusBody.properties.reason)),
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
    brings: {
      columns: ({ restoredAt = null }) => ({ restoredAt }),
      lacks: { timezone: () => 'UTC' },
      form: ({ links, ...row }) => ({
        ...row,
        links: { chatInvite: null, website: null, stream: null, rulesUrl: null, ...(links as object) },
      }),
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
      place: { schema: Type.Integer({ minimum: 1, maximum: maxEntrants }), value: sql`p.place` },
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
    ...{
      tournamentGuid: ofTournament,
      userGuid: person,
      role: typed(oneOf(tournamentRoles)),
      grantedBy: person,
      grantedAt: plain,
    },
  }),
  { order: ['userGuid', 'role'], open: { members: ['userGuid', 'role'] } },
)

export const timeline = kind(
  'timeline',
  columnsOf(timelineEvents, {
    ...{ guid: plain, tournamentGuid: ofTournament, title: typed(nameUpTo(maxEventTitle, 'text')) },
    ...{ description: typed(textUpTo(maxDescriptionCharacters)), icon: typed(wordOf(iconPattern)) },
    ...{ startTime: plain, endTime: plain, createdAt: plain, updatedAt: plain },
  }),
  { open: { members: ['guid', 'title', 'description', 'icon', 'startTime', 'endTime'] } },
)

/** Of a deleted update, nothing but its GUID is kept, and that is not in packages. */
export const updatesKind = kind(
  'updates',
  columnsOf(updates, {
    ...{ guid: plain, tournamentGuid: ofTournament, authorGuid: person, title: typed(lineUpTo(maxTitleCharacters)) },
    content: typed(markdownUpTo(maxContentCharacters)),
    // As text, which keeps the order of members.
    changes: typed(Type.String({ maxLength: maxCardsLength, description: 'A list of cards, as JSON.' }), {
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
    brings: {
      columns: ({ guid }) => ({ publishedHash: hexOf(digestOf(`imported ${guid}`)) }),
      byCaller: ['authorGuid'],
    },
  },
)
