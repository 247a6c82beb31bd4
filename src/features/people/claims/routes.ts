import { Type } from 'typebox'
import { firstParty, signedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { invalid } from '../../../core/problem.ts'
import { exampleGuid, nullable } from '../../../core/schema.ts'
import { newSecret } from '../../../infra/secrets.ts'
import { organisers } from '../../tournaments/access/policy.ts'
import { takePlace } from './commands/awaited.ts'
import { claim, makeLink, revokeLink, undoClaim } from './commands/claims.ts'
import { readClaim } from './queries.ts'
import { listLinks } from './store/claims.ts'
import { ClaimLinkView, ClaimPreview, ClaimView, claimLinkView, claimView, MadeClaimLinkView } from './views.ts'

const linksPath = '/users/:placeholder/claimLinks' as const

const list = query({
  name: 'claims.listLinks',
  method: 'GET',
  path: linksPath,
  scope: 'rest:read',
  allow: organisers,
  summary: 'The links by which a person can take over a placeholder, newest first.',
  description: 'Without their secrets, which are kept only as digests.',
  reply: { 200: Type.Object({ links: Type.Array(ClaimLinkView) }) },
  run: async ({ db, placeholder, now }) => ({
    links: (await listLinks(db, placeholder.guid)).map((link) => claimLinkView(link, now)),
  }),
})

const make = command({
  name: 'claims.makeLink',
  method: 'POST',
  path: linksPath,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Make a link by which the person whom a placeholder stands for takes over its places.',
  description:
    'For the organiser of the tournament whose import made the placeholder, to be given to that person alone. It works once, for 30 days, until it is revoked.',
  body: Type.Object({
    tournament: Type.String({
      maxLength: 64,
      description: 'GUID of the tournament whose import made the placeholder.',
      examples: [exampleGuid],
    }),
  }),
  reply: { 201: MadeClaimLinkView },
  problems: { 'claim.tournament_other': 400, 'claim.has_account': 409, 'claim.too_many_links': 409 },
  run: async ({ tx, actor, placeholder, body, now }) => {
    if (normaliseGuid(body.tournament) !== placeholder.tournamentGuid) {
      throw invalid('claim.tournament_other', 'The placeholder was made by another tournament.')
    }
    const token = newSecret()
    const link = await makeLink(tx, actor, placeholder, token, now)
    return new Answer(201, { body: { ...claimLinkView(link, now), token } })
  },
})

const revoke = command({
  name: 'claims.revokeLink',
  method: 'DELETE',
  path: `${linksPath}/:claimLink`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'Revoke a link, so that nobody can use it any more.',
  description: 'What was claimed by it before stays; that is taken back by `POST /claims/{claim}/undo`.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'claim.link_unknown': 404 },
  run: async ({ tx, actor, placeholder, claimLink, now }) => {
    await revokeLink(tx, actor, placeholder, isGuid(claimLink) ? normaliseGuid(claimLink) : '', now)
    return new Answer(204)
  },
})

const read = query({
  name: 'claims.read',
  method: 'GET',
  path: '/claims/:claimToken',
  scope: 'rest:user:read',
  // The link is as good as the places behind it: applications do not see them. (D40)
  allow: firstParty,
  summary: 'Whom the signed-in user would become by a link, and what would be theirs.',
  description: 'It changes nothing. Links that do not work all have the same answer.',
  reply: { 200: ClaimPreview },
  problems: { 'claim.unknown': 404 },
  run: async ({ db, actor, claimToken, now }) => readClaim(db, actor.guid, claimToken, now),
})

const confirm = command({
  name: 'claims.confirm',
  method: 'POST',
  path: '/claims/:claimToken',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Become the person of a link: the placeholder’s teams, answers, results and places are the caller’s.',
  description:
    'Of several who try, one wins. Refused while the caller has a place in one of its tournaments. The organiser can take it back for 14 days, unless the caller has played since.',
  reply: { 200: ClaimView },
  problems: { 'claim.unknown': 404, 'claim.conflict': 409, 'claim.changed': 409 },
  run: async ({ tx, actor, claimToken, now }) => claimView(await claim(tx, actor, claimToken, now)),
})

const undo = command({
  name: 'claims.undo',
  method: 'POST',
  path: '/claims/:userClaim/undo',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Take a claim back: the places are the placeholder’s again.',
  description:
    'For the organiser of the tournament whose import made the placeholder, and global managers, within 14 days, unless the person has played since. What they have given up meanwhile stays given up.',
  reply: { 200: ClaimView },
  problems: { 'claim.undone': 409, 'claim.too_late': 409, 'claim.played': 409 },
  run: async ({ tx, actor, userClaim, now }) => claimView(await undoClaim(tx, actor, userClaim, now)),
})

const take = command({
  name: 'placeholders.take',
  method: 'POST',
  path: '/users/:awaitedPlaceholder/claim',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Take the place that an imported tournament keeps for the caller’s chat account.',
  description:
    'The placeholder’s teams, answers, results and places are the caller’s. Unknown to everybody else. Refused while the caller has a place in the tournament. The organiser can take it back for 14 days, unless the caller has played since.',
  reply: { 200: ClaimView },
  problems: { 'claim.conflict': 409, 'claim.changed': 409 },
  run: async ({ tx, actor, awaitedPlaceholder, now }) => claimView(await takePlace(tx, actor, awaitedPlaceholder, now)),
})

export const claimsOperations = [list, make, revoke, read, confirm, undo, take]
