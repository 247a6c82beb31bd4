import { Type } from 'typebox'
import { anyone, signedIn } from '../../../core/actor.ts'
import { command, query } from '../../../core/operation.ts'
import { formatInstant } from '../../../core/time.ts'
import { maxEmailLength } from '../users/rules/email.ts'
import type { ProfilePart } from '../users/rules/profile-parts.ts'
import { loadOpenVerification, requestVerification, verifyAddress } from './commands.ts'
import { listVerifications } from './store.ts'
import {
  confirmationPage,
  EmailRequestView,
  EmailVerificationView,
  emailVerificationView,
  verifiedPage,
} from './views.ts'

const request = command({
  name: 'emails.request',
  method: 'PUT',
  path: '/users/@me/email',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Give another e-mail address; a link is sent there.',
  description:
    'The address becomes the user’s own once the link is used, within 24 hours; until then the one before stays. Links from earlier requests no longer count. At most five mails an hour go out for a user, and to an address.',
  body: Type.Object({ email: Type.String({ format: 'email', maxLength: maxEmailLength }) }),
  reply: { 202: EmailRequestView },
  problems: { 'user.unknown': 404, 'email.invalid': 400, 'email.not_configured': 400, 'email.too_often': 429 },
  run: async ({ tx, services, actor, body: { email }, now }) => {
    const expiresAt = await requestVerification(tx, services, actor, email, now)
    return { email, expiresAt: formatInstant(expiresAt) }
  },
})

const linkProblems = { 'email_verification.invalid': 400 } as const

const verify = command({
  name: 'emails.verify',
  method: 'POST',
  path: '/email-verifications/:token',
  scope: 'public',
  allow: anyone,
  summary: 'Verify the address that a link was sent to.',
  description: 'The token, which is the end of the link, proves that the caller reads mail there. It counts once.',
  reply: { 200: Type.Object({ msg: Type.String() }) },
  problems: linkProblems,
  run: async ({ tx, token, now }) => {
    await verifyAddress(tx, token, now)
    return { msg: 'The e-mail address is verified.' }
  },
})

const confirmation = query({
  name: 'emails.confirmation',
  method: 'GET',
  path: '/email-verifications/:token',
  scope: 'browser',
  allow: anyone,
  errors: 'page',
  summary: 'The page that the link in a verification mail leads to.',
  description: 'It shows which account wants to use the address, and changes nothing: mail scanners open links too.',
  reply: { 200: Type.String() },
  contentType: 'text/html',
  problems: linkProblems,
  run: async ({ db, token, now }) => confirmationPage(await loadOpenVerification(db, token, now), token),
})

/**
 * Other sites can make a browser post this only if they have the token, and then they could call the operation above
 * themselves. Cookies are not used.
 */
const confirm = command({
  name: 'emails.confirm',
  method: 'POST',
  path: '/email-verifications/:token/confirm',
  scope: 'browser',
  allow: anyone,
  errors: 'page',
  summary: 'What the button of that page does.',
  description:
    'Verifies the address, as `POST /email-verifications/{token}` does for programs, and answers with a page.',
  reply: { 200: Type.String() },
  contentType: 'text/html',
  problems: linkProblems,
  run: async ({ tx, token, now }) => verifiedPage(await verifyAddress(tx, token, now)),
})

export const verificationsProfilePart: ProfilePart = {
  shownTo: ['administrators'],
  schema: Type.Array(EmailVerificationView, { description: 'Newest first; at most 20.' }),
  load: async (db, { guid }, { now }) => {
    const verifications = await listVerifications(db, guid)
    return verifications.map((verification) => emailVerificationView(verification, now))
  },
}

export const emailsOperations = [request, verify, confirmation, confirm]
