import type { FastifyInstance } from 'fastify'
import { html } from '../../core/html.ts'
import type { Threads } from '../threads/threads.ts'
import { type Ready, sendReady } from './answer.ts'
import { addresses } from './bridge/sources.ts'
import { readyOf } from './ready.ts'
import { brand, styleAddress } from './service-style.ts'

/**
 * Serves the page that a player opens on the machine of their game: it reads the game there, and sends the player's
 * state to the live topic of their match. It uses the same API as any other program: with the website's session, or
 * with an operator's ticket. (AS30)
 * @param socketUrl the address that the page connects to
 */
export function addBridge(app: FastifyInstance, threads: Threads, socketUrl: () => string): void {
  let files: Promise<ReadonlyMap<string, Ready>> | undefined
  const open = async (name: string) => {
    files ??= openFiles(threads, socketUrl()).catch((error: unknown) => {
      files = undefined
      throw error
    })
    return (await files).get(name)
  }
  app.get('/bridge', async (request, reply) => {
    const page = await open('page.html')
    if (page === undefined) return reply.callNotFound()
    await sendReady(request, reply, page)
    return reply
  })
  app.get<{ Params: { '*': string } }>('/bridge/*', async (request, reply) => {
    const file = await open(request.params['*'])
    if (file === undefined) return reply.callNotFound()
    await sendReady(request, reply, file)
    return reply
  })
}

const filesTask = { module: new URL('./bridge-pages.ts', import.meta.url), name: 'makeBridgeFiles' }

/** Created at the first request, then cached. */
async function openFiles(threads: Threads, socketUrl: string): Promise<ReadonlyMap<string, Ready>> {
  const files = await threads.run<undefined, ReadonlyMap<string, string>>(filesTask, undefined)
  return new Map(
    [...files].map(([name, text]) => {
      const headers = {
        'content-type': `${typeOf(name)}; charset=utf-8`,
        // All modules must have the same version, so browsers revalidate each.
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-security-policy': policyOf(socketUrl),
      }
      const body = name === 'page.html' ? pageOf(text, socketUrl) : text
      return [name, readyOf('bridge', Buffer.from(body), headers)]
    }),
  )
}

function pageOf(text: string, socketUrl: string): string {
  return text
    .replace('STYLE_ADDRESS', styleAddress)
    .replace('<!--brand-->', brand.text)
    .replace('SOCKET_URL', () => html`${socketUrl}`.text)
}

function typeOf(name: string): string {
  return name.endsWith('.html') ? 'text/html' : name.endsWith('.css') ? 'text/css' : 'text/javascript'
}

/** The page has only its own scripts and styles, and connects only to this service and to the two local sources. */
function policyOf(socketUrl: string): string {
  const reached = ["'self'", new URL(socketUrl).origin, ...Object.values(addresses)]
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    'img-src data:',
    `connect-src ${reached.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
