import type { UserCard } from '../../../../client/generated.ts'
import type { BadgeRequest, BadgeRequestDraft } from '../../data/generated.ts'

/** A request for badges as the form has it. */

export interface Recipient {
  readonly user: Pick<UserCard, 'guid' | 'preferredName' | 'avatarUrl'>
  readonly label: string | null
  readonly place: number | null
}

export interface BadgeValues {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly kind: BadgeRequest['badges'][number]['kind']
  readonly mediaGuid: string | null
  readonly imageUrl: string | null
  readonly recipients: readonly Recipient[]
}

export interface RequestValues {
  readonly message: string
  readonly badges: readonly BadgeValues[]
}

export const kinds = ['placement', 'participation', 'staff', 'special'] as const
export const maxBadges = 10
export const maxRecipients = 500

const of = (recipients: BadgeRequestDraft['badges'][number]['recipients']): readonly Recipient[] =>
  recipients.map(({ user: { guid, preferredName, avatarUrl }, label, place }) => ({
    user: { guid, preferredName, avatarUrl },
    label,
    place,
  }))

export const valuesOfDraft = ({ badges }: BadgeRequestDraft): RequestValues => ({
  message: '',
  badges: badges.map((badge, at) => ({ ...badge, key: String(at), imageUrl: null, recipients: of(badge.recipients) })),
})

export const valuesOf = ({ message, badges }: BadgeRequest): RequestValues => ({
  message,
  badges: badges.map((badge, at) => ({ ...badge, key: String(at), recipients: of(badge.recipients) })),
})

export const emptyBadge = (): BadgeValues => ({
  key: crypto.randomUUID(),
  name: '',
  description: '',
  kind: 'staff',
  mediaGuid: null,
  imageUrl: null,
  recipients: [],
})

export const bodyOf = ({ message, badges }: RequestValues) => ({
  message,
  badges: badges.map(({ name, description, kind, mediaGuid, recipients }) => ({
    name,
    description,
    kind,
    mediaGuid: mediaGuid ?? '',
    recipients: recipients.map(({ user, label, place }) => ({ user: user.guid, label, place })),
  })),
})

/** What is still missing of a request, by the names of words. */
export function missingOf({ badges }: RequestValues): readonly ('picture' | 'nobody' | 'many' | 'none')[] {
  const recipients = badges.reduce((sum, badge) => sum + badge.recipients.length, 0)
  return [
    ...(badges.length === 0 ? (['none'] as const) : []),
    ...(badges.some(({ mediaGuid }) => mediaGuid === null) ? (['picture'] as const) : []),
    ...(badges.some((badge) => badge.recipients.length === 0) ? (['nobody'] as const) : []),
    ...(recipients > maxRecipients ? (['many'] as const) : []),
  ]
}
