import type { FastifyInstance } from 'fastify'
import { html } from '../../core/html.ts'
import type { Threads } from '../threads/threads.ts'
import { type Ready, sendReady } from './answer.ts'
import { addresses } from './bridge/sources.ts'
import { readyOf } from './ready.ts'

/**
 * The page that a player opens on the machine of their game: it reads the game there, and tells the live topic of their match how
 * they do. It acts through the same interface as everybody's programs do: by the website's sign-in, or an operator's ticket. (AS30)
 *
 * @param socketUrl where the page connects to
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

/** Made when somebody first looks, and kept. */
async function openFiles(threads: Threads, socketUrl: string): Promise<ReadonlyMap<string, Ready>> {
  const files = await threads.run<undefined, ReadonlyMap<string, string>>(filesTask, undefined)
  return new Map(
    [...files].map(([name, text]) => {
      const headers = {
        'content-type': `${typeOf(name)}; charset=utf-8`,
        // The modules are of one version: each is asked for anew.
        'cache-control': 'public, max-age=0, must-revalidate',
        'content-security-policy': policyOf(socketUrl),
      }
      const body = name === 'page.html' ? text.replace('SOCKET_URL', html`${socketUrl}`.text) : text
      return [name, readyOf('bridge', Buffer.from(body), headers)]
    }),
  )
}

function typeOf(name: string): string {
  return name.endsWith('.html') ? 'text/html' : name.endsWith('.css') ? 'text/css' : 'text/javascript'
}

/** It brings its own script and style, shows text as text, and speaks to this service and to the two sources alone. */
function policyOf(socketUrl: string): string {
  const reached = ["'self'", new URL(socketUrl).origin, ...Object.values(addresses)]
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src ${reached.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
