import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { ConfigError, type Env, Reader } from './config-reader.ts'
import { type UploadStep, uploadSteps } from './infra/storage/steps.ts'

export { ConfigError }

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
  /** A file of JWK sets by the names of services whose packages are trusted; null without one. (P6) */
  readonly packageSigners: string | null
  readonly webhookAllowPrivate: boolean
  readonly rateLimits: boolean
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: LogLevel
  /** For backups; null: from a file, or asked for at the terminal. */
  readonly backupPassphrase: string | null
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
    packageSigners: read.text('PACKAGE_SIGNERS'),
    webhookAllowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', ['false', 'true'], local) === 'true',
    rateLimits: read.flag('RATE_LIMITS', ['on', 'off'], local) === 'on',
    trustedProxies: read.list(
      'TRUSTED_PROXIES',
      isNetwork,
      'addresses or networks such as 10.0.0.0/8, separated by commas',
    ),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    backupPassphrase: read.text('BACKUP_PASSPHRASE'),
  }
}

/** What checking a package needs: settings that it does not need may be wrong. */
export function readPackageConfig({ DATA_DIR, PACKAGE_SIGNERS }: Env = process.env): Config {
  return readConfig({ DATA_DIR, PACKAGE_SIGNERS })
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
