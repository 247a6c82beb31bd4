import type { BadgeRequest } from '../../data/generated.ts'

/** What a manager makes of the badges of a request before approving it. */

type Asked = BadgeRequest['badges'][number]

export interface Choice extends Pick<Asked, 'name' | 'description' | 'kind' | 'imageUrl' | 'recipients'> {
  readonly key: string
  readonly mediaGuid: string
  /** GUIDs of the users who get it; without any, the badge is not made. */
  readonly chosen: ReadonlySet<string>
}

export const everybodyOf = ({ recipients }: Pick<Asked, 'recipients'>): ReadonlySet<string> =>
  new Set(recipients.map(({ user }) => user.guid))

export const choicesOf = (badges: readonly Asked[]): readonly Choice[] =>
  badges.map((badge, at) => ({
    ...badge,
    key: String(at),
    mediaGuid: badge.mediaGuid ?? '',
    chosen: everybodyOf(badge),
  }))

/** How many badges are made, and how many different people get one. */
export function countOf(choices: readonly Choice[]): { readonly made: number; readonly people: number } {
  const people = new Set(choices.flatMap(({ chosen }) => [...chosen]))
  return { made: choices.filter(({ chosen }) => chosen.size > 0).length, people: people.size }
}

export const isChanged = (choices: readonly Choice[], badges: readonly Asked[]): boolean =>
  choices.some(({ name, description, kind, recipients, chosen }, at) => {
    const before = badges[at]
    const hasSameWords = before?.name === name && before.description === description && before.kind === kind
    return !hasSameWords || chosen.size < recipients.length
  })

export const bodyOf = (choices: readonly Choice[]) =>
  choices
    .filter(({ chosen }) => chosen.size > 0)
    .map(({ name, description, kind, mediaGuid, recipients, chosen }) => ({
      name,
      description,
      kind,
      mediaGuid,
      recipients: recipients
        .filter(({ user }) => chosen.has(user.guid))
        .map(({ user, label, place }) => ({ user: user.guid, label, place })),
    }))
