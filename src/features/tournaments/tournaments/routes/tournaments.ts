import { Type } from 'typebox'
import { anyone, signedIn } from '../../../../core/actor.ts'
import { Answer, command, type Operation, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import type { Services } from '../../../../services.ts'
import { ownerOnly, ranksAndPoolersAudience } from '../../access/policy.ts'
import { ChangesBody, CreateBody, HandOverBody } from '../bodies.ts'
import { deleteTournament, handOver } from '../commands/organiser.ts'
import { changeSettings, createTournament, type Surroundings } from '../commands/settings.ts'
import { settingChangers } from '../policy.ts'
import { readRecord, recordsDepend } from '../queries.ts'
import { type Include, type Includes, includeOf, includeWords, readIncludes } from '../rules/includes.ts'
import { maxDrafts } from '../rules/organiser.ts'
import { readCounts } from '../store/tournaments.ts'
import { RenderedTexts, TournamentView, tournamentView } from '../views.ts'
import { audit } from './audit.ts'
import { list, listOfPlatform } from './list.ts'

const settingProblems = {
  'tournament.invalid': 400,
  'tournament.fields_too_long': 400,
  'tournament.dates_out_of_order': 400,
  'tournament.id_taken': 409,
  'media.reference_invalid': 400,
}

function surroundings({ config }: Services, now: Date): Surroundings {
  return { chatApiUrl: config.chat.apiUrl, mediaUrl: config.media.url, now }
}

const create = command({
  name: 'tournaments.create',
  method: 'POST',
  path: '/tournaments',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Make a draft, and be its organiser.',
  description: `A draft is seen by its staff and by reviewers of platforms that it asks, and by nobody else. \`POST /tournaments/{tournament}/visibility/request\` asks for the main listing; the approval makes it public. At most ${maxDrafts} drafts at a time; global tournament managers may have any number.`,
  body: CreateBody,
  reply: { 201: TournamentView },
  problems: {
    ...settingProblems,
    'user.unknown': 404,
    'tournament.organiser_unfit': 409,
    'tournament.too_many_drafts': 409,
  },
  run: async ({ tx, actor, body, services, now }) => {
    const record = await createTournament(tx, actor, body, surroundings(services, now))
    return tournamentView(record, { ...actor, isOrganiser: true })
  },
})

const update = command({
  name: 'tournaments.update',
  method: 'PATCH',
  path: '/tournaments/:tournament',
  scope: 'rest:write',
  allow: settingChangers,
  inRehearsals: true,
  summary: 'Change settings; what is not given stays.',
  description:
    'Staff may change name, summary, description, rules, prizes, images and links; head casters `streamDelaySeconds`. With `expectedUpdatedAt`, a change that was made for an older state is refused. A rehearsal has no webhooks, and keeps its short id.',
  body: ChangesBody,
  strict: true,
  reply: { 200: TournamentView },
  problems: {
    ...settingProblems,
    'tournament.nothing_given': 400,
    'tournament.setting_forbidden': 403,
    'tournament.stale': 409,
    'tournament.capacity_too_small': 409,
    'rehearsal.not_possible': 409,
  },
  run: async ({ tx, actor, tournament, body, services, now }) => {
    const record = await changeSettings(tx, actor, tournament.guid, body, surroundings(services, now))
    return tournamentView(record, actor)
  },
})

const remove = command({
  name: 'tournaments.delete',
  method: 'DELETE',
  path: '/tournaments/:tournament',
  scope: 'rest:write',
  allow: ownerOnly,
  summary: 'Delete a draft. Any other tournament can only be cancelled.',
  description:
    'For good, with teams and everything else in it. Take any other out of sight by `POST /tournaments/{tournament}/status`.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'tournament.not_draft': 409 },
  run: async ({ tx, actor, tournament, now }) => {
    await deleteTournament(tx, actor, tournament.guid, now)
    return new Answer(204)
  },
})

const organiser = command({
  name: 'tournaments.handOver',
  method: 'POST',
  path: '/tournaments/:tournament/organiser',
  scope: 'rest:write',
  allow: ownerOnly,
  summary: 'Hand the tournament over to another organiser.',
  description: 'The one who had it keeps no right in it. The new organiser need not agree, so ask them before.',
  body: HandOverBody,
  reply: { 200: TournamentView },
  problems: { 'user.unknown': 404, 'tournament.organiser_unchanged': 409, 'tournament.organiser_unfit': 409 },
  run: async ({ tx, actor, tournament, body, now }) => {
    const record = await handOver(tx, actor, tournament.guid, body.userIdentifier, now)
    return tournamentView(record, { ...actor, isOrganiser: record.tournament.organiserGuid === actor.guid })
  },
})

/** The texts of the record as HTML that is safe to insert into a page. (D36) */
export const htmlInclude: Include = {
  schema: RenderedTexts,
  load: async ({ tournament, services, depends }) => {
    depends(tournament.guid)
    const { guid, description, rules, prizes } = tournament
    const [descriptionHtml, rulesHtml, prizesHtml] = await services.markdown.render([description, rules, prizes], guid)
    return { description: descriptionHtml, rules: rulesHtml, prizes: prizesHtml }
  },
}

/** Reads the record, with the parts that slices register. */
function read(includes: Includes): Operation {
  const parts = includeWords.map((word) => [word, includeOf(includes, word)] as const)
  const schemas = Object.fromEntries(parts.map(([word, { schema }]) => [word, Type.Optional(schema)]))
  return query({
    name: 'tournaments.read',
    method: 'GET',
    path: '/tournaments/:tournament',
    scope: 'public',
    allow: anyone,
    summary: 'The record of a tournament, with parts of it where `include` asks for them.',
    description:
      'A draft, or one that was never public, is unknown to all but its staff and reviewers. Cancelled ones can still be read here. Texts are Markdown without anything unsafe; with `html` they are answered rendered, too.',
    query: Type.Object({
      include: Type.Optional(
        Type.String({
          maxLength: 200,
          description: `Comma list of what to answer beside the record: ${includeWords.join(', ')}.`,
          examples: ['staff,timeline'],
        }),
      ),
    }),
    reply: { 200: Type.Object({ ...TournamentView.properties, ...schemas }, { title: 'TournamentWithParts' }) },
    problems: { 'include.invalid': 400 },
    audience: ranksAndPoolersAudience,
    live: {
      query: ['include'],
      sends: ['tournament.updated', 'tournament.status_changed', 'tournament.placements_changed'],
    },
    run: async ({ db, actor, tournament, query: { include }, depends, services, now }) => {
      const words = readIncludes(include)
      const [record, ...loaded] = await Promise.all([
        readCounts(db, tournament.guid).then((counts) => readRecord(db, tournament, counts)),
        ...words.map(async (word) => {
          return [
            word,
            await includeOf(includes, word).load({ db, actor, tournament, depends, services, now }),
          ] as const
        }),
      ])
      recordsDepend(depends, [record])
      return { ...tournamentView(record, actor), ...Object.fromEntries(loaded) }
    },
  })
}

export const tournamentsOperations = [list, listOfPlatform, create, update, remove, organiser, audit]

/** The operations that show the parts which other slices register. */
export function includingOperations(includes: Includes): readonly Operation[] {
  return [read(includes)]
}
