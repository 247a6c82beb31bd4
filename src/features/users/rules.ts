import { invalid } from '../../core/problem.ts'
import { sanitiseMarkdown } from '../../core/text.ts'
import { webAddressFault } from '../../core/web.ts'
import type { User } from './types.ts'

/** What a user may set of their own profile. Texts; an empty one unsets what may be unset. (rest-interface: User settings input) */
export const settingNames = [
  'description',
  'pronouns',
  'headset',
  'grip',
  'preferredName',
  'controllers',
  'avatarUrl',
] as const
export type SettingName = (typeof settingNames)[number]
export type Settings = Partial<Record<SettingName, string>>

export type ProfileChanges = Partial<Pick<User, SettingName>>

/**
 * Reads settings into changes of the record. Unknown members were ignored before; at least one must be left. (D43)
 * Descriptions are Markdown and lose what is unsafe. (D36)
 */
export function profileChanges(settings: Settings): ProfileChanges {
  const changes: { -readonly [Name in SettingName]?: User[Name] } = {}
  const { description, pronouns, headset, grip, controllers, preferredName, avatarUrl } = settings
  if (description !== undefined) changes.description = sanitiseMarkdown(description)
  if (pronouns !== undefined) changes.pronouns = pronouns || null
  if (headset !== undefined) changes.headset = headset || null
  if (grip !== undefined) changes.grip = grip || null
  if (controllers !== undefined) changes.controllers = controllers || null
  if (preferredName !== undefined) changes.preferredName = checkPreferredName(preferredName)
  if (avatarUrl !== undefined) changes.avatarUrl = checkAvatarUrl(avatarUrl)
  if (Object.keys(changes).length === 0) {
    throw invalid('settings.none', `Give at least one setting: ${settingNames.join(', ')}.`)
  }
  return changes
}

function checkPreferredName(name: string): string {
  if (name === '') throw invalid('settings.invalid', 'The preferred name must not be empty.')
  return name
}

function checkAvatarUrl(url: string): string {
  const fault = webAddressFault(url)
  if (fault !== null) throw invalid('settings.invalid', `The avatar address ${fault}.`)
  return url
}
