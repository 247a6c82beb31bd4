import { readName } from '../../../../core/names.ts'
import { invalid } from '../../../../core/problem.ts'
import { excerpt, oneLine, readMarkdown } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { User } from '../types.ts'

/**
 * The settings of a user's own profile. They are texts; an empty text removes the value.
 * (rest-interface: User settings input)
 */
export const settingNames = [
  'description',
  'pronouns',
  'pronunciation',
  'headset',
  'grip',
  'preferredName',
  'controllers',
  'avatarUrl',
] as const
export type SettingName = (typeof settingNames)[number]
export type Settings = Partial<Record<SettingName, string>>

/** Maximum lengths in characters. */
export const settingLimits: Readonly<Record<SettingName, number>> = {
  description: 20_000,
  pronouns: 40,
  pronunciation: 80,
  headset: 100,
  grip: 100,
  preferredName: 64,
  controllers: 100,
  avatarUrl: 2_000,
}

export type ProfileChanges = Partial<Pick<User, SettingName>>

/** At least one known setting must be given; unknown members were removed before. (D43) */
export function profileChanges(settings: Settings): ProfileChanges {
  const changes = readSettings(settings)
  if (Object.keys(changes).length === 0) {
    throw invalid('settings.none', `Give at least one setting: ${settingNames.join(', ')}.`)
  }
  return changes
}

/**
 * Reads settings into changes of the record. Descriptions are Markdown, from which unsafe markup is removed; all other
 * settings have one line. (D36)
 */
export function readSettings(settings: Settings): ProfileChanges {
  const changes: { -readonly [Name in SettingName]?: User[Name] } = {}
  const { description, pronouns, pronunciation, headset, grip, controllers, preferredName, avatarUrl } = settings
  if (description !== undefined) changes.description = readMarkdown(description, settingLimits.description)
  if (pronouns !== undefined) changes.pronouns = oneLine(pronouns) || null
  if (pronunciation !== undefined) changes.pronunciation = oneLine(pronunciation) || null
  if (headset !== undefined) changes.headset = oneLine(headset) || null
  if (grip !== undefined) changes.grip = oneLine(grip) || null
  if (controllers !== undefined) changes.controllers = oneLine(controllers) || null
  if (preferredName !== undefined) changes.preferredName = readUserName('preferred name', preferredName)
  if (avatarUrl !== undefined) changes.avatarUrl = checkAvatarUrl(avatarUrl)
  return changes
}

export const bioCharacters = 140

/** The beginning of the description without markup, as cards show it. (rest-interface: UserCard) */
export function bioOf(description: string): string {
  return excerpt(description, bioCharacters)
}

/** A name has one line and a visible character. (D56) */
export function readUserName(what: 'username' | 'preferred name', text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('settings.invalid', `The ${what} ${name.reason}.`)
  return name.value
}

function checkAvatarUrl(url: string): string {
  const fault = webAddressFault(url)
  if (fault !== null) throw invalid('settings.invalid', `The avatar address ${fault}.`)
  return url
}
