import { Type } from 'typebox'
import { anyone, isSignedIn } from '../../core/actor.ts'
import { html } from '../../core/html.ts'
import { Answer, command } from '../../core/operation.ts'
import { exampleGuid, nullable, oneOf } from '../../core/schema.ts'
import type { Tx } from '../../infra/db/database.ts'
import { oauthHeaders } from '../../infra/http/errors.ts'
import { type SealedForm, sealedForm } from '../../infra/sealed.ts'
import { digestOf, newSecret } from '../../infra/secrets.ts'
import { agree, gameAccountFor } from '../authorize/commands.ts'
import { BrowserHeaders, consentPage } from '../authorize/page.ts'
import { checkOwnPage, checkSameSignIn } from '../checks/browser.ts'
import { checkUndecided, isWaiting } from '../checks/device.ts'
import { given } from '../checks/parameters.ts'
import { checkDecision } from '../checks/request.ts'
import { checkScope } from '../checks/scope.ts'
import { deviceInterval, deviceLifetime } from '../lifetimes.ts'
import { insertDeviceRequest, lockDeviceRequestOfUser, updateDeviceRequest } from '../store/codes.ts'
import { loadPerson } from '../store/people.ts'
import { authenticate, ClientHeaders, clientParameters, clientProblems } from '../token/authenticate.ts'
import { newUserCode, readUserCode, sealOfUserCode, shownUserCode } from './codes.ts'
import { codePage, decidedPage } from './pages.ts'

/**
 * Authorization of clients that cannot show a browser: they show a code, and the user decides on another screen. (RFC
 * 8628)
 */

/** Short, because users type it. */
const path = '/device'

const DeviceResponse = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String({ examples: ['WDJB-MJHT'] }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [deviceLifetime] }),
    interval: Type.Integer({ description: 'Seconds to leave between two questions.', examples: [deviceInterval] }),
  },
  { title: 'DeviceAuthorization', description: 'RFC 8628 §3.2.' },
)

const begin = command({
  name: 'oauth.deviceAuthorization',
  method: 'POST',
  path: '/oauth/device_authorization',
  scope: 'public',
  allow: anyone,
  budget: 'sign-in',
  errors: 'oauth',
  summary: 'Begin the device grant: codes for the client to show and to ask with.',
  description:
    'For clients without a browser, such as games in a headset. Show the user `verification_uri` and `user_code`, and ask `POST /oauth/token` with `device_code` every `interval` seconds. (RFC 8628)',
  headers: ClientHeaders,
  parameters: Type.Object(
    {
      scope: Type.Optional(
        Type.String({ description: 'Space-separated; all that the application has registered unless given.' }),
      ),
      ...clientParameters,
    },
    { examples: [{ scope: 'rest:read', client_id: exampleGuid }] },
  ),
  reply: { 200: DeviceResponse },
  problems: { 'scope.unknown': 400, ...clientProblems, 'scope.beyond': 400 },
  run: async ({ tx, services: { seal, config }, headers, request: { parameters }, now }) => {
    const client = await authenticate(tx, headers.authorization, parameters)
    const scopes = [...checkScope(given(parameters, 'scope'), client.scopes)]
    const deviceCode = newSecret()
    const expiresAt = new Date(now.getTime() + deviceLifetime * 1000)
    const request = {
      deviceCodeHash: digestOf(deviceCode),
      clientId: client.clientId,
      scopes,
      expiresAt,
      interval: deviceInterval,
    }
    const code = await insertUnderFreeCode(tx, (userCode) => ({
      ...request,
      userCodeSeal: sealOfUserCode(seal, userCode),
    }))
    const address = `${config.publicUrl}${path}`
    const body = {
      device_code: deviceCode,
      user_code: shownUserCode(code),
      verification_uri: address,
      verification_uri_complete: `${address}?user_code=${shownUserCode(code)}`,
      expires_in: deviceLifetime,
      interval: deviceInterval,
    }
    return new Answer(200, { body, headers: oauthHeaders })
  },
})

/**
 * Codes are short, so a new one may be in use already; even with millions of them, several collisions in a row are
 * improbable.
 */
async function insertUnderFreeCode(
  tx: Tx,
  requestUnder: (userCode: string) => Parameters<typeof insertDeviceRequest>[1],
): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const code = newUserCode()
    if (await insertDeviceRequest(tx, requestUnder(code))) return code
  }
  throw new Error('no free user code was found')
}

/** A request in the page: its sender has been shown that page, in that session. */
interface ShownCode {
  readonly userCode: string
  readonly sessionGuid: string
}
const shownCodes: SealedForm<ShownCode> = sealedForm('device', deviceLifetime)

const unknownCode = 'No device waits with this code. Look again, or begin anew on your device.'

const show = command({
  name: 'oauth.device',
  method: 'GET',
  path,
  root: true,
  scope: 'browser',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'Where a user types the code of a waiting device, and decides.',
  description:
    'For people: the address that a device shows. With `user_code` it asks at once whether the device may act for the user; without it, it shows a form for the code. Leads through the sign-in where needed. (RFC 8628 §3.3)',
  parameters: Type.Object({
    user_code: Type.Optional(
      Type.String({ description: 'The code that the device shows, in any case.', examples: ['WDJB-MJHT'] }),
    ),
  }),
  reply: { 200: Type.String(), 302: nullable(Type.String()), 400: Type.String() },
  contentType: 'text/html',
  problems: { 'device_code.unknown': 400 },
  run: async ({ tx, actor, services, request: { parameters }, now }) => {
    const typed = given(parameters, 'user_code')
    const here = typed === undefined ? path : `${path}?${new URLSearchParams({ user_code: typed.slice(0, 20) })}`
    const signInPath = `/api/auth/chat?${new URLSearchParams({ return_to: here })}`
    if (!isSignedIn(actor)) return new Answer(302, { headers: { location: signInPath, 'cache-control': 'no-store' } })
    if (typed === undefined) return codePage(path, null)
    const userCode = readUserCode(typed)
    const waiting =
      userCode === null ? undefined : await lockDeviceRequestOfUser(tx, sealOfUserCode(services.seal, userCode))
    if (userCode === null || waiting === undefined || !isWaiting(waiting, now)) return codePage(path, unknownCode)
    const { application, scopes } = waiting
    const [person, owner] = await Promise.all([loadPerson(tx, actor.guid), loadPerson(tx, application.ownerGuid)])
    return consentPage({
      application,
      owner,
      person,
      scopes,
      mediaUrl: services.config.media.url,
      action: path,
      switchPath: signInPath,
      request: shownCodes.close(services.seal, { userCode, sessionGuid: actor.sessionGuid ?? '' }, now),
      destination: html`<p>Go on only if your own device shows this code:</p>
<p class="code">${shownUserCode(userCode)}</p>`,
    })
  },
})

const decide = command({
  name: 'oauth.decideDevice',
  method: 'POST',
  path,
  root: true,
  scope: 'browser',
  allow: anyone,
  budget: 'sign-in',
  errors: 'page',
  summary: 'The user’s decision on a waiting device, from the page that `GET /device` shows.',
  description:
    'Only that page can post it, from the sign-in that it was shown to. The device learns of it when it asks `POST /oauth/token` again.',
  headers: BrowserHeaders,
  parameters: Type.Object({
    request: Type.String({
      description: 'What the page carries, so that only who was shown it can decide.',
      examples: ['kNUVSAlXb0dGcUJmMzQ'],
    }),
    decision: oneOf(['approve', 'deny'], { description: 'Whether the application may act for the user.' }),
  }),
  reply: { 200: Type.String() },
  contentType: 'text/html',
  problems: {
    'request.cross_site': 403,
    'decision.stale': 403,
    'decision.invalid': 400,
    'device_code.decided': 400,
    'scope.no_game_account': 400,
  },
  run: async ({ tx, actor, services: { seal, config }, headers, request: { parameters }, now }) => {
    checkOwnPage(headers, config.publicUrl)
    const shown = shownCodes.open(seal, given(parameters, 'request') ?? '', now)
    const { userCode } = checkSameSignIn(shown, actor)
    const decision = checkDecision(parameters)
    const waiting = checkUndecided(await lockDeviceRequestOfUser(tx, sealOfUserCode(seal, userCode)), now)
    const isAllowed = decision === 'approve' && isSignedIn(actor)
    if (isAllowed) await gameAccountFor(tx, actor.guid, waiting.scopes)
    await updateDeviceRequest(tx, waiting.guid, { decision: isAllowed ? 'approved' : 'denied', userGuid: actor.guid })
    if (isAllowed) await agree(tx, actor.guid, waiting.clientId, waiting.scopes, now)
    return decidedPage(decision, waiting.application.name)
  },
})

export const deviceOperations = [begin, show, decide]
