import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, hasInventedSongs, readConfig } from './config.ts'

type Env = Record<string, string>

const mib = 1024 * 1024
const s3 = {
  MEDIA_S3_ENDPOINT: 'https://s3.example.org',
  MEDIA_S3_BUCKET: 'media',
  MEDIA_S3_ACCESS_KEY_ID: 'key',
  MEDIA_S3_SECRET_ACCESS_KEY: 'hunter2',
}

const chat = { DISCORD_CLIENT_ID: '123', DISCORD_CLIENT_SECRET: 'hunter2' }
const production = { ENVIRONMENT: 'production', ...chat }

function faultOf(env: Env): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'no fault'
}

/** The table of variables. (D37) */
test('what is not set has the documented default', () => {
  expect(readConfig({})).toEqual({
    environment: 'local',
    host: '127.0.0.1',
    port: 3001,
    socketPort: 48522,
    serve: new Set(['api', 'gateway']),
    socketLimit: 20_000,
    compatSocket: false,
    publicUrl: 'http://127.0.0.1:3001',
    isPublicUrlSet: false,
    socketUrl: 'ws://127.0.0.1:48522',
    databaseUrl: null,
    redisUrl: null,
    dataDir: path.resolve('data'),
    media: {
      url: 'http://127.0.0.1:3001',
      s3: null,
      quotas: { user: 200 * mib, tournament: 2048 * mib, platform: 100 * mib },
      diesAfter: null,
    },
    ownerChatIds: new Set(),
    systemPlatform: { contextId: null, name: null },
    chat: {
      credentials: null,
      apiUrl: 'http://127.0.0.1:3001/api/auth/stand-in',
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      cdnUrl: 'https://cdn.discordapp.com',
    },
    rankingAUrl: 'https://scoresaber.com/api',
    rankingBUrl: 'https://api.beatleader.com',
    gameProof: new Set(['a', 'b']),
    gameSignInUrl: 'https://scoresaber.com/api/game',
    assistantClientVersion: null,
    catalogueUrl: 'https://api.beatsaver.com',
    mail: null,
    packageSigners: null,
    webhookAllowPrivate: false,
    rateLimits: true,
    trustedProxies: [],
    logLevel: 'info',
    backupPassphrase: null,
  })
})

test('what is set to nothing, or to white space, counts as not set', () => {
  const names = [
    ...['ENVIRONMENT', 'HOST', 'PORT', 'SOCKET_PORT', 'PUBLIC_URL', 'SOCKET_URL', 'DATABASE_URL', 'REDIS_URL'],
    ...[
      'DATA_DIR',
      'OWNER_CHAT_IDS',
      'SYSTEM_PLATFORM_ID',
      'SYSTEM_PLATFORM_NAME',
      'DISCORD_CLIENT_ID',
      'DISCORD_CLIENT_SECRET',
    ],
    ...['DISCORD_API_URL', 'DISCORD_AUTHORIZE_URL', 'DISCORD_CDN_URL'],
    ...['SCORESABER_API_URL', 'BEATLEADER_API_URL', 'BEATSAVER_API_URL'],
    ...['SCORESABER_GAME_URL', 'GAME_PROOF', 'ASSISTANT_CLIENT_VERSION'],
    ...['MEDIA_URL', 'MEDIA_QUOTAS', 'MEDIA_DIES_AFTER', 'MEDIA_S3_REGION', 'MEDIA_S3_PUBLIC_URL', ...Object.keys(s3)],
    ...['SMTP_URL', 'MAIL_FROM', 'WEBHOOK_ALLOW_PRIVATE', 'RATE_LIMITS', 'TRUSTED_PROXIES', 'LOG_LEVEL'],
    'COMPAT_SOCKET',
  ]
  for (const nothing of ['', ' \t']) {
    expect(readConfig(Object.fromEntries(names.map((name) => [name, nothing])))).toEqual(readConfig({}))
  }
})

test('what is set is read', () => {
  const config = readConfig({
    ...production,
    HOST: '::',
    PORT: '80',
    SOCKET_PORT: '81',
    SERVE: 'gateway',
    SOCKET_LIMIT: '500',
    COMPAT_SOCKET: 'on',
    PUBLIC_URL: 'https://Cups.example.org:443/',
    SOCKET_URL: 'wss://live.example.org/socket/',
    DATABASE_URL: 'postgresql://user:pass@db/name?sslmode=require',
    REDIS_URL: 'rediss://user:pass@redis:6380/1',
    DATA_DIR: '/srv/data',
    MEDIA_URL: 'https://media.example.org/',
    MEDIA_QUOTAS: 'user=50, platform=0',
    ...s3,
    MEDIA_S3_REGION: 'eu-central-1',
    MEDIA_S3_PUBLIC_URL: 'https://cdn.example.org/media/',
    OWNER_CHAT_IDS: ' 1, 22,,333 ',
    SYSTEM_PLATFORM_ID: 'Front-Page',
    SYSTEM_PLATFORM_NAME: ' The front page ',
    DISCORD_API_URL: 'http://127.0.0.1:9/api/',
    DISCORD_AUTHORIZE_URL: 'http://127.0.0.1:9/authorize',
    DISCORD_CDN_URL: 'http://127.0.0.1:9/cdn',
    SCORESABER_API_URL: 'http://127.0.0.1:9/a',
    SCORESABER_GAME_URL: 'http://127.0.0.1:9/game/',
    GAME_PROOF: 'b',
    ASSISTANT_CLIENT_VERSION: '1.3.10',
    BEATLEADER_API_URL: 'http://127.0.0.1:9/b',
    BEATSAVER_API_URL: 'http://127.0.0.1:9/c/',
    SMTP_URL: 'smtps://user:pass@mail.example.org:465',
    MAIL_FROM: 'Downbeat <cups@example.org>',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1, fd00::/8',
    PACKAGE_SIGNERS: '/etc/downbeat/signers.json',
    LOG_LEVEL: 'silent',
    BACKUP_PASSPHRASE: 'a secret of many words',
  })
  expect(config).toEqual({
    environment: 'production',
    host: '::',
    port: 80,
    socketPort: 81,
    serve: new Set(['gateway']),
    socketLimit: 500,
    compatSocket: true,
    publicUrl: 'https://cups.example.org',
    isPublicUrlSet: true,
    socketUrl: 'wss://live.example.org/socket',
    databaseUrl: 'postgresql://user:pass@db/name?sslmode=require',
    redisUrl: 'rediss://user:pass@redis:6380/1',
    dataDir: '/srv/data',
    media: {
      url: 'https://media.example.org',
      s3: {
        endpoint: 'https://s3.example.org',
        region: 'eu-central-1',
        bucket: 'media',
        accessKeyId: 'key',
        secretAccessKey: 'hunter2',
        publicUrl: 'https://cdn.example.org/media',
      },
      quotas: { user: 50 * mib, tournament: 2048 * mib, platform: 0 },
      diesAfter: null,
    },
    ownerChatIds: new Set(['1', '22', '333']),
    systemPlatform: { contextId: 'front-page', name: 'The front page' },
    chat: {
      credentials: { clientId: '123', clientSecret: 'hunter2' },
      apiUrl: 'http://127.0.0.1:9/api',
      authorizeUrl: 'http://127.0.0.1:9/authorize',
      cdnUrl: 'http://127.0.0.1:9/cdn',
    },
    rankingAUrl: 'http://127.0.0.1:9/a',
    rankingBUrl: 'http://127.0.0.1:9/b',
    gameProof: new Set(['b']),
    gameSignInUrl: 'http://127.0.0.1:9/game',
    assistantClientVersion: '1.3.10',
    catalogueUrl: 'http://127.0.0.1:9/c',
    mail: { url: 'smtps://user:pass@mail.example.org:465', from: 'Downbeat <cups@example.org>' },
    packageSigners: '/etc/downbeat/signers.json',
    webhookAllowPrivate: false,
    rateLimits: true,
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    logLevel: 'silent',
    backupPassphrase: 'a secret of many words',
  })
})

test.each([
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['::1', '[::1]'],
  ['cups.example.org', 'cups.example.org'],
])('on %s clients are told to come to %s', (host, shown) => {
  const { publicUrl, socketUrl } = readConfig({ HOST: host, PORT: '3000', SOCKET_PORT: '4000' })
  expect([publicUrl, socketUrl]).toEqual([`http://${shown}:3000`, `ws://${shown}:4000`])
})

test('switches for the local environment are there, and only there', () => {
  const { webhookAllowPrivate, rateLimits } = readConfig({ WEBHOOK_ALLOW_PRIVATE: 'true', RATE_LIMITS: 'off' })
  expect([webhookAllowPrivate, rateLimits]).toEqual([true, false])
  for (const environment of ['staging', 'production']) {
    const env = { ...production, ENVIRONMENT: environment }
    expect(faultOf({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' })).toMatch(/^WEBHOOK_ALLOW_PRIVATE .* local$/)
    expect(faultOf({ ...env, RATE_LIMITS: 'off' })).toMatch(/^RATE_LIMITS .* local$/)
    expect(faultOf({ ...env, WEBHOOK_ALLOW_PRIVATE: 'false', RATE_LIMITS: 'on' })).toBe('no fault')
  }
})

test('media are delivered from the public address, and kept in the data directory, unless it is said where; never by halves', () => {
  expect(readConfig({ PUBLIC_URL: 'https://cups.example.org' }).media.url).toBe('https://cups.example.org')
  expect(readConfig(s3).media.s3).toMatchObject({ region: 'us-east-1', publicUrl: null })
  for (const name of Object.keys(s3)) expect(faultOf({ ...s3, [name]: '' })).toMatch(new RegExp(`^${name} must be set`))
  for (const name of ['MEDIA_S3_REGION', 'MEDIA_S3_PUBLIC_URL']) {
    expect(faultOf({ [name]: 'https://cdn.example.org' })).toMatch(/^MEDIA_S3_ENDPOINT must be set/)
  }
  expect(readConfig({ MEDIA_DIES_AFTER: 'renamed' }).media.diesAfter).toBe('renamed')
  expect(faultOf({ ...production, MEDIA_DIES_AFTER: 'renamed' })).toMatch(/^MEDIA_DIES_AFTER .* local$/)
})

test('the chat application is needed outside the local environment, whole', () => {
  for (const ENVIRONMENT of ['staging', 'production']) {
    expect(faultOf({ ENVIRONMENT })).toContain('DISCORD_CLIENT_ID')
    expect(faultOf({ ENVIRONMENT, ...chat })).toBe('no fault')
  }
  expect(faultOf({ DISCORD_CLIENT_ID: '123' })).toMatch(/^DISCORD_CLIENT_SECRET must be set/)
  expect(faultOf({ DISCORD_CLIENT_SECRET: 'hunter2' })).toMatch(/^DISCORD_CLIENT_ID must be set/)
})

test('the chat platform is the real one with the chat application, else the stand-in, unless it is said where', () => {
  const apiUrl = (env: Record<string, string>) => readConfig(env).chat.apiUrl
  expect(apiUrl(chat)).toBe('https://discord.com/api/v10')
  expect(apiUrl({ PUBLIC_URL: 'https://cups.example.org' })).toBe('https://cups.example.org/api/auth/stand-in')
  const DISCORD_API_URL = 'https://discord.com/api/v10'
  expect([apiUrl({ DISCORD_API_URL }), apiUrl({ ...chat, DISCORD_API_URL })]).toEqual([
    DISCORD_API_URL,
    DISCORD_API_URL,
  ])
})

test('invented songs stand beside those of the catalogue in the local environment alone, unless another one is asked', () => {
  const has = (env: Record<string, string>) => hasInventedSongs(readConfig(env))
  expect([has({}), has(chat), has({ BEATSAVER_API_URL: ' ' })]).toEqual([true, true, true])
  expect(has({ BEATSAVER_API_URL: 'http://127.0.0.1:9' })).toBe(false)
  for (const ENVIRONMENT of ['staging', 'production']) expect(has({ ENVIRONMENT, ...chat })).toBe(false)
})

describe('a wrong value is named in one line:', () => {
  const wrong: Record<string, readonly string[]> = {
    ENVIRONMENT: ['prod', 'Local', 'test'],
    HOST: ['not a host', 'http://127.0.0.1', '127.0.0.1:3001', '-x', 'a_b'],
    PORT: ['http', '-1', '65536', '3001.5', '0x50', '1e3', '99999999999999999999'],
    SOCKET_PORT: ['ws', '70000', '3001'],
    SERVE: ['all', 'api,jobs'],
    GAME_PROOF: ['c', 'none', 'a b'],
    ASSISTANT_CLIENT_VERSION: ['1 3', '<b>', '1'.repeat(65)],
    SOCKET_LIMIT: ['0', '-1', 'many', '1.5'],
    COMPAT_SOCKET: ['true', 'ON', '1'],
    PUBLIC_URL: [
      'cups.example.org',
      'ftp://example.org',
      'https://',
      'https://example.org/api',
      'https://a.org/?b=c',
      'https://user@a.org',
    ],
    SOCKET_URL: ['http://example.org', 'example.org', 'wss://'],
    DATABASE_URL: ['db', 'mysql://u:hunter2@h/d', 'postgres:', 'http://u:hunter2@h', 'postgres://u:hunter2@h:port/d'],
    REDIS_URL: ['redis', 'http://redis:6379', 'redis://u:hunter2@h:port', 'unix:///run/redis.sock'],
    MEDIA_URL: ['media.example.org', 'ftp://example.org', 'https://example.org/media', 'https://user:hunter2@a.org'],
    MEDIA_QUOTAS: ['200', 'user', 'user=', 'user=-1', 'user=1.5', 'team=5', 'user=200;platform=5'],
    MEDIA_DIES_AFTER: ['always'],
    MEDIA_S3_ENDPOINT: ['s3.example.org', 's3://hunter2@bucket'],
    MEDIA_S3_BUCKET: ['Media', 'a', 'two words', 'media/objects', '-media'],
    MEDIA_S3_PUBLIC_URL: ['cdn.example.org', '//hunter2@cdn.example.org'],
    OWNER_CHAT_IDS: ['quaver', '1;2', '1, x', '123456789012345678901'],
    SYSTEM_PLATFORM_ID: ['-', 'new', 'two words', 'a'.repeat(33), '01234567-89ab-4cde-8f01-23456789abcd'],
    DISCORD_API_URL: ['discord.com', 'file:///etc/passwd'],
    DISCORD_AUTHORIZE_URL: ['discord.com', 'javascript:alert(1)'],
    DISCORD_CDN_URL: ['cdn', '//cdn.example.org'],
    SCORESABER_API_URL: ['scoresaber', 'ws://a'],
    BEATLEADER_API_URL: ['beatleader', 'https//a'],
    BEATSAVER_API_URL: ['beatsaver', 'ftp://a'],
    SMTP_URL: ['mail.example.org', 'https://user:hunter2@mail.example.org'],
    MAIL_FROM: ['nobody', 'a@b@c', 'Name <nobody>', 'a@b>', 'two words@example.org extra'],
    WEBHOOK_ALLOW_PRIVATE: ['yes', '1', 'TRUE'],
    RATE_LIMITS: ['false', 'none', 'ON'],
    TRUSTED_PROXIES: [
      'proxy',
      '10',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.1-10.0.0.9',
      '127.0.0.1;::1',
      '10.0.0.0/',
    ],
    LOG_LEVEL: ['verbose', 'INFO', '30'],
  }
  const cases = Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const))

  test.each(cases)('%s=%s', (name, value) => {
    const env = name === 'MAIL_FROM' ? { SMTP_URL: 'smtp://mail.example.org' } : name.startsWith('MEDIA_S3') ? s3 : {}
    const fault = faultOf({ ...env, [name]: value })
    expect(fault).toMatch(new RegExp(`^${name} [^\\n]+$`))
    expect(fault).not.toContain('hunter2')
  })

  test('MAIL_FROM missing beside SMTP_URL', () => {
    expect(faultOf({ SMTP_URL: 'smtp://mail.example.org' })).toMatch(/^MAIL_FROM must be set/)
    expect(readConfig({ MAIL_FROM: 'cups@example.org' }).mail).toBeNull()
  })
})
