import { Type } from 'typebox'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import { rehearsalKeepers } from '../rehearsals/policy.ts'
import { ApplyBody } from './bodies.ts'
import { applyDifferences } from './commands.ts'
import { readDifferences } from './queries.ts'
import { AppliedView, appliedView, DifferencesView, differencesView } from './views.ts'

const path = `${tournamentPath}/rehearsals/:rehearsal` as const

const read = query({
  name: 'rehearsals.differences',
  method: 'GET',
  path: `${path}/differences`,
  scope: 'rest:read',
  allow: rehearsalKeepers,
  summary: 'What a rehearsal has otherwise than its tournament.',
  description:
    'Settings of the record, channels, the best-of of rounds, and times of matches that have not begun in the tournament. Not compared are short ids and webhooks, which a rehearsal has no copies of.',
  reply: { 200: DifferencesView },
  run: async ({ db, tournament, rehearsal }) => {
    const { differences, updatedAt } = await readDifferences(db, tournament, rehearsal)
    return differencesView(differences, updatedAt)
  },
})

const apply = command({
  name: 'rehearsals.apply',
  method: 'POST',
  path: `${path}/apply`,
  scope: 'rest:write',
  allow: rehearsalKeepers,
  summary: 'Give the tournament some of what was tried in a rehearsal.',
  description:
    'In one step, and as if the caller did it by the operations for each: all of the chosen fields, or the refusal of one and nothing. Times are those of the rehearsal. What was changed in the tournament after `expectedUpdatedAt` is not overwritten. With `dryRun=true` the answer or the refusal is the same, and nothing is changed.',
  query: Type.Object({
    dryRun: Type.Optional(Type.Boolean({ description: 'Only tell what would happen.' })),
  }),
  body: ApplyBody,
  reply: { 200: AppliedView },
  problems: {
    'rehearsal.no_difference': 409,
    'tournament.stale': 409,
    'tournament.invalid': 400,
    'tournament.fields_too_long': 400,
    'tournament.dates_out_of_order': 400,
    'tournament.capacity_too_small': 409,
    'tournament.cancelled': 409,
    'tournament.over': 409,
    'media.reference_invalid': 400,
    'channel.invalid': 400,
    'bracket.settings_invalid': 400,
    'bracket.round_played': 409,
  },
  run: async ({ tx, actor, tournament, rehearsal, query, body, services: { config }, now }) => {
    const { fields, expectedUpdatedAt } = body
    const isDryRun = query.dryRun ?? body.dryRun ?? false
    const surroundings = { chatApiUrl: config.chat.apiUrl, mediaUrl: config.media.url, now }
    const applying = { actor, tournament, rehearsal, fields, expectedUpdatedAt, isDryRun, surroundings }
    return appliedView(await applyDifferences(tx, applying), isDryRun)
  },
})

export const differencesOperations = [read, apply]
