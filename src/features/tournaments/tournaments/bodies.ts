import { type Static, type TArray, type TOptional, type TSchema, type TString, Type } from 'typebox'
import { exampleUser, Guid, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { maxRoles, maxWebhooks } from './rules/announcements.ts'
import { maxFieldsLength } from './rules/fields.ts'
import { maxTextCharacters } from './rules/settings.ts'
import {
  type AnnouncementKind,
  announcementKinds,
  fieldSubjects,
  fieldTypes,
  liveScores,
  spoilerModes,
  tournamentStatuses,
} from './types.ts'

/** The request bodies of the operations on the tournament record. (additions: Tournament record) */

const optionalText = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength }), description))
const markdown = (what: string) => optionalText(maxTextCharacters, `${what}, in Markdown.`)
const address = (what: string) => optionalText(2_000, `Address of ${what}.`)
const requirement = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))

const name = Type.String({ minLength: 1, maxLength: 100, examples: ['Spring Cup'] })
const id = Type.String({ minLength: 1, maxLength: 100, description: 'Short id.', examples: ['spring-cup'] })
const size = Type.Optional(Type.Integer({ minimum: 1, maximum: 16 }))
const rank = Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 })))

/** @param closed whether unknown members are refused (D43) rather than ignored (D9) */
function settings(closed: boolean) {
  const parts = closed ? { additionalProperties: false } : {}
  const ranks = requirement(Type.Object({ min: rank, max: rank }, parts))
  return {
    summary: optionalText(280, 'Plain text.'),
    description: markdown('What the tournament is'),
    rules: markdown('The rules'),
    prizes: markdown('What is to be won'),
    imageUrl: address('the logo'),
    bannerUrl: address('the banner'),
    timezone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA name.', examples: ['Europe/Berlin'] })),
    startsAt: OptionalInstant,
    endsAt: OptionalInstant,
    registrationOpensAt: OptionalInstant,
    registrationClosesAt: OptionalInstant,
    rosterLocksAt: OptionalInstant,
    teamSize: Type.Optional(
      Type.Object(
        { min: size, max: size, active: size },
        { ...parts, description: 'Players of a team, and how many of them are on the field; what is not given stays.' },
      ),
    ),
    capacity: Type.Optional(
      nullable(Type.Integer({ minimum: 2, maximum: 4096 }), 'Registered teams at most; null for no limit.'),
    ),
    publicRegistration: Type.Optional(Type.Boolean()),
    requirements: Type.Optional(
      Type.Object(
        {
          countries: requirement(
            Type.Array(Type.String(), {
              maxItems: 250,
              description: 'ISO 3166-1 alpha-2 codes, and `XK`.',
              examples: [['CA']],
            }),
          ),
          rankA: ranks,
          rankB: ranks,
          rankingA: requirement(Type.Boolean()),
          rankingB: requirement(Type.Boolean()),
          emailVerified: requirement(Type.Boolean()),
          chatAccountAgeDays: requirement(Type.Integer({ minimum: 0, maximum: 36_500 })),
          verifiedLinks: requirement(Type.Boolean()),
        },
        { ...parts, description: 'What players must fulfil; replaces all earlier requirements.' },
      ),
    ),
    additionalFields: Type.Optional(
      Type.Array(
        Type.Object(
          {
            guid: Type.Optional(Guid),
            label: Type.String({ minLength: 1, maxLength: 200 }),
            help: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
            type: oneOf(fieldTypes),
            required: Type.Optional(Type.Boolean()),
            options: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
            subject: Type.Optional(oneOf(fieldSubjects)),
            private: Type.Optional(
              Type.Boolean({
                description: 'Answers are shown to staff alone; those that are given while it is so, ever after.',
              }),
            ),
          },
          parts,
        ),
        {
          maxItems: 50,
          description: `Questions to those who register; replaces the earlier ones. A field that keeps its GUID keeps its answers. All together have at most ${maxFieldsLength} characters, as the record shows them in JSON.`,
        },
      ),
    ),
    links: Type.Optional(
      Type.Object(
        {
          chatInvite: address('an invitation to the chat'),
          website: address('the website'),
          stream: address('the stream'),
          rulesUrl: address('the rules'),
        },
        { ...parts, description: 'What is not given stays.' },
      ),
    ),
    chatWebhookUrl: optionalText(500, 'Webhook of the chat channel that updates go to. Never returned.'),
    chatWebhooks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            label: Type.String({ minLength: 1, maxLength: 50, examples: ['casters'] }),
            url: Type.Optional(
              Type.String({ maxLength: 500, description: 'Never returned; without it, the label keeps its address.' }),
            ),
          },
          parts,
        ),
        { maxItems: maxWebhooks, description: 'Webhooks of further chat channels; replaces all earlier ones.' },
      ),
    ),
    announcements: Type.Optional(
      Type.Object(
        Object.fromEntries(
          announcementKinds.map((kind) => [
            kind,
            Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['main'] })),
          ]),
        ) as Record<AnnouncementKind, TOptional<TString>>,
        {
          ...parts,
          description:
            'What the chat is told by itself: for each kind `off`, `main` (the tournament’s webhook) or the label of a further webhook. What is not given stays.',
        },
      ),
    ),
    announcementRoles: Type.Optional(
      Type.Object(
        Object.fromEntries(
          announcementKinds.map((kind) => [
            kind,
            Type.Optional(
              Type.Array(Type.String({ pattern: '^[0-9]{1,20}$', examples: ['1184720934812345678'] }), {
                maxItems: maxRoles,
              }),
            ),
          ]),
        ) as Record<AnnouncementKind, TOptional<TArray<TString>>>,
        {
          ...parts,
          description:
            'IDs of the chat’s roles that are mentioned in messages of a kind; nobody else ever is. What is not given stays.',
        },
      ),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        description: 'BCP 47, of the texts that the service writes for the tournament.',
        examples: ['en'],
      }),
    ),
    streamDelaySeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1800,
        description:
          'How far the stream is behind the matches: by so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`.',
      }),
    ),
    liveScores: Type.Optional(
      oneOf(liveScores, {
        description: 'Who may follow scores while a map is played: everybody who sees the match, or the staff alone.',
      }),
    ),
    spoilerMode: Type.Optional(
      oneOf(spoilerModes, {
        description:
          'With `held`, everybody but the staff sees the competition as late as the stream is, asked for or not, and players their own matches as they are now. It cannot hold back what people write, stream or reschedule. With `open`, only viewers who ask for it with `delayed` do.',
      }),
    ),
  }
}

const exampleWebhook = {
  label: 'players',
  url: 'https://chat.example.org/api/webhooks/1184720934812345678/token-of-the-webhook',
}

export const CreateBody = Type.Object(
  { name, id, ...settings(false) },
  {
    title: 'NewTournament',
    examples: [
      {
        name: 'Spring Cup',
        id: 'spring-cup',
        summary: 'Four days, one champion.',
        description: 'Everybody is **welcome**.',
        timezone: 'Europe/Berlin',
        startsAt: '2027-05-01T16:00:00.000Z',
        endsAt: '2027-05-04T20:00:00.000Z',
        registrationOpensAt: '2027-03-01T10:00:00.000Z',
        registrationClosesAt: '2027-04-20T22:00:00.000Z',
        teamSize: { min: 3, max: 5, active: 3 },
        capacity: 32,
        publicRegistration: true,
        requirements: { rankA: { min: null, max: 5_000 }, chatAccountAgeDays: 30 },
        additionalFields: [
          {
            label: 'Where do you play from?',
            type: 'select',
            required: true,
            options: ['Europe', 'Americas'],
            subject: 'team',
          },
        ],
        links: { website: 'https://spring-cup.example.org', chatInvite: 'https://chat.example.org/spring-cup' },
        chatWebhooks: [exampleWebhook],
        announcements: { match_called: 'players', match_finished: 'players' },
        announcementRoles: { match_called: ['1184720934812345678'] },
        language: 'en',
      },
    ],
  },
)

export const ChangesBody = Type.Object(
  {
    name: Type.Optional(name),
    id: Type.Optional(id),
    ...settings(true),
    expectedUpdatedAt: OptionalInstant,
  },
  {
    title: 'TournamentChanges',
    examples: [
      {
        name: 'Spring Cup 2027',
        capacity: 64,
        registrationClosesAt: '2027-04-25T22:00:00.000Z',
        chatWebhooks: [exampleWebhook],
        announcements: { match_called: 'players', registration_closing: 'off' },
      },
    ],
  },
)

type Changes = Static<typeof ChangesBody>
/** The settings that a request gives, with the member names of the record. */
export type SettingsInput = Omit<Changes, 'expectedUpdatedAt'>
export type SettingName = keyof SettingsInput
export type FieldInput = NonNullable<Changes['additionalFields']>[number]
export type RequirementsInput = NonNullable<Changes['requirements']>
export type LinksInput = NonNullable<Changes['links']>

export const StatusBody = Type.Object(
  {
    status: oneOf(tournamentStatuses),
    reason: Type.Optional(
      nullable(Type.String({ maxLength: 2_000 }), 'For the audit list; everybody reads that of a cancellation.'),
    ),
  },
  { examples: [{ status: 'ongoing', reason: 'All teams are here.' }] },
)

export const HandOverBody = Type.Object({
  userIdentifier: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'GUID, chat-platform ID or linked ranking ID of the new organiser.',
    examples: [exampleUser],
  }),
})
