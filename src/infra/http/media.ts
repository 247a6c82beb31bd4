import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../core/network.ts'
import { missing, type Problem } from '../../core/problem.ts'
import type { Delivered, Delivery } from '../delivery/delivery.ts'
import { leadingHeaders } from '../delivery/headers.ts'
import { isRangeMeant, rangeOf } from '../delivery/ranges.ts'
import { matches } from './etag.ts'
import type { RateLimits } from './limits.ts'

/** Delivers media files. They are not operations: everybody who has a file's address may read it. (M18 to M23) */

/** The origin of media, and the origin of the website. */
export interface Origins {
  readonly mediaUrl: string
  readonly publicUrl: string
}

/** The host that serves only media; null where media and website share an origin. (M21) */
export function mediaHostOf({ mediaUrl, publicUrl }: Origins): string | null {
  const [media, site] = [new URL(mediaUrl), new URL(publicUrl)]
  return media.host === site.host ? null : media.host
}

const prefix = '/media/'
/** An address that matches no file. */
const nowhere = `${prefix}-`

/** Whether a URL is below the media prefix: an unreadable address there is answered like any unknown medium. (D81) */
export function isUnderMedia(url: string): boolean {
  return url.startsWith(prefix)
}

/** The host of media serves only media: every other address leads to no file. (M21) */
export function restrictToMedia(request: IncomingMessage, mediaHost: string | null): void {
  if (mediaHost === null || request.headers.host?.toLowerCase() !== mediaHost) return
  if (!request.url?.startsWith(prefix)) request.url = nowhere
}

export interface MediaRoutes {
  readonly delivery: Delivery
  /** The local copy of an external picture, by the rest of its address; null where there is none. (M26) */
  readonly mirror: (address: string) => Promise<Delivered | null>
  readonly origins: Origins
  readonly limits: RateLimits
  /** The public address of the storage; null where the service delivers the files itself. (M21) */
  readonly storageUrl: string | null
}

export function addMediaRoutes(app: FastifyInstance, routes: MediaRoutes): void {
  const { delivery, mirror, origins, limits, storageUrl } = routes
  const mediaHost = mediaHostOf(origins)
  const isElsewhere = ({ headers }: FastifyRequest) => mediaHost !== null && headers.host?.toLowerCase() !== mediaHost
  const lead = ({ url }: FastifyRequest, reply: FastifyReply) =>
    reply
      .code(308)
      .headers({ ...leadingHeaders, location: `${origins.mediaUrl}${url}` })
      .send()

  app.route<{ Params: { readonly guid: string; readonly name: string } }>({
    method: ['GET', 'HEAD'],
    url: `${prefix}:guid/:name`,
    config: { budget: 'media' },
    async handler(request, reply) {
      if (isElsewhere(request)) return lead(request, reply)
      const { guid, name } = request.params
      const making = () => void limits.count('variant', networkOf(request.ip))
      const find = () => delivery.find(guid, name, making)
      const found = await find()
      if (found === null) throw unknownMedium()
      if (storageUrl === null) return deliver(request, reply, found, find)
      return reply
        .code(302)
        .headers({ ...leadingHeaders, 'cache-control': 'no-store', location: `${storageUrl}/${found.name}` })
        .send()
    },
  })

  app.route<{ Params: { readonly address: string } }>({
    method: ['GET', 'HEAD'],
    url: `${prefix}remote/:address`,
    config: { budget: 'media' },
    async handler(request, reply) {
      if (isElsewhere(request)) return lead(request, reply)
      const find = () => mirror(request.params.address)
      const found = await find()
      if (found === null) throw unknownMedium()
      return deliver(request, reply, found, find)
    },
  })
}

export function unknownMedium(): Problem {
  return missing('media.unknown', 'There is no such medium.')
}

async function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Delivered,
  again: () => Promise<Delivered | null>,
): Promise<FastifyReply> {
  const { etag, bytes } = file
  reply.headers({ ...file.headers, etag, 'accept-ranges': 'bytes' })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send()
  // Ranges apply only to GET. (RFC 9110 §14.2)
  if (request.method === 'HEAD') return reply.header('content-length', bytes).send()
  const range = isRangeMeant(request.headers['if-range']?.toString(), etag)
    ? rangeOf(request.headers.range, bytes)
    : null
  if (range === 'unsatisfiable') return refuseRange(reply, bytes)
  // A file that was deleted a moment ago is created anew.
  const body = (await file.open(range)) ?? (await (await again())?.open(range)) ?? null
  if (body === null) {
    for (const name of Object.keys({ ...file.headers, etag, 'accept-ranges': '' })) reply.removeHeader(name)
    throw unknownMedium()
  }
  if (range === null) return reply.header('content-length', bytes).send(body)
  const { first, last } = range
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${first}-${last}/${bytes}`, 'content-length': last - first + 1 })
    .send(body)
}

function refuseRange(reply: FastifyReply, bytes: number): FastifyReply {
  for (const name of ['etag', 'content-disposition']) reply.removeHeader(name)
  const message = `There are ${bytes} bytes, and none of those that were asked for.`
  return reply
    .code(416)
    .headers({
      'content-range': `bytes */${bytes}`,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
      'problem-code': 'media.range',
    })
    .send(message)
}
