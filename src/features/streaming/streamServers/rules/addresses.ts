import type { ServerKind, StreamProtocol } from '../../../../infra/clients/media-servers/types.ts'

/**
 * Addresses of a media server, as its owner gives them. Each function returns a fault as the end of a sentence, without
 * the address.
 */

export const maxServerAddressLength = 500

/** The protocols with which encoders can send. (streaming: Records) */
export const ingestProtocols = ['rtmp', 'rtmps', 'srt', 'whip'] as const satisfies readonly StreamProtocol[]
export type IngestProtocol = (typeof ingestProtocols)[number]

const schemes: Readonly<Record<IngestProtocol, readonly string[]>> = {
  rtmp: ['rtmp:'],
  rtmps: ['rtmps:'],
  srt: ['srt:'],
  whip: ['https:', 'http:'],
}

/** Server kinds that accept only RTMP. */
const plainKinds: ReadonlySet<ServerKind> = new Set(['nginx-rtmp'])
/**
 * Server kinds for which the owner writes the query of an SRT address; for other kinds, it is built from the stream and
 * the key.
 */
const ownQueries: ReadonlySet<ServerKind> = new Set(['ovenmediaengine', 'generic'])

/**
 * Encoders get this address with a key appended. It needs a host and a scheme of its protocol, the server kind must
 * accept the protocol, and it must contain no secret. (streaming: Records; streaming: Adapters)
 */
export function ingestFault(kind: ServerKind, protocol: IngestProtocol, text: string): string | null {
  if (plainKinds.has(kind) && schemes[protocol].every((scheme) => !scheme.startsWith('rtmp'))) {
    return `must have the protocol rtmp or rtmps, which is all that ${kind} takes`
  }
  return addressFault(text, schemes[protocol], { query: protocol === 'srt' && ownQueries.has(kind) })
}

/** The placeholder for the path of a stream. (S1) */
const pathMark = '{path}'

/**
 * Viewers get this web address with the stream's path filled in. It needs a placeholder for the path.
 * (streaming: Records)
 */
export function playFault(template: string): string | null {
  if (!template.includes(pathMark)) return `must hold ${pathMark} where the path of a stream goes`
  const filled = template.replaceAll(pathMark, 'live/a-path')
  const fault = addressFault(filled, ['https:', 'http:'], { query: true })
  if (fault !== null) return fault
  const { pathname, search } = new URL(filled)
  return `${pathname}${search}`.includes('live/a-path') ? null : `must hold ${pathMark} behind the host`
}

/**
 * The service calls this address, which may be in a private network: the owner of the server decides that.
 * (streaming: Details, 5)
 */
export function controlFault(text: string): string | null {
  return addressFault(text, ['https:', 'http:'], { query: false })
}

function addressFault(text: string, allowed: readonly string[], { query }: { readonly query: boolean }): string | null {
  const named = allowed.map((scheme) => `${scheme}//`).join(' or ')
  if (!URL.canParse(text)) return `must be an absolute address that starts with ${named}`
  const url = new URL(text)
  if (!allowed.includes(url.protocol)) return `must start with ${named}`
  if (url.hostname === '') return 'must name a host'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (url.hash !== '' || text.includes('#')) return 'must not hold a fragment'
  if (!query && text.includes('?')) return 'must not hold a query'
  return /[\s\p{Cc}]/u.test(text) ? 'must not hold white space' : null
}
