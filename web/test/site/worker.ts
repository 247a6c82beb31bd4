import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect } from 'vitest'

/** The service worker of a page that it controls: it gets messages as from a push service, and clicks on them. (W24) */

declare class ExtendableEvent extends Event {}

export interface PageWorker {
  /** Delivers a message that the push service of the browser has decrypted. */
  push(origin: string, told: unknown): Promise<void>
  /** Title, text and address of what the browser shows. */
  shown(): Promise<readonly (readonly [string, string, string])[]>
  /** Clicks on what is shown first. @returns the address that it opens, in a window of its own */
  click(): Promise<string | undefined>
}

export async function workerOf(context: BrowserContext, page: Page): Promise<PageWorker> {
  const session = await context.newCDPSession(page)
  const scope = `${new URL(page.url()).origin}/`
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ isDeleted, scopeURL }) => !isDeleted && scopeURL === scope)
      if (own !== undefined) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const [worker] = context.serviceWorkers() as [Worker]
  return {
    async push(origin, told) {
      await session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: await registered,
        data: JSON.stringify(told),
      })
    },
    shown: () =>
      page.evaluate(async () => {
        const found = await (await navigator.serviceWorker.ready).getNotifications()
        return found.map(({ title, body, data }) => [title, body, data as string] as const)
      }),
    async click() {
      // Browsers open windows only for a reader who clicks.
      await worker.evaluate(async () => {
        const own = globalThis as unknown as {
          readonly registration: ServiceWorkerRegistration
          readonly clients: object
        }
        Object.assign(own.clients, { openWindow: (url: string) => Object.assign(own, { opened: url }) })
        const [notification] = await own.registration.getNotifications()
        dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }))
      })
      const opened = () => worker.evaluate(() => (globalThis as unknown as { readonly opened?: string }).opened)
      await expect.poll(opened).toBeDefined()
      return opened()
    },
  }
}
