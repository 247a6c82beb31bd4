import { type Static, Type } from 'typebox'
import type { Actor } from '../../../core/actor.ts'
import { aboutHtml } from '../../../core/rendered.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { beginning } from '../../../core/text.ts'
import { formatInstant } from '../../../core/time.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { maySeeChatSetting } from './policy.ts'
import type { TournamentRecord } from './queries.ts'
import { excerptCharacters } from './rules/listing.ts'
import { foreignSigners } from './store/importing.ts'
import type { Listed, ListedParts } from './store/list.ts'
import {
  type AdditionalField,
  type AnnouncementRoles,
  type Announcements,
  announcementKinds,
  fieldSubjects,
  fieldTypes,
  liveScores,
  type Requirements,
  type Settings,
  spoilerModes,
  tournamentStatuses,
  visibilityScopes,
} from './types.ts'

const address = (example: string) => nullable(Type.String({ examples: [example] }))
const moment = nullable(Instant)
const bound = Type.Optional(Type.Integer({ examples: [500] }))
const RankRange = Type.Object({ min: bound, max: bound }, { description: '1 is the best rank.' })

const AdditionalFieldView = Type.Object(
  {
    guid: Guid,
    label: Type.String({ examples: ['Where do you play?'] }),
    help: nullable(Type.String()),
    type: oneOf(fieldTypes),
    required: Type.Boolean(),
    options: Type.Array(Type.String()),
    subject: oneOf(fieldSubjects),
    private: Type.Boolean({
      description: 'Answers are shown to staff alone; those that are given while it is so, ever after.',
    }),
  },
  { title: 'AdditionalField' },
)

const count = Type.Integer({ examples: [12] })

const recordMembers = {
  guid: Guid,
  id: Type.String({ description: 'Short id.', examples: ['spring-cup'] }),
  name: Type.String({ examples: ['Spring Cup'] }),
  summary: nullable(Type.String(), 'Plain text.'),
  description: nullable(Type.String(), 'Markdown.'),
  rules: nullable(Type.String(), 'Markdown.'),
  prizes: nullable(Type.String(), 'Markdown.'),
  imageUrl: address('https://cdn.example.org/cup.png'),
  bannerUrl: address('https://cdn.example.org/cup-banner.png'),
  status: oneOf(tournamentStatuses),
  timezone: Type.String({ description: 'IANA name.', examples: ['Europe/Berlin'] }),
  startsAt: moment,
  endsAt: moment,
  registrationOpensAt: moment,
  registrationClosesAt: moment,
  rosterLocksAt: moment,
  teamSize: Type.Object({ min: Type.Integer(), max: Type.Integer(), active: Type.Integer() }),
  capacity: nullable(Type.Integer({ examples: [64] }), 'Registered teams at most; null for no limit.'),
  publicRegistration: Type.Boolean(),
  requirements: Type.Unsafe<Requirements>(
    Type.Object({
      countries: Type.Optional(Type.Array(Type.String(), { examples: [['CA']] })),
      rankA: Type.Optional(RankRange),
      rankB: Type.Optional(RankRange),
      rankingA: Type.Optional(Type.Boolean()),
      rankingB: Type.Optional(Type.Boolean()),
      emailVerified: Type.Optional(Type.Boolean()),
      chatAccountAgeDays: Type.Optional(Type.Integer()),
      verifiedLinks: Type.Optional(Type.Boolean()),
    }),
  ),
  additionalFields: Type.Unsafe<readonly AdditionalField[]>(Type.Array(AdditionalFieldView)),
  links: Type.Object({
    chatInvite: address('https://chat.example.org/cup'),
    website: address('https://cup.example.org'),
    stream: address('https://stream.example.org/cup'),
    rulesUrl: address('https://cup.example.org/rules'),
  }),
  chatWebhookUrl: Type.Optional(
    nullable(Type.String({ examples: ['configured'] }), '`configured` or null, for those who may change settings.'),
  ),
  chatWebhooks: Type.Optional(
    Type.Array(
      Type.Object({
        label: Type.String({ examples: ['casters'] }),
        url: Type.String({ description: 'Always `configured`.', examples: ['configured'] }),
      }),
      { description: 'Further chat channels, for those who may change settings.' },
    ),
  ),
  announcements: Type.Optional(
    Type.Unsafe<Announcements>(
      Type.Object(
        Object.fromEntries(announcementKinds.map((kind) => [kind, Type.Optional(Type.String({ examples: ['main'] }))])),
        {
          description:
            'What the chat is told by itself, and in which channel; kinds that are off are absent. For those who may change settings.',
        },
      ),
    ),
  ),
  announcementRoles: Type.Optional(
    Type.Unsafe<AnnouncementRoles>(
      Type.Object(
        Object.fromEntries(
          announcementKinds.map((kind) => [
            kind,
            Type.Optional(Type.Array(Type.String({ examples: ['987654321098765432'] }))),
          ]),
        ),
        { description: 'IDs of the chat’s roles that are mentioned. For those who may change settings.' },
      ),
    ),
  ),
  language: Type.String({ description: 'BCP 47, of the texts that the service writes.', examples: ['en'] }),
  streamDelaySeconds: Type.Integer({
    minimum: 0,
    maximum: 1800,
    description:
      'By so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`.',
    examples: [90],
  }),
  liveScores: oneOf(liveScores, { description: 'Who may follow scores while a map is played.' }),
  spoilerMode: oneOf(spoilerModes, { description: '`held`: everybody but the staff sees the competition late.' }),
  organiser: UserCard,
  visibilityScope: oneOf(visibilityScopes),
  counts: Type.Object({
    teams: count,
    registered: Type.Integer({ description: 'Qualified teams included.', examples: [8] }),
    qualified: count,
    players: count,
  }),
  placements: Type.Array(
    Type.Object({
      place: Type.Integer({ minimum: 1 }),
      team: Type.Object({
        guid: Guid,
        id: Type.String(),
        name: Type.String(),
        imageUrl: address('https://cdn.example.org/teams/quavers.png'),
      }),
    }),
  ),
  cancelReason: nullable(Type.String(), 'What its organisers told of its cancellation.'),
  createdAt: Instant,
  updatedAt: Instant,
}

/** A tournament's record in an answer. (additions: Tournament record) */
export const TournamentView = Type.Object(
  {
    ...recordMembers,
    rehearsal: Type.Optional(
      Type.Object(
        {
          of: Guid,
          name: Type.String({ examples: ['Dry run of Friday'] }),
          seed: Type.String({ description: 'What all draws come from.', examples: ['friday'] }),
        },
        {
          description:
            'The tournament is a rehearsal of another one; only staff of that one see it. With the rest of what was asked for, and when it ends, at `/tournaments/{of}/rehearsals/{guid}`.',
        },
      ),
    ),
    importSigner: Type.Optional(
      oneOf(foreignSigners, {
        description:
          'The tournament was imported from a package that nobody signed whose key is known here. Until it is approved, its staff and reviewers are told so.',
      }),
    ),
  },
  { title: 'Tournament' },
)
export type TournamentView = Static<typeof TournamentView>

const rendered = nullable(
  Type.String({ examples: ['<p>Three maps <strong>each</strong>.</p>\n'] }),
  'null where the text is null.',
)

/** The texts of a tournament as HTML. (D36) */
export const RenderedTexts = Type.Object(
  { description: rendered, rules: rendered, prizes: rendered },
  {
    title: 'RenderedTournamentTexts',
    description: `The texts as ${aboutHtml}`,
  },
)

const { additionalFields: fieldsMember, ...briefMembers } = recordMembers
const beginningOf = nullable(
  Type.String(),
  `Markdown; its first ${excerptCharacters} characters, unless \`include\` has \`texts\`.`,
)

/** A tournament in a list, with only the beginning of its long texts, as a card shows them. */
export const ListedTournament = Type.Object(
  {
    ...briefMembers,
    description: beginningOf,
    rules: beginningOf,
    prizes: beginningOf,
    additionalFields: Type.Optional(fieldsMember),
  },
  { title: 'ListedTournament' },
)
export type ListedTournament = Static<typeof ListedTournament>

/** The settings as the record and the events show them. */
export function settingsView(settings: Settings) {
  const { teamSizeMin: min, teamSizeMax: max, teamSizeActive: active, ...shown } = settings
  return {
    id: shown.id,
    name: shown.name,
    summary: shown.summary,
    description: shown.description,
    rules: shown.rules,
    prizes: shown.prizes,
    imageUrl: shown.imageUrl,
    bannerUrl: shown.bannerUrl,
    timezone: shown.timezone,
    startsAt: formatInstant(shown.startsAt),
    endsAt: formatInstant(shown.endsAt),
    registrationOpensAt: formatInstant(shown.registrationOpensAt),
    registrationClosesAt: formatInstant(shown.registrationClosesAt),
    rosterLocksAt: formatInstant(shown.rosterLocksAt),
    teamSize: { min, max, active },
    capacity: shown.capacity,
    publicRegistration: shown.publicRegistration,
    requirements: shown.requirements,
    additionalFields: shown.additionalFields,
    links: shown.links,
    streamDelaySeconds: shown.streamDelaySeconds,
    liveScores: shown.liveScores,
    spoilerMode: shown.spoilerMode,
    language: shown.language,
    chatWebhookUrl: shown.chatWebhookUrl === null ? null : 'configured',
    chatWebhooks: shown.chatWebhooks.map(({ label }) => ({ label, url: 'configured' })),
    announcements: shown.announcements,
    announcementRoles: shown.announcementRoles,
  }
}

export type SettingsView = ReturnType<typeof settingsView>

/** The public view of a tournament in a list. */
export function listedView(record: TournamentRecord<Listed['tournament']>, { texts }: ListedParts): ListedTournament {
  const { additionalFields } = record.tournament
  const tournament = { ...record.tournament, additionalFields: additionalFields ?? [] }
  const { additionalFields: _fields, description, rules, prizes, ...view } = tournamentView({ ...record, tournament })
  const shown = (text: string | null) => (texts || text === null ? text : beginning(text, excerptCharacters))
  return {
    ...view,
    description: shown(description),
    rules: shown(rules),
    prizes: shown(prizes),
    ...(additionalFields === undefined ? {} : { additionalFields }),
  }
}

/** @param actor the viewer with their roles in this tournament; without one, the view is the public one */
export function tournamentView(record: TournamentRecord, actor?: Actor): TournamentView {
  const { tournament, counts, organiser, teams, importSigner, rehearsal } = record
  const isShownImport = importSigner !== undefined && actor !== undefined && actor.view === null
  const { chatWebhookUrl, chatWebhooks, announcements, announcementRoles, ...settings } = settingsView(tournament)
  const ofChat = { chatWebhookUrl, chatWebhooks, announcements, announcementRoles }
  return {
    guid: tournament.guid,
    ...settings,
    ...(actor !== undefined && maySeeChatSetting(actor) ? ofChat : {}),
    ...(tournament.rehearsalOf === null || rehearsal === undefined
      ? {}
      : { rehearsal: { of: tournament.rehearsalOf, ...rehearsal } }),
    ...(isShownImport ? { importSigner } : {}),
    status: tournament.status,
    organiser: userCard(organiser),
    visibilityScope: tournament.visibilityScope,
    counts,
    placements: tournament.placements.flatMap(({ place, teamGuid }) => {
      const team = teams.get(teamGuid)
      return team === undefined ? [] : [{ place, team }]
    }),
    cancelReason: tournament.cancelReason,
    createdAt: formatInstant(tournament.createdAt),
    updatedAt: formatInstant(tournament.updatedAt),
  }
}
