import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { importJWK, jwtVerify } from 'jose'

/**
 * A push service with its browsers: keeps what is sent to their endpoints, and reads it as a browser does. (RFC 8030,
 * 8188, 8291, 8292)
 */

/** Self-signed for localhost, until 2120; the key protects nothing. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLLz+QC4REV064AZ
iGEF++39edzNxD2U7FLkw2osoTY43uARDTO5d1ZyFTYM5QG72Q/Bs5xn1DlZwrW0
W+3uC1ijSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBQG52tPX4FEQwk73hlgfg9HfDxjAjAKBggqhkjOPQQDAgNIADBF
AiBmiFkuZ52FxFUUNy22HYLeFs07kersLKG9vLEU+CjM9QIhAKCTwqZ0i8jeZyMW
EtZ6Nj0OAEg1GhBP+8PigMJxrToZ
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDDrdxz+icy+UGZQs
O276uDnpVLMrdZcQCl7kLhjBtKmhRANCAASy8/kAuERFdOuAGYhhBfvt/XnczcQ9
lOxS5MNqLKE2ON7gEQ0zuXdWchU2DOUBu9kPwbOcZ9Q5WcK1tFvt7gtY
-----END PRIVATE KEY-----
`

export interface Browser {
  /** As in the body of `pushDevices.save`. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  /** The requests to its endpoint so far. */
  readonly requests: readonly PushRequest[]
  /** What it has been told, decrypted. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  told(): any[]
}

interface PushRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly status: number
}

interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
}

export interface FakePush extends AsyncDisposable {
  readonly origin: string
  browser(): Browser
  /** Decides the answers from now on, by the number of requests to the endpoint before; 201 unless given. */
  answer(how: (before: number) => Answer): void
}

/** Certificates are trusted by the whole process, until the fake is closed. */
export async function startFakePush(): Promise<FakePush> {
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, cert])
  const requests = new Map<string, PushRequest[]>()
  let how = (_before: number): Answer => ({ status: 201 })
  const server = createServer({ key, cert }, async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', headers, url = '' } = incoming
    const seen = requests.get(url) ?? []
    const { status, headers: extra = {} } = requests.has(url) ? how(seen.length) : { status: 404 }
    seen.push({ method, headers, body: Buffer.concat(chunks), status })
    outgoing.writeHead(status, extra).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    answer: (next) => {
      how = next
    },
    browser() {
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      const path = `/send/${randomBytes(16).toString('base64url')}`
      const own: PushRequest[] = []
      requests.set(path, own)
      return {
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        requests: own,
        told: () => own.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(decrypt(body, pair, auth))),
      }
    },
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(usual)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** RFC 8291 §3.4 and RFC 8188 §2, for a message of one record. */
export function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const shared = pair.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const ikm = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${label}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with the delimiter 2 and padding.
  return text.subarray(0, text.lastIndexOf(2)).toString()
}

/** Checks the sender's token as a push service does; returns its claims. (RFC 8292) */
export async function readVapid({ headers }: Pick<PushRequest, 'headers'>, applicationServerKey: string) {
  const [, token = '', sent = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  if (sent !== applicationServerKey) throw new Error('another key than the browser subscribed with')
  const point = Buffer.from(sent, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'))
  return payload
}
