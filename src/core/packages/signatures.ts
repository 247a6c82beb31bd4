import {
  base64url,
  type CryptoKey,
  calculateJwkThumbprint,
  FlattenedSign,
  flattenedVerify,
  importJWK,
  type JWK,
} from 'jose'
import { invalid } from '../problem.ts'

/**
 * The signature of a manifest: a JWS in compact form whose payload is left out (RFC 7515, appendix F), by Ed25519 alone.
 * The header has the public key, so that anybody can check that the package is whole. (P2)
 */

const algorithm = 'EdDSA'
const type = 'downbeat-package+jws'

/** A public key as it is published and as signatures name it. */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

export interface SigningKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  readonly publicKey: PublicKey
  readonly privateKey: CryptoKey
}

/** A key as its service publishes it. */
export interface PublishedKey extends PublicKey {
  readonly kid: string
  readonly use: 'sig'
  readonly status: 'current' | 'retired' | 'revoked'
  readonly revokedAt: string | null
}

/** A key that the reader of a package knows. */
export interface KnownKey {
  readonly kid: string
  readonly publicKey: PublicKey
  readonly isRevoked: boolean
  /** The service that it belongs to; null if that is not known. */
  readonly name: string | null
}

/** The keys of a service, as the readers of packages know them. */
export function knownFrom(keys: readonly PublishedKey[], service: string | null): readonly KnownKey[] {
  return keys.map(({ kid, status, kty, crv, x }) => ({
    ...{ kid, publicKey: { kty, crv, x } },
    ...{ isRevoked: status === 'revoked', name: service },
  }))
}

/** `unknown`: the package is whole, by the key that it names; that key is not known. */
export interface Signer {
  readonly state: 'known' | 'unknown' | 'unsigned'
  readonly kid: string | null
  readonly name: string | null
}

export async function sign(manifest: Uint8Array, { kid, publicKey, privateKey }: SigningKey): Promise<string> {
  const header = { alg: algorithm, typ: type, kid, jwk: { ...publicKey } }
  const jws = await new FlattenedSign(manifest).setProtectedHeader(header).sign(privateKey)
  return `${jws.protected}..${jws.signature}`
}

const maxSignatureLength = 4_096

/**
 * Who signed a manifest.
 * @param jws undefined for a package without a signature
 * @throws Problem `package.signature`
 */
export async function signerOf(
  manifest: Uint8Array,
  jws: string | undefined,
  known: readonly KnownKey[],
): Promise<Signer> {
  if (jws === undefined) return { state: 'unsigned', kid: null, name: null }
  const [protectedHeader = '', payload, signature, ...more] = jws.split('.')
  if (jws.length > maxSignatureLength || payload !== '' || signature === undefined || more.length > 0) {
    throw refused('is not a compact JWS with a detached payload')
  }
  const { kid, publicKey } = await keyOf(protectedHeader)
  const found = known.find((key) => key.kid === kid)
  if (found !== undefined && found.publicKey.x !== publicKey.x) throw refused('names a known key with another value')
  if (found?.isRevoked) throw refused('was made with a key that has been revoked')
  await flattenedVerify(
    { protected: protectedHeader, payload: base64url.encode(manifest), signature },
    await importJWK({ ...publicKey }, algorithm),
    { algorithms: [algorithm] },
  ).catch(() => {
    throw refused('does not fit the manifest')
  })
  return { state: found === undefined ? 'unknown' : 'known', kid, name: found?.name ?? null }
}

async function keyOf(protectedHeader: string): Promise<Pick<KnownKey, 'kid' | 'publicKey'>> {
  const { alg, typ, kid, jwk, ...others } = headerOf(protectedHeader)
  if (alg !== algorithm) throw refused(`must be made with ${algorithm}`)
  if (typ !== type || Object.keys(others).length > 0) throw refused(`must have the type ${type} and nothing else`)
  const publicKey = publicKeyOf(jwk)
  if (publicKey === null) throw refused('names no Ed25519 key')
  if (kid !== (await thumbprintOf(publicKey))) throw refused('names a key that is not that of its thumbprint')
  return { kid, publicKey }
}

function headerOf(protectedHeader: string): Readonly<Record<string, unknown>> {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(protectedHeader)))
    if (typeof header === 'object' && header !== null) return header as Readonly<Record<string, unknown>>
  } catch {
    // Refused below.
  }
  throw refused('has no header that can be read')
}

/** The public key in a JWK; null for keys of another kind, and for private ones. */
export function publicKeyOf(jwk: unknown): PublicKey | null {
  if (typeof jwk !== 'object' || jwk === null || 'd' in jwk) return null
  const { kty, crv, x } = jwk as Readonly<Record<string, unknown>>
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || !/^[\w-]{43}$/.test(x)) return null
  return { kty, crv, x }
}

export function thumbprintOf(publicKey: PublicKey): Promise<string> {
  return calculateJwkThumbprint({ ...publicKey } satisfies JWK)
}

const refused = (fault: string) => invalid('package.signature', `The signature (manifest.jws) ${fault}.`)
