import { Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { signedIn } from '../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { playedTag } from '../../people/users/views.ts'
import { anyStaff, organisers, staffAudience } from '../../tournaments/access/policy.ts'
import { LinkBody } from './bodies.ts'
import { issueToken, noteOutcome, removeLink, setLink } from './commands.ts'
import { tryLink } from './prepare.ts'
import { notLinked, type Terms } from './rules/links.ts'
import { findLink } from './store.ts'
import { AssistantLinkView, AssistantTokenView, assistantLinkView, LinkTestView, linkTestView } from './views.ts'

const path = `${tournamentPath}/assistant` as const

function termsOf({ environment, webhookAllowPrivate }: Config): Terms {
  return { allowPlain: environment === 'local', allowPrivate: webhookAllowPrivate }
}

const read = query({
  name: 'assistant.read',
  method: 'GET',
  path,
  scope: 'assistant',
  allow: anyStaff,
  summary: 'The assistant that the tournament is linked to, without its secrets.',
  description: 'With how it went when it was last used or tried.',
  reply: { 200: AssistantLinkView },
  problems: { 'assistant.not_linked': 404 },
  audience: staffAudience,
  live: {},
  run: async ({ db, tournament, depends }) => {
    const link = await findLink(db, tournament.guid)
    if (link === undefined) throw notLinked()
    depends(tournament.guid, playedTag, ...(link.actsAs === null ? [] : [link.actsAs]))
    return assistantLinkView(db, link)
  },
})

const update = command({
  name: 'assistant.update',
  method: 'PUT',
  path,
  scope: 'assistant',
  allow: organisers,
  // If a misspelt `certificate` were ignored, every certificate would be trusted.
  strict: true,
  summary: 'Link the tournament to an assistant, or set its link anew as a whole.',
  description:
    'What is left out is as usual, but for secrets: token and password stay while host, port and certificate do, and go where one of these changes; the secret of hooks stays. Tokens of the kind `own` are made in the name of whoever sets the link, for as long as they manage the tournament. A link that connects in another way than before is untested until it is used; where nobody uses it, it is tried within a minute.',
  body: LinkBody,
  reply: { 200: AssistantLinkView },
  problems: { 'assistant.invalid': 400 },
  run: async ({ tx, actor, tournament, body, services: { seal, config }, now }) =>
    assistantLinkView(tx, await setLink(tx, actor, tournament.guid, body, { seal, terms: termsOf(config), now })),
})

const remove = command({
  name: 'assistant.remove',
  method: 'DELETE',
  path,
  scope: 'assistant',
  allow: organisers,
  summary: 'End the tournament’s link to an assistant, with its secrets.',
  description: 'Not while one of its matches has an open session.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'assistant.not_linked': 404, 'assistant.sessions_open': 409 },
  run: async ({ tx, actor, tournament }) => {
    await removeLink(tx, actor, tournament.guid)
    return new Answer(204)
  },
})

const test = command({
  name: 'assistant.test',
  method: 'POST',
  path: `${path}/test`,
  scope: 'assistant',
  allow: organisers,
  summary: 'Connect to the assistant that the tournament is linked to, and see what it lets us do.',
  description:
    'Answers `ok: false` with what is wrong where that fails. What came of it is remembered as the link’s `status`. At most six times a minute for each tournament.',
  reply: { 200: LinkTestView },
  problems: { 'assistant.not_linked': 404 },
  prepare: async ({ db, clients, services, tournament, request, now }) => {
    const link = await findLink(db, tournament.guid)
    if (link === undefined) throw notLinked()
    request.countUse('assistant-test', tournament.guid)
    return tryLink(db, clients, services, link, now)
  },
  run: async ({ tx, actor, prepared: trial, now }) => {
    await noteOutcome(tx, actor, trial.link, trial.outcome, now)
    return linkTestView(trial)
  },
})

const issue = command({
  name: 'assistant.issueToken',
  returnsSecret: true,
  method: 'POST',
  path: '/assistant/token',
  scope: 'assistant',
  allow: signedIn,
  summary: 'Make a token for assistants’ servers, for a client of your own.',
  description:
    'It says who you are to any server that knows the key of this service, for half a day, and nothing here takes it: give it away in place of an access token. At most 30 a day of UTC.',
  reply: { 201: AssistantTokenView },
  problems: { 'assistant.token_limit': 429 },
  run: async ({ tx, actor, services, now }) => {
    const { token, expiresAt } = await issueToken(tx, services, actor, now)
    return { token, expiresAt: formatInstant(expiresAt) }
  },
})

export const assistantLinksOperations = [read, update, remove, test, issue]
