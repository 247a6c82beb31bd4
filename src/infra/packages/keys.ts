import fs from 'node:fs/promises'
import path from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose'
import {
  type KnownKey,
  type PublicKey,
  type PublishedKey,
  publicKeyOf,
  type SigningKey,
  thumbprintOf,
} from '../../core/packages/signatures.ts'

/**
 * The Ed25519 keys that sign packages, and nothing else. (P2)
 *
 * Each is a file in the data directory, named by its time of creation and its thumbprint; the newest one signs. The private
 * part of an older key is deleted; its public part stays for ever, so that old packages can be checked.
 */

interface Stored extends PublicKey {
  /** Only of the key that signs. */
  readonly d?: string
  /** ISO 8601. */
  readonly revokedAt?: string
}

export interface PackageKeys {
  /** The key that signs; the first one is made where there is none. */
  current(now: Date): Promise<SigningKey>
  /** Every key that there ever was, the newest first. */
  list(now: Date): Promise<readonly PublishedKey[]>
  /** Signs with a new key from now on. @param revoke whether what the key before has signed counts no more */
  rotate(now: Date, revoke: boolean): Promise<PublishedKey>
}

const algorithm = 'EdDSA'
const name = /^(\d{15})-([\w-]{43})\.json$/

interface Found {
  readonly file: string
  readonly kid: string
  readonly stored: Stored
}

/** @param directory is made with the first key */
export function openPackageKeys(directory: string): PackageKeys {
  const read = () => readKeys(directory)
  const readOrMake = async (now: Date) => {
    const keys = await read()
    if (keys.length > 0) return keys
    await makeKey(directory, now)
    return read()
  }
  return {
    async current(now) {
      const { kid, stored } = newestOf(await readOrMake(now))
      const privateKey = (await importJWK({ ...stored }, algorithm)) as CryptoKey
      return { kid, publicKey: publicPart(stored), privateKey }
    },
    async list(now) {
      return published(await readOrMake(now))
    },
    async rotate(at, revoke) {
      const before = await read()
      await makeKey(directory, at)
      for (const { file, stored } of before) {
        if (stored.d === undefined) continue
        const { d: _private, ...kept } = stored
        const revoked = revoke && file === before[0]?.file ? { ...kept, revokedAt: at.toISOString() } : kept
        await replaceFile(path.join(directory, file), JSON.stringify(revoked))
      }
      return published(await read())[0] as PublishedKey
    },
  }
}

/** The keys of a JWK set that somebody trusts; those of other kinds are left out. @throws SyntaxError if it is none */
export async function knownOfSet(text: string, name: string | null): Promise<readonly KnownKey[]> {
  const set: unknown = JSON.parse(text)
  const keys = (set as { readonly keys?: unknown } | null)?.keys
  if (!Array.isArray(keys)) throw new SyntaxError('It is not a JWK set.')
  const known = keys.map(async (jwk: unknown): Promise<KnownKey | null> => {
    const publicKey = publicKeyOf(jwk)
    if (publicKey === null) return null
    const isRevoked = (jwk as { readonly status?: unknown }).status === 'revoked'
    return { kid: await thumbprintOf(publicKey), publicKey, isRevoked, name }
  })
  return (await Promise.all(known)).filter((key) => key !== null)
}

const newestOf = (keys: readonly Found[]) => keys[0] as Found

function published(keys: readonly Found[]): readonly PublishedKey[] {
  return keys.map(({ kid, stored }, at) => ({
    ...publicPart(stored),
    ...{ kid, use: 'sig' },
    status: stored.revokedAt !== undefined ? 'revoked' : at === 0 ? 'current' : 'retired',
    revokedAt: stored.revokedAt ?? null,
  }))
}

const publicPart = ({ kty, crv, x }: Stored): PublicKey => ({ kty, crv, x })

/** The newest first. */
async function readKeys(directory: string): Promise<readonly Found[]> {
  const files = await fs.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const named = files.filter((file) => name.test(file)).toSorted((one, other) => (one < other ? 1 : -1))
  return Promise.all(
    named.map(async (file) => ({
      ...{ file, kid: name.exec(file)?.[2] ?? '' },
      stored: JSON.parse(await fs.readFile(path.join(directory, file), 'utf8')) as Stored,
    })),
  )
}

async function makeKey(directory: string, now: Date): Promise<void> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  const { privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  const { d, x } = await exportJWK(privateKey)
  const stored = { kty: 'OKP', crv: 'Ed25519', x: x ?? '', ...(d !== undefined && { d }) } satisfies Stored
  const kid = await thumbprintOf(stored)
  const file = `${String(now.getTime()).padStart(15, '0')}-${kid}.json`
  await replaceFile(path.join(directory, file), JSON.stringify(stored))
}

/** A crash leaves either the file from before or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  await fs.writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await fs.rename(`${file}.new`, file)
}
