import badge from '../site/pictures/badge-96.png'
import icon from '../site/pictures/icon-192.png'
import { addressOf, isPage, type Subject } from './addresses.ts'

/**
 * The service worker: keeps the shell and the files of the website, so that it opens without a connection, and shows
 * messages. It keeps no answer of the API. (W11, W24)
 */

declare const self: ServiceWorkerGlobalScope
/** The addresses of the website's files, which the build writes here. */
declare const SITE_FILES: readonly string[]
const files = SITE_FILES

const prefix = 'website '
/** The service writes the tag of the shell here: it changes with the files, and with what the shell says. */
const cacheName = 'website SHELL_TAG'
const shell = '/offline'

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))

async function install(): Promise<void> {
  const cache = await caches.open(cacheName)
  try {
    await cache.addAll([new Request(shell, { cache: 'no-cache' }), ...files])
    if (!(await isWhole(cache))) throw new Error('the shell is of another build')
  } catch (error) {
    // While processes are replaced, answers may come from another build: the browser installs again with the next page.
    await caches.delete(cacheName)
    throw error
  }
  await self.skipWaiting()
}

/** Whether all that the shell links is kept with it. */
async function isWhole(cache: Cache): Promise<boolean> {
  const text = (await (await cache.match(shell))?.text()) ?? ''
  const linked = [...text.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name as string)
  return linked.length > 0 && linked.every((name) => files.includes(name))
}

/** The files of the build before stay, since pages of it may be open. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(answerPage(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(answerFile(request))
})

async function answerFile(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

/** The page itself; where the service does not answer, the shell, which shows what is kept. */
async function answerPage(request: Request): Promise<Response> {
  // Without the browser's preload, which would also ask the service twice for each address that is no page.
  const reply = await whole(request).catch(() => whole(request).catch(() => null))
  if (reply !== null && !isOfProxy(reply)) return reply
  const kept = await (await caches.open(cacheName)).match(shell)
  return kept ?? reply ?? Response.error()
}

/**
 * The answer with all of its body: of a page that is cut, the browser would show the part that came, without its program, and
 * say nothing. Pages are small, and what they load is here already, so that nothing is gained by the first part of one.
 */
async function whole(request: Request): Promise<Response> {
  const reply = await fetch(request)
  // A redirect is the browser's to follow, and has no body that could be read.
  return reply.body === null ? reply : new Response(await reply.arrayBuffer(), reply)
}

/** A proxy's word that the service does not answer. Pages of the service have a tag. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.has('etag')
}

interface Message {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly data: Subject
}

self.addEventListener('push', (event) => {
  if (event.data === null) return
  const { title, body, tag, data } = event.data.json() as Message
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon, badge, dir: 'auto', data: addressOf(data) }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data, self.location.origin).href))
})

async function open(address: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find(({ url }) => url === address)
  await (there === undefined ? self.clients.openWindow(address) : there.focus())
}
