import { Type } from 'typebox'
import { type SignedIn, signedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../../core/operation.ts'
import {
  decodeCursor,
  defaultPageSize,
  isMakingPosition,
  jsonBytes,
  makingPosition,
  toPage,
} from '../../../../core/page.ts'
import { NextCursor, oneOf, PageQuery } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { playedTag } from '../../../people/users/views.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import { usedBeforeTags } from '../../pools/events.ts'
import { referenceProblems, referenceRefusals } from '../../pools/routes/maps.ts'
import { EditSuggestionBody, SuggestBody } from '../bodies.ts'
import { editSuggestion, makeSuggestion, withdrawSuggestion } from '../commands/suggestions.ts'
import { suggesters } from '../policy.ts'
import { lookUpSuggested } from '../prepare.ts'
import { viewSuggestion, viewSuggestions } from '../queries.ts'
import { listSuggestions, type SuggestionFilter } from '../store/suggestions.ts'
import { suggestionStatuses } from '../types.ts'
import { SuggestionView } from '../views.ts'

export const suggestionsPath = `${tournamentPath}/suggestions` as const
export const suggestionPath = `${suggestionsPath}/:suggestion` as const

/** Problems of a request that names a target pool or flair. */
const targetProblems = {
  'suggestion.target_unknown': 400,
  'flair.unknown': 400,
  'pool.unknown': 404,
  'pool.archived': 409,
} as const

/** Problems of a request that changes the status of a suggestion. */
export const stepProblems = { 'tournament.cancelled': 409, 'suggestion.wrong_status': 409 } as const

export const existsRefusals = {
  409: Type.Object({
    message: Type.String(),
    suggestionGuid: Type.Optional(Type.String({ description: 'The open suggestion of the same map.' })),
  }),
}

const listName = 'suggestions'

const list = query({
  name: 'suggestions.list',
  method: 'GET',
  path: suggestionsPath,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'The maps that were suggested for pools, newest first.',
  description:
    'Poolers see all of them, with how was voted once they may; everybody else those that they made themselves, and how these were decided.',
  query: Type.Object({
    ...PageQuery,
    status: Type.Optional(oneOf(suggestionStatuses, { description: 'What became of them.' })),
    pool: Type.Optional(Type.String({ format: 'uuid', description: 'GUID of the pool that they are for.' })),
    by: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a user, or `@me`.' })),
  }),
  reply: { 200: Type.Object({ suggestions: Type.Array(SuggestionView), nextCursor: NextCursor }) },
  live: { query: ['status', 'pool', 'by'] },
  run: async ({ db, actor, tournament, query: asked, now, depends }) => {
    const { limit = defaultPageSize, before } = asked
    const after = decodeCursor(listName, before, isMakingPosition)
    const filter = await filterOf(db, actor, asked)
    const rows = filter === null ? [] : await listSuggestions(db, tournament.guid, { ...filter, after, limit })
    const views = await viewSuggestions(db, rows, { actor, tournamentGuid: tournament.guid, now })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition, views.map(jsonBytes))
    const suggestions = views.slice(0, items.length)
    const named = items.flatMap(({ suggestedByGuid, decidedByGuid }) => [suggestedByGuid, decidedByGuid ?? []].flat())
    depends(tournament.guid, actor.guid, playedTag, ...new Set([...named, ...usedBeforeTags(suggestions)]))
    return { suggestions, nextCursor }
  },
})

type Asked = { readonly status?: SuggestionFilter['status']; readonly pool?: string; readonly by?: string }

/**
 * Returns the filter for the store, limited to suggestions that the caller may see; null if the filter cannot match
 * any.
 */
async function filterOf(
  db: Db,
  actor: SignedIn,
  { status, pool, by }: Asked,
): Promise<Omit<SuggestionFilter, 'after' | 'limit'> | null> {
  const maker = by === undefined ? undefined : await makerOf(db, actor, by)
  if (maker === null) return null
  if (isPooler(actor)) {
    return { status, targetPoolGuid: pool === undefined ? undefined : normaliseGuid(pool), suggestedByGuid: maker }
  }
  // Other users may not know the target pool, and see no suggestions of others.
  if (pool !== undefined || (maker !== undefined && maker !== actor.guid)) return null
  return { status, suggestedByGuid: actor.guid }
}

async function makerOf(db: Db, actor: SignedIn, by: string): Promise<string | null> {
  if (by === '@me') return actor.guid
  // Accepts the GUID of a deleted user, too.
  if (isGuid(by)) return normaliseGuid(by)
  return (await findUser(db, by))?.guid ?? null
}

const create = command({
  name: 'suggestions.create',
  method: 'POST',
  path: suggestionsPath,
  scope: 'rest:write',
  socket: true,
  allow: signedIn,
  summary: 'Suggest a map for a pool.',
  description:
    'For poolers and, where the tournament has `openSuggestions`, everybody who may see it, with at most twenty open ones each. All that one person suggested in a tournament, withdrawn ones among them, is at most 200, and 2,000 of a pooler. A map is suggested by one pooler at a time: another one is refused, with `suggestionGuid`. Nobody else is told what was suggested, and nobody else says for which pool.',
  body: SuggestBody,
  reply: { 201: SuggestionView },
  refusals: { ...referenceRefusals, ...existsRefusals },
  problems: {
    ...referenceProblems,
    ...targetProblems,
    'role.missing': 403,
    'tournament.cancelled': 409,
    'suggestion.exists': 409,
    'suggestion.too_many': 409,
    'suggestion.limit_reached': 409,
  },
  prepare: ({ db, actor, body, ...asking }) => lookUpSuggested(db, actor, body, asking),
  run: async ({ tx, actor, tournament, body, prepared, now }) => {
    const made = await makeSuggestion(tx, { actor, tournament, now }, prepared, body)
    return viewSuggestion(tx, made, { actor, tournamentGuid: tournament.guid, now })
  },
})

const read = query({
  name: 'suggestions.read',
  method: 'GET',
  path: suggestionPath,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'One map that was suggested, with what became of it.',
  description: 'For poolers, and for whoever made it, who sees how it was decided.',
  reply: { 200: SuggestionView },
  live: {},
  run: async ({ db, actor, tournament, suggestion, now, depends }) => {
    const { guid, suggestedByGuid, decidedByGuid } = suggestion
    const named = decidedByGuid === null ? [suggestedByGuid] : [suggestedByGuid, decidedByGuid]
    const view = await viewSuggestion(db, suggestion, { actor, tournamentGuid: tournament.guid, now })
    depends(tournament.guid, guid, actor.guid, playedTag, ...named, ...usedBeforeTags([view]))
    return view
  },
})

const update = command({
  name: 'suggestions.update',
  method: 'PATCH',
  path: suggestionPath,
  scope: 'rest:write',
  socket: true,
  allow: suggesters,
  summary: 'Change what one said beside a map that one suggested, while that is open.',
  description: 'What is not given stays. Poolers alone say for which pool and flair it is.',
  body: EditSuggestionBody,
  reply: { 200: SuggestionView },
  problems: { ...targetProblems, ...stepProblems },
  run: async ({ tx, actor, tournament, suggestion, body, now }) => {
    const changed = await editSuggestion(tx, { actor, tournament, now }, suggestion.guid, body)
    return viewSuggestion(tx, changed, { actor, tournamentGuid: tournament.guid, now })
  },
})

const withdraw = command({
  name: 'suggestions.withdraw',
  method: 'POST',
  path: `${suggestionPath}/withdraw`,
  scope: 'rest:write',
  socket: true,
  allow: suggesters,
  summary: 'Take a suggestion back, while it is open.',
  description: 'For whoever made it. Its votes and comments stay; heads can open it again.',
  reply: { 200: SuggestionView },
  problems: stepProblems,
  run: async ({ tx, actor, tournament, suggestion, now }) => {
    const changed = await withdrawSuggestion(tx, { actor, tournament, now }, suggestion.guid)
    return viewSuggestion(tx, changed, { actor, tournamentGuid: tournament.guid, now })
  },
})

export const suggestionsOperations = [list, create, read, update, withdraw]
