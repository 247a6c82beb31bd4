import type { ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { ClientOptions } from 'ws'
import { connectorWithin, type Reach } from '../internet.ts'
import type { AssistantAddress } from './types.ts'

/** The server has another certificate than the one of the link. */
export class WrongCertificate extends Error {
  override readonly name = 'WrongCertificate'

  constructor() {
    super('the certificate is another one')
  }
}

type CreateConnection = NonNullable<ClientOptions['createConnection']>
type Created = (error: Error | null, socket?: Duplex) => void

/**
 * Connections to checked addresses only. A certificate is verified as usual, or by its fingerprint alone: then it may
 * be self-signed, expired, or for another name. (AS1; D34)
 */
export function socketMaker(
  reach: Reach,
  timeoutMs: number,
): (address: AssistantAddress, url: URL) => CreateConnection {
  const verified = connectorWithin(reach, timeoutMs)
  const pinned = connectorWithin(reach, timeoutMs, { verifies: false })
  return ({ certificate, tls }, url) => {
    const isPinned = tls && certificate !== 'public'
    const create = (_options: ClientRequestArgs, created: Created) => {
      const connect = isPinned ? pinned : verified
      connect(
        {
          hostname: url.hostname.replace(/^\[|\]$/g, ''),
          host: url.hostname,
          protocol: tls ? 'https:' : 'http:',
          port: url.port || (tls ? '443' : '80'),
        },
        (...[error, socket]) => {
          if (error !== null) created(error)
          else if (!isPinned || hasFingerprint(socket, certificate)) created(null, socket)
          else {
            socket.destroy()
            created(new WrongCertificate())
          }
        },
      )
    }
    // Node's HTTP accepts a socket through the callback, which the types of `ws` leave out.
    return create as unknown as CreateConnection
  }
}

function hasFingerprint(socket: unknown, fingerprint: string): boolean {
  if (!(socket instanceof TLSSocket)) return false
  const shown = socket.getPeerX509Certificate()?.fingerprint256
  return shown !== undefined && plain(shown) === plain(fingerprint)
}

/** Fingerprints have colons or not, and either case. */
function plain(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase()
}
