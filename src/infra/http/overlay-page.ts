import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../core/html.ts'
import { type Built, htmlType, sendBytes } from './built-files.ts'
import { overlayPolicy, type Reached } from './page-policy.ts'

/**
 * Serves the page with which broadcasting programs show overlays, and the same page as a preview in pages of the website.
 * They tell the preview what it shows, so that it needs no token. (OV15, OV16, OV17)
 */

/** If the pages are not built, the page stays empty: an overlay on air must not show an error. (OV17) */
const nothing = '<!doctype html><html lang="en"><title>The pages are not built: run npm ci</title></html>'

/** @param reached the current addresses: media servers are added and removed */
export function addOverlayPage(app: FastifyInstance, built: Built, reached: () => Promise<Reached>): void {
  app.get('/overlay/live', (request, reply) => send(request, reply, false))
  app.get('/overlay/preview', (request, reply) => send(request, reply, true))

  async function send(request: FastifyRequest, reply: FastifyReply, isPreview: boolean): Promise<FastifyReply> {
    const around = await reached()
    const page = await built.read('overlay/index.html', null)
    const text = (page?.toString() ?? nothing)
      .replace('SOCKET_URL', html`${around.socketUrl}`.text)
      .replace('MEDIA_URL', html`${around.mediaUrl}`.text)
    if (page === null) reply.code(503)
    if (isPreview) reply.header('x-frame-options', 'SAMEORIGIN')
    return sendBytes(request, reply, Buffer.from(text), {
      'content-type': htmlType,
      'cache-control': page === null ? 'no-store' : 'no-cache',
      'content-security-policy': overlayPolicy(around, { isPreview }),
    })
  }
}
