import { Type } from 'typebox'
import { normaliseGuid } from '../../../../core/ids.ts'
import { command, query } from '../../../../core/operation.ts'
import { exampleGuid, Guid, oneOf } from '../../../../core/schema.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { visibilityScopes } from '../../../tournaments/tournaments/types.ts'
import { maxPlatforms } from '../../platforms/rules.ts'
import { choosePlatforms, requestMainListing } from '../commands.ts'
import { canRequest } from '../rules.ts'
import { listStandings } from '../store/requests.ts'
import { Overview, organiserRequestView, overviewView, VisibilityRequest } from '../views.ts'

/** Operations of the organiser. */

const read = query({
  name: 'visibility.read',
  method: 'GET',
  path: '/tournaments/:tournament/visibility',
  scope: 'rest:read',
  allow: organisers,
  inRehearsals: false,
  summary: 'Where the tournament wants to be seen, and what became of its requests.',
  description: 'Per platform: whether it was asked, how it decided, and its reason where that is for the organiser.',
  reply: { 200: Overview },
  run: async ({ db, actor, tournament }) => overviewView(tournament, await listStandings(db, tournament.guid), actor),
})

const choose = command({
  name: 'visibility.choose',
  method: 'PUT',
  path: '/tournaments/:tournament/visibility',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Choose the platforms that the tournament asks to be listed on.',
  description:
    'Platforms that are chosen are asked, again if they had rejected the request or it was withdrawn; requests to all others are withdrawn. The system platform is always chosen. With the scope `all`, so is every platform that is made while the tournament is active.',
  body: Type.Object(
    {
      scope: oneOf(visibilityScopes),
      platformGuids: Type.Optional(
        Type.Array(Guid, { maxItems: maxPlatforms, description: 'For the scope `selected`; others ignore it.' }),
      ),
    },
    { examples: [{ scope: 'selected', platformGuids: [exampleGuid] }] },
  ),
  reply: { 200: Overview },
  problems: { 'platform.unknown': 400, 'visibility.not_active': 400 },
  run: async ({ tx, actor, tournament, body: { scope, platformGuids = [] }, now }) => {
    const wish = { scope, platformGuids: platformGuids.map(normaliseGuid) }
    const chosen = await choosePlatforms(tx, actor, tournament.guid, wish, now)
    return overviewView(chosen.tournament, chosen.standings, actor)
  },
})

const request = command({
  name: 'visibility.request',
  method: 'POST',
  path: '/tournaments/:tournament/visibility/request',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Ask for the tournament to be approved and stand on the main listing.',
  description: 'Asking again after a rejection submits the request again; otherwise it stays as it is.',
  reply: {
    200: Type.Object({
      request: VisibilityRequest,
      canRequest: Type.Boolean({ description: 'False when asking again is of no use.' }),
    }),
  },
  problems: { 'visibility.not_active': 400 },
  run: async ({ tx, actor, tournament, now }) => {
    const asked = await requestMainListing(tx, actor, tournament.guid, now)
    return { request: organiserRequestView(asked, actor), canRequest: canRequest(asked.status) }
  },
})

export const choosingOperations = [read, choose, request]
