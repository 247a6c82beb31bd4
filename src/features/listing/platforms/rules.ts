import { ConfigError } from '../../../config.ts'
import { shortIdFault } from '../../../core/ids.ts'
import { readName } from '../../../core/names.ts'
import { isPrivateHost } from '../../../core/network.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import { type Checked, readMarkdown } from '../../../core/text.ts'
import { webAddressFault } from '../../../core/web.ts'
import { type Platform, type PlatformSettings, type WebhookEvent, webhookEvents } from './types.ts'

/** Hosts of the same chat platform. Its clients copy addresses with the host that they use. */
const defaultHosts = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com']
const defaultOrigins = defaultHosts.map((host) => `https://${host}`)

/**
 * Reads a chat webhook: an address on the host of the chat platform's REST API, over https unless that API is reached
 * over http. The path is `/api/webhooks/{id}/{token}`, or `/webhooks/{id}/{token}` below the API's base, optionally
 * with a thread of the channel. The hosts of the usual platform count as one, and the first of them is stored. (D33,
 * D66, D37: DISCORD_API_URL)
 * @returns the address to store, or why it is invalid, as the end of a sentence that does not contain the address
 */
export function readChatWebhook(address: string, apiUrl: string): Checked<string> {
  const api = new URL(apiUrl)
  const origins = defaultOrigins.includes(api.origin) ? defaultOrigins : [api.origin]
  const [origin = api.origin] = origins
  const path = api.pathname.replace(/\/+$/, '')
  const usual = /^(\/api(\/v\d+)?)?$/.test(path) ? '/api' : path
  const example = `must be an address such as ${origin}${usual}/webhooks/{id}/{token}`
  if (!URL.canParse(address)) return { ok: false, reason: example }
  const url = new URL(address)
  if (!origins.includes(url.origin)) return { ok: false, reason: `must be an address at ${origin}` }
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && threadQuery.test(url.search)
  const isWebhook = ['/api', path].some(
    (base) => url.pathname.startsWith(base) && webhookPath.test(url.pathname.slice(base.length)),
  )
  return isPlain && isWebhook
    ? { ok: true, value: `${origin}${url.pathname}${url.search}` }
    : { ok: false, reason: example }
}

/** Why a stored address can no longer be used; null if it can. */
export function chatWebhookFault(address: string, apiUrl: string): string | null {
  const read = readChatWebhook(address, apiUrl)
  return read.ok ? null : read.reason
}

/** The thread that receives the messages, if the webhook's channel has threads. */
const threadQuery = /^(?:\?thread_id=\d{1,20})?$/
const webhookPath = /^\/webhooks\/[\w-]{1,100}\/[\w-]{1,200}$/

export interface CustomWebhookContext {
  /** True in the local environment only. */
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

/**
 * A custom webhook is an https address, in the local environment also http, without user name and password, that does
 * not name a private network. The delivery checks the resolved address. (D34)
 * @returns why the address is invalid, as the end of a sentence that does not contain the address, or null
 */
export function customWebhookFault(address: string, { allowHttp, allowPrivate }: CustomWebhookContext): string | null {
  const fault = webAddressFault(address)
  if (fault !== null) return fault
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowHttp) return 'must start with https://'
  if (isPrivateHost(url.hostname) && !allowPrivate) return 'must not lead into a private network'
  return null
}

/**
 * A secret is used as it is; with the prefix `whsec_` it is decoded from base64. (D34)
 * @returns why the text is invalid, as the end of a sentence that does not contain the text, or null
 */
export function secretFault(secret: string): string | null {
  if (secret === configured)
    return `must not be "${configured}", which only says that there is one; leave it out to keep it`
  const [, base64] = /^whsec_(.*)$/s.exec(secret) ?? []
  return base64 === undefined || isBase64(base64) ? null : 'must be base64 behind "whsec_"'
}

function isBase64(text: string): boolean {
  const plain = text.replace(/={1,2}$/, '')
  return plain !== '' && Buffer.from(plain, 'base64').toString('base64').replace(/=+$/, '') === plain
}

/** The text that answers show instead of a secret. (rest-interface: Tournament platform) */
export const configured = 'configured'

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
