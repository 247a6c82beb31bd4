import {
  createECDH,
  createHash,
  createHmac,
  generateKeyPair as generateKeyPairCallback,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type CryptoKey, importPKCS8, importSPKI } from 'jose'
import type { VapidKeys } from '../infra/clients/push.ts'
import { openPackageKeys, type PackageKeys } from '../infra/packages/keys.ts'

const generateKeyPair = promisify(generateKeyPairCallback)

/**
 * The RS256 keys that sign access tokens. (D17)
 *
 * Each key is in a separate file in the data directory, readable only by its owner, and is named by its time of
 * creation: the last name is the newest key, which signs. Older keys are kept for verification until all tokens that
 * they signed have expired. Processes with the same data directory share the keys, and notice changes by another
 * process within seconds.
 */

export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicPem: string
}

export interface KeyRing {
  /** The newest key, which signs. */
  readonly current: SigningKey
  /** Newest first. */
  readonly all: readonly SigningKey[]
  /** Identifies the service to push services. (additions: Push) */
  readonly vapid: VapidKeys
  /** The keys that sign packages of tournaments. (P2) */
  readonly packages: PackageKeys
  /** Loads keys that other processes have created or removed, unless that was done a moment ago. */
  refresh(now: Date): Promise<void>
  /** Finds a key, including one that another process has just created. */
  find(kid: string): Promise<SigningKey | undefined>
  /** Creates a new current key; removes keys whose tokens have all expired. */
  rotate(now: Date): Promise<SigningKey>
}

const modulusLength = 2048
const algorithm = 'RS256'
const refreshMs = 2_000

/**
 * Opens the key ring, and creates its first key if there is none; two concurrent first starts create two keys, which
 * both verify.
 */
export async function openKeyRing(directory: string, tokenLifetimeSeconds: number, now: Date): Promise<KeyRing> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  await fs.chmod(directory, 0o700)
  const vapid = await openVapidKeys(directory)
  let keys = await readKeys(directory, [])
  let readAt = now.getTime()
  if (keys.length === 0) {
    await makeKey(directory, now)
    keys = await readKeys(directory, [])
  }
  return {
    get current() {
      return keys[0] as SigningKey
    },
    get all() {
      return keys
    },
    vapid,
    packages: openPackageKeys(packageKeyDirectory(directory)),
    async refresh(at) {
      if (Math.abs(at.getTime() - readAt) < refreshMs) return
      readAt = at.getTime()
      keys = await readKeys(directory, keys)
    },
    async find(kid) {
      const known = keys.find((key) => key.kid === kid)
      if (known !== undefined || !kidPattern.test(kid)) return known
      // Another process may have created it since. Only the file of this key is read, because callers may name any key,
      // existing or not.
      return readKey(directory, kid)
    },
    async rotate(at) {
      await makeKey(directory, at)
      await removeRetired(directory, tokenLifetimeSeconds, at)
      keys = await readKeys(directory, keys)
      return keys[0] as SigningKey
    },
  }
}

/** @param directory that of all keys */
export function packageKeyDirectory(directory: string): string {
  return path.join(directory, 'packages')
}

/** Milliseconds of the creation, then the start of the public key's SHA-256. */
const kidPattern = /^\d{15}-[\w-]{12}$/

async function readKeys(directory: string, known: readonly SigningKey[]): Promise<SigningKey[]> {
  const kids = await listKids(directory)
  const read = kids.map(async (kid) => known.find((key) => key.kid === kid) ?? (await readKey(directory, kid)))
  return (await Promise.all(read)).filter((key) => key !== undefined)
}

async function listKids(directory: string): Promise<string[]> {
  const names = await fs.readdir(directory)
  return names
    .filter((name) => name.endsWith('.pem'))
    .map((name) => name.slice(0, -'.pem'.length))
    .filter((kid) => kidPattern.test(kid))
    .sort()
    .reverse()
}

async function readKey(directory: string, kid: string): Promise<SigningKey | undefined> {
  const pem = await fs.readFile(path.join(directory, `${kid}.pem`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (pem === undefined) return undefined
  const at = pem.indexOf('-----BEGIN PUBLIC KEY-----')
  const publicPem = pem.slice(at)
  return {
    kid,
    privateKey: await importPKCS8(pem.slice(0, at), algorithm),
    publicKey: await importSPKI(publicPem, algorithm, { extractable: true }),
    publicPem,
  }
}

async function makeKey(directory: string, now: Date): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const digest = createHash('sha256').update(publicKey).digest('base64url').slice(0, 12)
  const kid = `${String(now.getTime()).padStart(15, '0')}-${digest}`
  const file = path.join(directory, `${kid}.pem`)
  // Written completely under another name first: a crash leaves either the whole key or none.
  await fs.writeFile(`${file}.new`, privateKey + publicKey, { mode: 0o600, flag: 'wx', flush: true })
  await fs.rename(`${file}.new`, file)
}

/** Removes keys that have been unused for longer than the longest lifetime of a token. */
async function removeRetired(directory: string, tokenLifetimeSeconds: number, now: Date): Promise<void> {
  const kids = await listKids(directory)
  for (const [index, kid] of kids.entries()) {
    const successor = kids[index - 1]
    if (successor === undefined) continue
    const retiredAt = Number(successor.slice(0, 15))
    if (retiredAt + (tokenLifetimeSeconds + 86_400) * 1000 < now.getTime())
      await fs.rm(path.join(directory, `${kid}.pem`))
  }
}

/** A keyed digest with a secret that is created at the first start and changes only when an administrator replaces it. */
export async function openSeal(directory: string): Promise<(text: string) => string> {
  return sealBy(await readOrMake(path.join(directory, 'seal.key'), makeSealSecret))
}

export const makeSealSecret = (): Buffer => randomBytes(32)

export function sealBy(secret: Buffer): (text: string) => string {
  return (text) => createHmac('sha256', secret).update(text).digest('base64url')
}

/**
 * The key pair by which push services recognise this service (RFC 8292). It is created at the first start. Browsers bind
 * their subscriptions to it, so its replacement ends all of them.
 */
async function openVapidKeys(directory: string): Promise<VapidKeys> {
  const secret = await readOrMake(path.join(directory, 'vapid.key'), makeVapidSecret)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}

export function makeVapidSecret(): Buffer {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // A scalar may have leading zeros, which the key pair leaves out.
  return Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
}

/** Reads a secret file, and creates it if it is missing. */
async function readOrMake(file: string, make: () => Buffer): Promise<Buffer> {
  const draft = `${file}.${randomUUID()}`
  await fs.writeFile(draft, make(), { mode: 0o600, flush: true })
  // A link appears with its full content, and only if the name is free: of two concurrent first starts one creates the
  // secret, and both read it.
  await fs.link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await fs.rm(draft)
  return fs.readFile(file)
}
