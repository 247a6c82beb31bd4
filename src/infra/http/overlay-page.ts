import type { FastifyInstance } from 'fastify'
import { html } from '../../core/html.ts'
import { type Built, htmlType, sendBytes } from './built-files.ts'

/** Serves the page with which broadcasting programs show overlays. (OV16, OV17) */

/** The other addresses that the page may connect to. */
export interface Reached {
  readonly socketUrl: string
  readonly mediaUrl: string
  /** Origins of the media servers whose streams the page shows. */
  readonly play: readonly string[]
  /** Origins of the streaming site's player, for streamers there. */
  readonly frames: readonly string[]
}

/** Origins as the sources of a directive, each once. */
export const sources = (...origins: readonly string[]): string => [...new Set(origins)].join(' ')

/**
 * The page has its own scripts, styles and fonts, and connects only to this service, its media and its media servers.
 * (W6)
 */
export function overlayPolicy({ socketUrl, mediaUrl, play, frames }: Reached): string {
  const [socket, media] = [new URL(socketUrl).origin, new URL(mediaUrl).origin]
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `font-src ${sources("'self'", media)}`,
    `img-src ${sources("'self'", 'blob:', media)}`,
    `media-src ${sources('blob:', media, ...play)}`,
    `connect-src ${sources("'self'", socket, media, ...play)}`,
    `frame-src ${frames.length === 0 ? "'none'" : sources(...frames)}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** If the pages are not built, the page stays empty: an overlay on air must not show an error. (OV17) */
const nothing = '<!doctype html><html lang="en"><title>The pages are not built: run npm ci</title></html>'

/** @param reached the current addresses: media servers are added and removed */
export function addOverlayPage(app: FastifyInstance, built: Built, reached: () => Promise<Reached>): void {
  app.get('/overlay/live', async (request, reply) => {
    const around = await reached()
    const page = await built.read('overlay/index.html', null)
    const text = (page?.toString() ?? nothing)
      .replace('SOCKET_URL', html`${around.socketUrl}`.text)
      .replace('MEDIA_URL', html`${around.mediaUrl}`.text)
    if (page === null) reply.code(503)
    return sendBytes(request, reply, Buffer.from(text), {
      'content-type': htmlType,
      'cache-control': page === null ? 'no-store' : 'no-cache',
      'content-security-policy': overlayPolicy(around),
    })
  })
}
