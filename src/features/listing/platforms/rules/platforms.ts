import { ConfigError } from '../../../../config.ts'
import { shortIdFault } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { type Checked, readMarkdown } from '../../../../core/text.ts'
import { webAddressFault } from '../../../../core/web.ts'
import { type Platform, type PlatformSettings, type WebhookEvent, webhookEvents } from '../types.ts'
import { type CustomWebhookContext, customWebhookFault, readChatWebhook, secretFault } from './webhooks.ts'

/** Limits the list of all platforms, so that it fits into one answer. (D8) */
export const maxPlatforms = 500

/** The maximum length of a name, in characters. */
export const maxNameLength = 100

/** Limits a platform's review team, so that it fits into one answer. (D8) */
export const maxMembers = 500

/** All platforms fit into one answer, and so do the members of each. (D8) */
export function checkRoom(what: 'platforms' | 'members', held: number): void {
  const most = what === 'platforms' ? maxPlatforms : maxMembers
  if (held < most) return
  throw conflict('platform.limit_reached', `There may be at most ${most} ${what}; remove one that is no longer needed.`)
}

export const defaultSystemPlatform = { contextId: 'main', name: 'Main listing' }

/**
 * The system platform keeps the id of the first start, since addresses and clients contain it.
 * @throws ConfigError
 */
export function checkKeepsId({ contextId }: Pick<Platform, 'contextId'>, configured: string | null): void {
  if (configured === null || configured === contextId) return
  throw new ConfigError(
    `SYSTEM_PLATFORM_ID must stay ${contextId}, with which this database was begun, or be unset; it is ${configured}`,
  )
}

/**
 * The name of the system platform: the configured name, or the present name if none is configured.
 * @throws ConfigError
 */
export function systemName({ name }: Pick<Platform, 'name'>, configured: string | null): string {
  if (configured === null) return name
  if (configured.length > maxNameLength) {
    throw new ConfigError(`SYSTEM_PLATFORM_NAME must have at most ${maxNameLength} characters`)
  }
  const read = readName(configured)
  if (!read.ok) throw new ConfigError(`SYSTEM_PLATFORM_NAME ${read.reason}`)
  return read.value
}

/**
 * The system platform cannot be deleted, since it decides on the main listing. (rest-interface: Tournament platforms
 * and visibility)
 */
export function checkDeletable({ isSystem }: Pick<Platform, 'isSystem'>): void {
  if (isSystem) throw conflict('platform.is_system', 'The system platform cannot be deleted.')
}

export const maxDescriptionCharacters = 20_000

/** The members of a platform's public record that can be changed. */
export const recordNames = ['name', 'description', 'imageUrl', 'websiteUrl'] as const
export type PlatformRecord = Pick<Platform, (typeof recordNames)[number]>

export type RecordInput = { readonly [Name in keyof PlatformRecord]?: PlatformRecord[Name] | undefined }

/**
 * The record with the given changes. Names are visible and have one line; unsafe parts are removed from Markdown
 * descriptions; an empty text removes an address. (rest-interface: Tournament platform; D36, D56)
 * @throws Problem `platform.invalid`
 */
export function readRecord(input: RecordInput, current: PlatformRecord): PlatformRecord {
  const { name, description, imageUrl, websiteUrl } = input
  return {
    name: name === undefined ? current.name : readPlatformName(name),
    description: description === undefined ? current.description : readMarkdown(description, maxDescriptionCharacters),
    imageUrl: imageUrl === undefined ? current.imageUrl : readAddress('imageUrl', imageUrl),
    websiteUrl: websiteUrl === undefined ? current.websiteUrl : readAddress('websiteUrl', websiteUrl ?? '') || null,
  }
}

/** Context ids are stored in lower case. (D6) */
export function readContextId(text: string): string {
  const reason = shortIdFault(text)
  if (reason !== null) throw fault('contextId', reason)
  return text.toLowerCase()
}

function readPlatformName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw fault('name', name.reason)
  return name.value
}

function readAddress(member: string, text: string): string {
  const reason = text === '' ? null : webAddressFault(text)
  if (reason !== null) throw fault(member, reason)
  return text
}

function fault(member: string, reason: string) {
  return invalid('platform.invalid', `"${member}" ${reason}.`)
}

export interface SettingsInput {
  readonly chatWebhookUrl?: string
  readonly customWebhookUrl?: string
  readonly customWebhookSecret?: string
  readonly webhookEvents?: readonly WebhookEvent[]
}

export interface SettingsContext extends CustomWebhookContext {
  /** Base address of the chat platform's REST API. */
  readonly chatApiUrl: string
}

/**
 * The settings with the given changes. Settings that are left out stay; an empty text removes an address or the secret.
 * The error messages contain no address and no secret. (rest-interface: PUT settings; D34)
 * @throws Problem `platform.webhook_invalid`
 */
export function readSettings(
  input: SettingsInput,
  current: PlatformSettings,
  context: SettingsContext,
): PlatformSettings {
  const { chatWebhookUrl, customWebhookUrl, customWebhookSecret, webhookEvents: events } = input
  const read = (
    member: string,
    text: string | undefined,
    kept: string | null,
    check: (text: string) => Checked<string>,
  ) => {
    if (text === undefined) return kept
    if (text === '') return null
    const checked = check(text)
    if (!checked.ok) throw invalid('platform.webhook_invalid', `"${member}" ${checked.reason}.`)
    return checked.value
  }
  return {
    chatWebhookUrl: read('chatWebhookUrl', chatWebhookUrl, current.chatWebhookUrl, (text) =>
      readChatWebhook(text, context.chatApiUrl),
    ),
    customWebhookUrl: read('customWebhookUrl', customWebhookUrl, current.customWebhookUrl, (text) =>
      unless(customWebhookFault(text, context), text),
    ),
    customWebhookSecret: read('customWebhookSecret', customWebhookSecret, current.customWebhookSecret, (text) =>
      unless(secretFault(text), text),
    ),
    webhookEvents:
      events === undefined ? current.webhookEvents : webhookEvents.filter((event) => events.includes(event)),
  }
}

function unless(reason: string | null, value: string): Checked<string> {
  return reason === null ? { ok: true, value } : { ok: false, reason }
}
