import { readName } from '../../../../core/names.ts'
import { invalid, type Problem } from '../../../../core/problem.ts'
import { readChatWebhook } from '../../../listing/platforms/rules.ts'
import type { SettingsInput } from '../bodies.ts'
import {
  type AnnouncementKind,
  type AnnouncementRoles,
  type Announcements,
  announcementKinds,
  type ChatWebhook,
} from '../types.ts'

/** What is announced in the chat of a tournament, and through which webhooks. (additions: The chat channel tells what happens) */

export const maxWebhooks = 8
export const maxRoles = 5

/** What the setting says of kinds that are not announced. */
export const off = 'off'

export function fault(member: string, reason: string): Problem {
  return invalid('tournament.invalid', `"${member}" ${reason}.`)
}

/** The error does not repeat the address, as it is a secret. */
export function readWebhookAddress(member: string, address: string, chatApiUrl: string): string {
  const webhook = readChatWebhook(address, chatApiUrl)
  if (!webhook.ok) throw fault(member, webhook.reason)
  return webhook.value
}

/**
 * Replaces the further webhooks. One without an address keeps the address that its label has, as addresses are never
 * returned. Labels differ in more than case. (additions: The chat channel tells what happens)
 */
export function readWebhooks(
  given: NonNullable<SettingsInput['chatWebhooks']>,
  current: readonly ChatWebhook[],
  chatApiUrl: string,
): readonly ChatWebhook[] {
  const webhooks = given.map(({ label: written, url }, index): ChatWebhook => {
    const member = `chatWebhooks[${index}]`
    const name = readName(written)
    if (!name.ok) throw fault(`${member}.label`, name.reason)
    const label = name.value
    if (label === off || label === 'main') throw fault(`${member}.label`, `must not be "${label}"`)
    if (url) return { label, url: readWebhookAddress(`${member}.url`, url, chatApiUrl) }
    const present = current.find((webhook) => webhook.label === label)
    if (present === undefined) throw fault(`${member}.url`, 'is missing, and no webhook has this label')
    return present
  })
  const labels = new Set(webhooks.map(({ label }) => label.toLowerCase()))
  if (labels.size < webhooks.length) throw fault('chatWebhooks', 'has a label twice')
  return webhooks
}

/** Kinds that are not given stay. */
export function readAnnouncements(
  changes: NonNullable<SettingsInput['announcements']>,
  current: Announcements,
): Announcements {
  return kept((kind) => {
    const channel = changes[kind] ?? current[kind]
    return channel === off ? undefined : channel
  })
}

/** Kinds that are not given stay. Each role is mentioned once. */
export function readRoles(
  changes: NonNullable<SettingsInput['announcementRoles']>,
  current: AnnouncementRoles,
): AnnouncementRoles {
  return kept((kind) => {
    const roles = changes[kind] ?? current[kind] ?? []
    return roles.length === 0 ? undefined : [...new Set(roles)]
  })
}

/** The members in the order of the kinds, so that equal settings are equal. */
function kept<T>(read: (kind: AnnouncementKind) => T | undefined): { readonly [Kind in AnnouncementKind]?: T } {
  return Object.fromEntries(
    announcementKinds.flatMap((kind) => {
      const value = read(kind)
      return value === undefined ? [] : [[kind, value]]
    }),
  )
}

/** Announcements go to the tournament's own webhook or to one that has the label. (D85) */
export function checkChannels({
  announcements,
  chatWebhooks,
}: {
  readonly announcements: Announcements
  readonly chatWebhooks: readonly ChatWebhook[]
}): void {
  for (const [kind, channel] of Object.entries(announcements)) {
    if (channel === 'main' || chatWebhooks.some(({ label }) => label === channel)) continue
    throw fault(`announcements.${kind}`, `names the channel "${channel}", which is not among "chatWebhooks"`)
  }
}

/** A language is named by a BCP 47 tag, which is saved in its canonical form. (D85) */
export function readLanguage(tag: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag)
    if (canonical !== undefined) return canonical
  } catch {
    // Not a tag.
  }
  throw fault('language', 'must be a BCP 47 tag such as en or pt-BR')
}
