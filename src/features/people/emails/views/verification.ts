import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { statusOf } from '../rules/verification.ts'
import { type Verification, verificationStatuses } from '../types.ts'

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
