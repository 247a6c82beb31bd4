import { type Static, Type } from 'typebox'
import { html } from '../../../core/html.ts'
import type { Answer } from '../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Mail } from '../../../infra/clients/mail.ts'
import { page } from '../../../infra/http/html-page.ts'
import { shortened, statusOf } from './rules.ts'
import { type Verification, type VerificationOfUser, verificationStatuses } from './types.ts'

/**
 * The verification mail. Any user can have it sent to any address, so it contains no text by the user. The page behind
 * the link names the account that requested it.
 */
export function verificationMail(to: string, link: string): Mail {
  const asked = 'Somebody asked to use this e-mail address for their account on Downbeat.'
  const act = 'If that was you, open this link within 24 hours and confirm the address there:'
  const ignore = 'If it was not you, do nothing: the address is then not used.'
  return {
    to,
    subject: 'Verify your e-mail address for Downbeat',
    text: [asked, act, link, ignore].join('\n\n'),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Verify your e-mail address</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
<p>${asked}</p>
<p>${act}</p>
<p><a href="${link}">${link}</a></p>
<p>${ignore}</p>
</body>
</html>
`.text,
  }
}

type Shown = Pick<VerificationOfUser, 'username' | 'email'>

/** The page to which the link in the mail leads. Nothing changes until the button is pressed. */
export function confirmationPage({ username, email }: Shown, token: string): Answer {
  const main = html`<p>The account <strong>${username}</strong> wants to use the address <strong>${shortened(email)}</strong>.</p>
<form method="post" action="${token}/confirm">
<button class="go yes">Verify this address</button>
</form>
<p class="note">If this is not your account, close this page: the address is then not used.</p>`
  return page({ title: 'Verify your e-mail address', main })
}

export function verifiedPage({ username, email }: Shown): Answer {
  const main = html`<p><strong>${shortened(email)}</strong> is now the address of the account <strong>${username}</strong>. You can close this page.</p>`
  return page({ title: 'Address verified', main })
}

const Email = Type.String({ examples: ['quaver@example.org'] })

export const EmailRequestView = Type.Object(
  {
    email: Email,
    expiresAt: nullable(Instant, 'Until when the link in the mail counts; null where the address was verified before.'),
  },
  { title: 'EmailRequest', description: 'What is on its way after an address was given.' },
)

export const EmailVerificationView = Type.Object(
  {
    guid: Guid,
    email: Email,
    status: oneOf(verificationStatuses, {
      description: '`voided`: a newer request took its place. `undeliverable`: the mail server refused the mail.',
    }),
    requestedAt: Instant,
    sentAt: nullable(Instant, 'When the mail server took the mail.'),
    expiresAt: Instant,
  },
  { title: 'EmailVerification', description: 'A verification mail that a user asked for, as administrators see it.' },
)
export type EmailVerificationView = Static<typeof EmailVerificationView>

export function emailVerificationView(verification: Verification, now: Date): EmailVerificationView {
  const { guid, email, requestedAt, sentAt, expiresAt } = verification
  return {
    guid,
    email,
    status: statusOf(verification, now),
    requestedAt: formatInstant(requestedAt),
    sentAt: formatInstant(sentAt),
    expiresAt: formatInstant(expiresAt),
  }
}
