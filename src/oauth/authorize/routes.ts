import { Type } from 'typebox'
import { type Actor, anyone, isSignedIn } from '../../core/actor.ts'
import { html } from '../../core/html.ts'
import { Answer, command } from '../../core/operation.ts'
import { nullable, oneOf } from '../../core/schema.ts'
import type { Db } from '../../infra/db/database.ts'
import type { Services } from '../../services.ts'
import { checkOwnPage, checkSameSignIn } from '../checks/browser.ts'
import { checkClientKnown } from '../checks/client.ts'
import { given } from '../checks/parameters.ts'
import { checkRedirectRegistered } from '../checks/redirect.ts'
import { checkDecision } from '../checks/request.ts'
import { checkScope, isConsented, mayRemember } from '../checks/scope.ts'
import { isRefusal } from '../problems.ts'
import { findClient, lockClientForKeyShare } from '../store/applications.ts'
import { lockConsentForKeyShare } from '../store/grants.ts'
import { loadPerson } from '../store/people.ts'
import type { Client } from '../types.ts'
import { agree, gameAccountFor, giveCode } from './commands.ts'
import { BrowserHeaders, consentPage } from './page.ts'
import { type AuthorizationRequest, answerAddress, readRequest, shownRequests, stateOf } from './request.ts'

const nothing = nullable(Type.String())
const path = '/oauth/authorize'

/** Faults that are shown on a page, because there is no safe address to send them to. */
const pageProblems = { 'client.unknown': 400, 'redirect.unregistered': 400 } as const

const text = (description: string) => Type.Optional(Type.String({ description }))

const ask = command({
  name: 'oauth.authorize',
  method: 'GET',
  path,
  scope: 'browser',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'Where an application sends a user’s browser to be let act for them.',
  description:
    'Leads through the sign-in where needed, then asks the user on a page, unless they have agreed to the same before. Leads back to `redirect_uri` with `code`, `state` and `iss`, or with `error`. (RFC 6749 §4.1, RFC 7636, RFC 9207)',
  parameters: Type.Object({
    response_type: oneOf(['code'], { description: 'Only codes are given.' }),
    client_id: Type.String({ description: 'Of the application, as its registration gave it.' }),
    redirect_uri: Type.String({ description: 'Exactly as registered.' }),
    scope: text('Space-separated; all that the application has registered unless given.'),
    state: text('Comes back as it is.'),
    code_challenge: text('SHA-256 of the code verifier, in base64url. Public applications must send one.'),
    code_challenge_method: Type.Optional(
      oneOf(['S256'], { description: 'How the challenge was made; needed with one.' }),
    ),
  }),
  reply: { 200: Type.String(), 302: nothing },
  contentType: 'text/html',
  problems: pageProblems,
  run: async ({ tx, actor, services, request: { parameters }, now }) => {
    const client = checkClientKnown(await findClient(tx, onlyValue(parameters, 'client_id')))
    const redirectUri = checkRedirectRegistered(client, parameters.getAll('redirect_uri'))
    const { publicUrl: iss } = services.config
    const back = (answer: Readonly<Record<string, string>>) =>
      redirect(302, answerAddress(redirectUri, { ...answer, state: stateOf(parameters), iss }))
    try {
      const asked = readRequest(client, redirectUri, parameters)
      if (!isSignedIn(actor)) return redirect(302, signInPath(parameters))
      await gameAccountFor(tx, actor.guid, asked.scopes)
      const agreed = await lockConsentForKeyShare(tx, actor.guid, client.clientId)
      if (mayRemember(client, redirectUri) && isConsented(asked.scopes, agreed)) {
        return back({ code: await giveCode(tx, actor, asked, now) })
      }
      return await showConsent(tx, services, actor, client, asked, parameters, now)
    } catch (error) {
      return back(refusalBack(error))
    }
  },
})

/** A refusal as sent to the application; other errors are thrown again. (RFC 6749 §4.1.2.1) */
function refusalBack(error: unknown): { error: string; error_description: string } {
  if (!isRefusal(error)) throw error
  return { error: error.data.error, error_description: error.message }
}

/** The value of a parameter; a repeated parameter counts as missing. */
function onlyValue(parameters: URLSearchParams, name: string): string {
  return parameters.getAll(name).length === 1 ? (given(parameters, name) ?? '') : ''
}

function redirect(status: 302 | 303, location: string): Answer {
  return new Answer(status, { headers: { location, 'cache-control': 'no-store' } })
}

function signInPath(parameters: URLSearchParams): string {
  return `/api/auth/chat?${new URLSearchParams({ return_to: `/api${path}?${parameters}` })}`
}

async function showConsent(
  db: Db,
  { seal, config }: Services,
  actor: Actor & { guid: string },
  application: Client,
  asked: AuthorizationRequest,
  parameters: URLSearchParams,
  now: Date,
): Promise<Answer> {
  const [person, owner] = await Promise.all([loadPerson(db, actor.guid), loadPerson(db, application.ownerGuid)])
  const { protocol, host } = new URL(asked.redirectUri)
  return consentPage({
    application,
    owner,
    person,
    scopes: asked.scopes,
    mediaUrl: config.media.url,
    action: `/api${path}`,
    switchPath: signInPath(parameters),
    request: shownRequests.close(seal, { ...asked, sessionGuid: actor.sessionGuid ?? '' }, now),
    destination: html`<p class="note">Your answer goes to <strong>${host}</strong>.</p>`,
    // Browsers apply the form's policy to all redirects after it, and the application's own redirects are unknown here.
    formTargets: protocol === 'https:' ? ['https:'] : ['http:', 'https:'],
  })
}

const decide = command({
  name: 'oauth.decide',
  method: 'POST',
  path,
  scope: 'browser',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'The user’s decision, from the page that `GET /oauth/authorize` shows.',
  description:
    'Only that page can post it, from the sign-in that it was shown to. Leads back to the application, with a code or with `error=access_denied`.',
  headers: BrowserHeaders,
  parameters: Type.Object({
    request: Type.String({
      description: 'What the page carries, so that only who was shown it can decide.',
      examples: ['kNUVSAlXb0dGcUJmMzQ'],
    }),
    decision: oneOf(['approve', 'deny'], { description: 'Whether the application may act for the user.' }),
  }),
  reply: { 303: nothing },
  problems: {
    ...pageProblems,
    'request.cross_site': 403,
    'decision.stale': 403,
    'decision.invalid': 400,
  },
  run: async ({ tx, actor, services, headers, request: { parameters }, now }) => {
    const { seal, config } = services
    checkOwnPage(headers, config.publicUrl)
    const shown = shownRequests.open(seal, given(parameters, 'request') ?? '', now)
    const { sessionGuid: _session, ...asked } = checkSameSignIn(shown, actor)
    const decision = checkDecision(parameters)
    // The application may have been changed or deleted while the page was open.
    const client = checkClientKnown(await lockClientForKeyShare(tx, asked.clientId))
    checkRedirectRegistered(client, [asked.redirectUri])
    const back = (answer: Readonly<Record<string, string>>) =>
      redirect(303, answerAddress(asked.redirectUri, { ...answer, state: asked.state, iss: config.publicUrl }))
    if (decision === 'deny' || !isSignedIn(actor)) {
      return back({ error: 'access_denied', error_description: 'The user has refused.' })
    }
    try {
      checkScope(asked.scopes.join(' '), client.scopes)
      await gameAccountFor(tx, actor.guid, asked.scopes)
    } catch (error) {
      return back(refusalBack(error))
    }
    await agree(tx, actor.guid, client.clientId, asked.scopes, now)
    return back({ code: await giveCode(tx, actor, asked, now) })
  },
})

export const authorizeOperations = [ask, decide]
