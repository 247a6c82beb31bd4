import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { shortIdFault } from './core/ids.ts'
import { listEntries } from './core/list.ts'
import { type UploadStep, uploadSteps } from './infra/storage/steps.ts'

/**
 * The only module that reads the environment. Everything is checked at the start; a wrong value stops the start with a
 * message of one line. (D37)
 */

/** `api` answers requests and runs jobs and followers; `gateway` holds sockets. */
export type Role = 'api' | 'gateway'
const roles: readonly string[] = ['api', 'gateway'] satisfies Role[]

export type GameProof = 'a' | 'b'
const gameProofs: readonly string[] = ['a', 'b'] satisfies GameProof[]

export type Environment = 'local' | 'staging' | 'production'

export interface Config {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  readonly socketPort: number
  /** The roles of this process. */
  readonly serve: ReadonlySet<Role>
  /** Maximum number of open sockets of this process. */
  readonly socketLimit: number
  /** Whether clients of the compatible protocol are accepted. */
  readonly compatSocket: boolean
  /** The service's address as clients see it, without a slash at the end; `publicUrl` has no `/api`. (D41) */
  readonly publicUrl: string
  /**
   * Whether `publicUrl` is configured. If not, it is made from host and port, and other machines can hardly reach it.
   */
  readonly isPublicUrlSet: boolean
  readonly socketUrl: string
  /** null: an embedded PostgreSQL, whose files are in `dataDir`. */
  readonly databaseUrl: string | null
  /** null: processes exchange ephemeral values through the database. */
  readonly redisUrl: string | null
  readonly dataDir: string
  readonly media: MediaConfig
  readonly ownerChatIds: ReadonlySet<string>
  /** null: the value in the database, or the default at the first start. */
  readonly systemPlatform: { readonly contextId: string | null; readonly name: string | null }
  readonly chat: {
    /** null (only in the local environment): the built-in stand-in signs users in. (D20) */
    readonly credentials: { readonly clientId: string; readonly clientSecret: string } | null
    /**
     * The REST API, which also has the chat webhooks; it may differ from the address of the stand-in that signs users
     * in.
     */
    readonly apiUrl: string
    readonly authorizeUrl: string
    readonly cdnUrl: string
  }
  readonly rankingAUrl: string
  readonly rankingBUrl: string
  /** The ranking platforms with which games may prove who the player is. (AS27) */
  readonly gameProof: ReadonlySet<GameProof>
  /** The address of ranking platform A's sign-in for games. */
  readonly gameSignInUrl: string
  /**
   * The current version of the assistant's stand-alone client, which running clients ask for. null: no version is
   * given.
   */
  readonly assistantClientVersion: string | null
  /** The address of the map catalogue. */
  readonly catalogueUrl: string
  readonly mail: { readonly url: string; readonly from: string } | null
  readonly webhookAllowPrivate: boolean
  readonly rateLimits: boolean
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: LogLevel
}

export interface MediaConfig {
  /** The origin that delivers media; `publicUrl` where none is set. (M21) */
  readonly url: string
  /** null: media are stored in `dataDir`. (M15) */
  readonly s3: S3Config | null
  /** Maximum bytes of all media of a record. (M16) */
  readonly quotas: { readonly user: number; readonly tournament: number; readonly platform: number }
  /** For tests: the step of saving an upload after which the process exits. */
  readonly diesAfter: UploadStep | null
}

export interface S3Config {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The public address of the bucket; null where the service delivers media itself. */
  readonly publicUrl: string | null
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Env = Readonly<Record<string, string | undefined>>

/** @throws ConfigError whose message names the variable and what it must be */
export function readConfig(env: Env = process.env): Config {
  const read = new Reader(env)
  const environment = read.oneOf('ENVIRONMENT', ['local', 'staging', 'production'], 'local')
  const local = environment === 'local'
  const host = read.host('HOST') ?? '127.0.0.1'
  const port = read.port('PORT', 3001)
  const socketPort = read.port('SOCKET_PORT', 48522)
  // Port 0 means any free port.
  if (socketPort === port && port !== 0) throw new ConfigError(`SOCKET_PORT must differ from PORT, not be ${port} too`)
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const givenUrl = read.origin('PUBLIC_URL', ['http:', 'https:'])
  const publicUrl = givenUrl ?? `http://${shownHost}:${port}`
  return {
    environment,
    host,
    port,
    socketPort,
    serve: new Set(read.listOr('SERVE', roles, 'api, gateway or both') as Role[]),
    socketLimit: read.count('SOCKET_LIMIT', 20_000),
    compatSocket: read.oneOf('COMPAT_SOCKET', ['off', 'on'], 'off') === 'on',
    publicUrl,
    isPublicUrlSet: givenUrl !== null,
    socketUrl: read.url('SOCKET_URL', ['ws:', 'wss:']) ?? `ws://${shownHost}:${socketPort}`,
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    media: readMedia(read, publicUrl, local),
    ownerChatIds: new Set(read.list('OWNER_CHAT_IDS', isChatId, 'chat-platform IDs (digits), separated by commas')),
    systemPlatform: {
      contextId: read.shortId('SYSTEM_PLATFORM_ID'),
      name: read.text('SYSTEM_PLATFORM_NAME'),
    },
    chat: readChat(read, environment, publicUrl),
    rankingAUrl: read.url('SCORESABER_API_URL', ['http:', 'https:']) ?? 'https://scoresaber.com/api',
    rankingBUrl: read.url('BEATLEADER_API_URL', ['http:', 'https:']) ?? 'https://api.beatleader.com',
    gameProof: new Set(read.listOr('GAME_PROOF', gameProofs, 'a or b', local ? gameProofs : []) as GameProof[]),
    gameSignInUrl: read.url('SCORESABER_GAME_URL', ['http:', 'https:']) ?? 'https://scoresaber.com/api/game',
    assistantClientVersion: read.version('ASSISTANT_CLIENT_VERSION'),
    catalogueUrl: read.url('BEATSAVER_API_URL', ['http:', 'https:']) ?? publicCatalogueUrl,
    mail: readMail(read),
    webhookAllowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', ['false', 'true'], local) === 'true',
    rateLimits: read.flag('RATE_LIMITS', ['on', 'off'], local) === 'on',
    trustedProxies: read.list(
      'TRUSTED_PROXIES',
      isNetwork,
      'addresses or networks such as 10.0.0.0/8, separated by commas',
    ),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
  }
}

/** Whether the built-in stand-in for the chat platform signs users in; only in the local environment. (D20) */
export function usesStandIn({ environment, chat }: Pick<Config, 'environment' | 'chat'>): boolean {
  return environment === 'local' && chat.credentials === null
}

const publicCatalogueUrl = 'https://api.beatsaver.com'

/**
 * Whether invented songs are added to the map catalogue, so that there are maps without a network. Only in the local
 * environment, and only if no other catalogue is configured.
 */
export function hasInventedSongs({ environment, catalogueUrl }: Pick<Config, 'environment' | 'catalogueUrl'>): boolean {
  return environment === 'local' && catalogueUrl === publicCatalogueUrl
}

/** The credentials that the stand-in accepts. Applications of the chat platform have numeric IDs. */
export const standInClient = { id: 'local', secret: 'local', applicationId: '1' }

/** The base URL of the stand-in for the chat platform, including its REST API. (D20) */
export function standInUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/api/auth/stand-in`
}

function readChat(read: Reader, environment: Environment, publicUrl: string): Config['chat'] {
  const clientId = read.text('DISCORD_CLIENT_ID')
  const clientSecret = read.text('DISCORD_CLIENT_SECRET')
  if (clientId === null && clientSecret !== null)
    throw new ConfigError('DISCORD_CLIENT_ID must be set when DISCORD_CLIENT_SECRET is')
  if (clientSecret === null && clientId !== null)
    throw new ConfigError('DISCORD_CLIENT_SECRET must be set when DISCORD_CLIENT_ID is')
  if (clientId === null && environment !== 'local') {
    throw new ConfigError(`DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET must be set when ENVIRONMENT is ${environment}`)
  }
  const credentials = clientId === null || clientSecret === null ? null : { clientId, clientSecret }
  const defaultApiUrl = credentials === null ? standInUrl({ publicUrl }) : 'https://discord.com/api/v10'
  return {
    credentials,
    apiUrl: read.url('DISCORD_API_URL', ['http:', 'https:']) ?? defaultApiUrl,
    authorizeUrl: read.url('DISCORD_AUTHORIZE_URL', ['http:', 'https:']) ?? 'https://discord.com/oauth2/authorize',
    cdnUrl: read.url('DISCORD_CDN_URL', ['http:', 'https:']) ?? 'https://cdn.discordapp.com',
  }
}

function readMail(read: Reader): Config['mail'] {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = read.text('MAIL_FROM')
  if (url === null) return null
  if (from === null) throw new ConfigError('MAIL_FROM must be set when SMTP_URL is')
  if (!/^(?:[^@<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(from)) {
    throw new ConfigError(`MAIL_FROM must be an e-mail address, not ${JSON.stringify(from)}`)
  }
  return { url, from }
}

function readMedia(read: Reader, publicUrl: string, local: boolean): MediaConfig {
  const step = read.text('MEDIA_DIES_AFTER')
  if (step !== null) {
    read.oneOf('MEDIA_DIES_AFTER', uploadSteps, 'received')
    if (!local) throw new ConfigError('MEDIA_DIES_AFTER may be set only when ENVIRONMENT is local')
  }
  return {
    url: read.origin('MEDIA_URL', ['http:', 'https:']) ?? publicUrl,
    s3: readS3(read),
    quotas: readQuotas(read),
    diesAfter: step as UploadStep | null,
  }
}

const neededForS3 = [
  'MEDIA_S3_ENDPOINT',
  'MEDIA_S3_BUCKET',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
] as const
const mayBeForS3 = ['MEDIA_S3_REGION', 'MEDIA_S3_PUBLIC_URL'] as const

/** A partial configuration is refused, because otherwise only the first upload would reveal it. */
function readS3(read: Reader): S3Config | null {
  const given = [...neededForS3, ...mayBeForS3].find((name) => read.text(name) !== null)
  if (given === undefined) return null
  const lacking = neededForS3.find((name) => read.text(name) === null)
  if (lacking !== undefined) throw new ConfigError(`${lacking} must be set when ${given} is`)
  const bucket = read.text('MEDIA_S3_BUCKET') ?? ''
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
    throw new ConfigError(`MEDIA_S3_BUCKET must be the name of a bucket, not ${JSON.stringify(bucket)}`)
  }
  return {
    endpoint: read.url('MEDIA_S3_ENDPOINT', ['http:', 'https:']) ?? '',
    region: read.text('MEDIA_S3_REGION') ?? 'us-east-1',
    bucket,
    accessKeyId: read.text('MEDIA_S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: read.text('MEDIA_S3_SECRET_ACCESS_KEY') ?? '',
    publicUrl: read.url('MEDIA_S3_PUBLIC_URL', ['http:', 'https:']),
  }
}

const defaultQuotas = { user: 200, tournament: 2048, platform: 100 }
const mib = 1024 * 1024

/** A target that is not listed keeps its default quota. */
function readQuotas(read: Reader): MediaConfig['quotas'] {
  const isQuota = (text: string) => /^(?:user|tournament|platform)=\d{1,7}$/.test(text)
  const items = read.list('MEDIA_QUOTAS', isQuota, 'quotas in MiB, such as user=200,tournament=2048,platform=100')
  const given = Object.fromEntries(items.map((item) => [item.split('=')[0], Number(item.split('=')[1])]))
  const { user, tournament, platform } = { ...defaultQuotas, ...given }
  return { user: user * mib, tournament: tournament * mib, platform: platform * mib }
}

function isChatId(text: string): boolean {
  return /^\d{1,20}$/.test(text)
}

/** Refuses a network of all addresses: with it, callers could claim any address. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress && (bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0))
}

class Reader {
  readonly #env: Env

  constructor(env: Env) {
    this.#env = env
  }

  /** An empty variable counts as not set. */
  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  oneOf<const V extends readonly string[]>(name: string, values: V, otherwise: V[number]): V[number] {
    const value = this.text(name) ?? otherwise
    if (!values.includes(value))
      throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`)
    return value
  }

  /** A switch whose second value is allowed only in the local environment. */
  flag<const V extends readonly [string, string]>(name: string, values: V, local: boolean): V[number] {
    const value = this.oneOf(name, values, values[0])
    if (value === values[1] && !local) throw new ConfigError(`${name} may be ${value} only when ENVIRONMENT is local`)
    return value
  }

  port(name: string, otherwise: number): number {
    const value = this.text(name) ?? String(otherwise)
    const port = Number(value)
    if (!/^\d+$/.test(value) || port > 65_535)
      throw new ConfigError(`${name} must be a port from 0 to 65535, not ${JSON.stringify(value)}`)
    return port
  }

  /** An IP address to listen on, or a host name. */
  host(name: string): string | null {
    const value = this.text(name)
    if (value === null || ipaddr.isValid(value) || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value
    throw new ConfigError(`${name} must be an IP address or a host name, not ${JSON.stringify(value)}`)
  }

  origin(name: string, protocols: readonly string[]): string | null {
    const value = this.url(name, protocols)
    if (value === null) return null
    const { origin, href } = new URL(value)
    if (href === `${origin}/`) return origin
    throw new ConfigError(`${name} must be an address without a path, such as https://example.org`)
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name)
    if (value === null) return null
    const isOne = protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))
    if (!isOne || !URL.canParse(value)) {
      // The message omits the value, which may contain a password.
      throw new ConfigError(
        `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      )
    }
    return value.replace(/\/+$/, '')
  }

  list(name: string, isItem: (text: string) => boolean, what: string): string[] {
    const items = listEntries(this.text(name) ?? '').filter((item) => item !== '')
    const wrong = items.find((item) => !isItem(item))
    if (wrong !== undefined) throw new ConfigError(`${name} must list ${what}; ${JSON.stringify(wrong)} is not one`)
    return items
  }

  /** The listed words, each checked against `words`; `otherwise` where none is given. */
  listOr(name: string, words: readonly string[], what: string, otherwise = words): readonly string[] {
    const given = this.list(name, (word) => words.includes(word), what)
    return given.length === 0 ? otherwise : given
  }

  version(name: string): string | null {
    const value = this.text(name)
    if (value === null || /^[\w.+-]{1,64}$/.test(value)) return value
    throw new ConfigError(`${name} must be a version such as 1.2.3, not ${JSON.stringify(value)}`)
  }

  count(name: string, otherwise: number): number {
    const value = this.text(name) ?? String(otherwise)
    if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
    throw new ConfigError(`${name} must be a whole number from 1 to 9999999, not ${JSON.stringify(value)}`)
  }

  shortId(name: string): string | null {
    const id = this.text(name)?.toLowerCase() ?? null
    const fault = id === null ? null : shortIdFault(id)
    if (fault !== null) throw new ConfigError(`${name} ${fault}`)
    return id
  }
}
