import { conflict, invalid, type Problem } from '../../../../core/problem.ts'
import type { GlobalRole } from '../../../../core/roles.ts'
import { type Checked, sanitiseMarkdown } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { ChatProfile, IdentityPlatform, User } from '../types.ts'

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

/** Characters at most, before sanitising. */
export const settingLimits: Readonly<Record<SettingName, number>> = {
  description: 20_000,
  pronouns: 40,
  headset: 100,
  grip: 100,
  preferredName: 64,
  controllers: 100,
  avatarUrl: 2_000,
}

export type ProfileChanges = Partial<Pick<User, SettingName>>

/** At least one known setting must be left; unknown members were ignored before. (D43) */
export function profileChanges(settings: Settings): ProfileChanges {
  const changes = readSettings(settings)
  if (Object.keys(changes).length === 0) {
    throw invalid('settings.none', `Give at least one setting: ${settingNames.join(', ')}.`)
  }
  return changes
}

/**
 * Reads settings into changes of the record. Descriptions are Markdown and lose what is unsafe; all else stands on one
 * line. (D36)
 */
export function readSettings(settings: Settings): ProfileChanges {
  const changes: { -readonly [Name in SettingName]?: User[Name] } = {}
  const { description, pronouns, headset, grip, controllers, preferredName, avatarUrl } = settings
  if (description !== undefined) changes.description = sanitiseMarkdown(description)
  if (pronouns !== undefined) changes.pronouns = oneLine(pronouns) || null
  if (headset !== undefined) changes.headset = oneLine(headset) || null
  if (grip !== undefined) changes.grip = oneLine(grip) || null
  if (controllers !== undefined) changes.controllers = oneLine(controllers) || null
  if (preferredName !== undefined) changes.preferredName = readName('preferred name', preferredName)
  if (avatarUrl !== undefined) changes.avatarUrl = checkAvatarUrl(avatarUrl)
  return changes
}

/** A name stands on one line and is not empty. */
export function readName(what: 'username' | 'preferred name', text: string): string {
  const name = oneLine(text)
  if (name === '') throw invalid('settings.invalid', `The ${what} must not be empty.`)
  return name
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function checkAvatarUrl(url: string): string {
  const fault = webAddressFault(url)
  if (fault !== null) throw invalid('settings.invalid', `The avatar address ${fault}.`)
  return url
}

/**
 * Ranking IDs are numbers. Streaming names have letters, digits and underscores, mean the same in any case, and are kept
 * in lower case. (D39, D50)
 */
export function readExternalId(platform: IdentityPlatform, text: string): Checked<string> {
  if (platform === 'streaming') {
    if (/^\w{1,25}$/.test(text)) return { ok: true, value: text.toLowerCase() }
    return { ok: false, reason: 'must be 1 to 25 letters, digits and underscores' }
  }
  if (/^\d{1,20}$/.test(text)) return { ok: true, value: text }
  return { ok: false, reason: 'must be 1 to 20 digits' }
}

/** An account elsewhere that is proven to be somebody’s is nobody else’s. (additions: Users) */
export function accountTaken(): Problem {
  return conflict('identity.taken', 'This account is already linked to another user.')
}

/** What a sign-in brings: the chat account, and what this installation says of it. */
export interface ChatSignIn {
  readonly profile: ChatProfile
  /** Whether the installation names the account as an owner. (D21) */
  readonly isOwner: boolean
  /** Where the chat platform keeps its pictures, without a slash at the end. */
  readonly cdnUrl: string
}

type ChatRecord = Pick<User, 'username' | 'preferredName' | 'avatarUrl' | 'email' | 'emailVerifiedAt' | 'isBot'> & {
  readonly globalRoles: GlobalRole[]
}

/** At the first sign-in the record is made of what the chat platform says; an unverified address is nobody's. (D19, D21) */
export function recordFromChat({ profile, isOwner }: ChatSignIn, now: Date): ChatRecord {
  const { username, globalName, avatarUrl, isBot } = profile
  return {
    username,
    preferredName: globalName ?? username,
    avatarUrl,
    ...verifiedEmail(profile, now),
    isBot,
    globalRoles: isOwner ? ['role:owner'] : [],
  }
}

/**
 * Later sign-ins follow the chat account's name, and its picture unless the user has set another one; they add an e-mail
 * address where there is none, and an owner's role where it is missing. What they name is what differs. (D19, D21)
 */
export function changesFromChat(user: User, { profile, isOwner, cdnUrl }: ChatSignIn, now: Date): Partial<ChatRecord> {
  const { username, avatarUrl, isBot } = profile
  const followsPicture = isChatPicture(user.avatarUrl, user.chatPlatformId, cdnUrl)
  return {
    ...(username === user.username ? {} : { username }),
    ...(avatarUrl === user.avatarUrl || !followsPicture ? {} : { avatarUrl }),
    ...(user.email === null && hasVerifiedEmail(profile) ? verifiedEmail(profile, now) : {}),
    ...(isBot && !user.isBot ? { isBot } : {}),
    ...(isOwner && !user.globalRoles.includes('role:owner')
      ? { globalRoles: [...user.globalRoles, 'role:owner'] }
      : {}),
  }
}

function hasVerifiedEmail({ email, emailVerified }: ChatProfile): boolean {
  return email !== null && emailVerified
}

function verifiedEmail(profile: ChatProfile, now: Date): Pick<User, 'email' | 'emailVerifiedAt'> {
  return hasVerifiedEmail(profile)
    ? { email: profile.email, emailVerifiedAt: now }
    : { email: null, emailVerifiedAt: null }
}

/** The account's own picture, or one that the platform deals out. (domain: chat platform, avatar address) */
function isChatPicture(url: string, chatPlatformId: string, cdnUrl: string): boolean {
  return url.startsWith(`${cdnUrl}/avatars/${chatPlatformId}/`) || url.startsWith(`${cdnUrl}/embed/avatars/`)
}

/**
 * What is left of an account that was given up: the GUID by which results and rosters name it, and nothing of the person.
 * Its chat-platform ID cannot be one, so that it neither resolves nor keeps the chat account from signing in again, as
 * somebody new. (D35)
 */
export function anonymousRecord(guid: string, cdnUrl: string, now: Date) {
  return {
    chatPlatformId: `deleted:${guid}`,
    username: 'deleted-user',
    preferredName: 'Deleted user',
    avatarUrl: `${cdnUrl}/embed/avatars/0.png`,
    description: '',
    pronouns: null,
    headset: null,
    grip: null,
    controllers: null,
    country: null,
    email: null,
    emailVerifiedAt: null,
    isBot: false,
    globalRoles: [],
    credentialsValidFrom: now,
    anonymisedAt: now,
  }
}
