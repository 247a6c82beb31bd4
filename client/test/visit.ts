import { connect } from 'node:net'
import type { CDPSession, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import type { RealBrowser, RealVisitor, VisitorOptions } from '../../test/chromium/browser.ts'
import type { Harness } from '../../test/harness.ts'
import { openWay, type Way } from '../../test/way.ts'
import type { Status, TopicStatus } from '../connect.ts'
import type { PageOptions } from './page.ts'
import type { Website } from './website.ts'

/** A visitor of a page whose connections to the service can be controlled. */
export interface Visit extends RealVisitor {
  readonly sockets: Way
  readonly interface: Way
  begin(topic: string, options?: Partial<PageOptions>, as?: string): Promise<void>
  /** Starts to follow a topic, and waits until it is live. */
  follow(topic: string, options?: Partial<PageOptions>, as?: string): Promise<void>
  look(as?: string): Promise<Looked>
}

interface Looked {
  readonly status: TopicStatus
  readonly statuses: readonly Status[]
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every form.
  readonly value: any
  /** The number of values. */
  readonly values: number
  readonly facts: readonly { readonly id: string; readonly type: string }[]
  readonly resyncs: readonly string[]
}

/** The time limit in milliseconds, long enough for the slowest machine. */
export const patience = 90_000

/** Resolves when `check` no longer throws. Unlike `expect.poll`, it works in concurrent tests. */
export const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: patience, interval: 20 })

export interface Places {
  readonly browser: RealBrowser
  readonly website: Website
  readonly api: Harness
}

/** @param arrange called before the page is loaded */
export async function visit(
  { browser, website, api }: Places,
  options: VisitorOptions = {},
  arrange: (page: Page) => Promise<unknown> = async () => {},
): Promise<Visit> {
  await using opened = new AsyncDisposableStack()
  const openTo = async (address: string | null) => {
    const way = await openWay(() => connect(Number(new URL(address ?? '').port), '127.0.0.1'))
    opened.defer(() => way.close())
    return way
  }
  const ways = { sockets: await openTo(api.app.socketAddress), interface: await openTo(api.url) }
  const visitor = opened.use(await browser.visitor(api, options))
  const { page } = visitor
  await arrange(page)
  await page.goto(website.url)
  await eventually(async () => expect(await page.evaluate('typeof follow')).toBe('function'))
  const look = (as = 'it') =>
    page.evaluate((name): Looked => {
      const { topic, statuses, values, facts, resyncs } = globalThis.seen[name] as (typeof globalThis.seen)[string]
      const { status, value, error } = topic
      return { status, statuses, code: error?.code, value, values: values.length, facts, resyncs }
    }, as)
  async function begin(topic: string, options: Partial<PageOptions> = {}, as = 'it'): Promise<void> {
    const url = `ws://127.0.0.1:${ways.sockets.port}`
    const apiUrl = `http://127.0.0.1:${ways.interface.port}/api`
    const asked = { url, apiUrl, topic, ...options }
    await page.evaluate(([name, wanted]) => globalThis.follow(name, wanted), [as, asked] as const)
  }
  const held = opened.move()
  const close = () => held.disposeAsync()
  return {
    ...visitor,
    ...ways,
    begin,
    look,
    close,
    [Symbol.asyncDispose]: close,
    async follow(topic, more, as) {
      await begin(topic, more, as)
      await eventually(async () => expect((await look(as)).status).toBe('live'))
    },
  }
}

/** Stops the page: neither timers nor messages are handled until the returned function is called. */
export async function freeze({ page, context }: RealVisitor): Promise<() => Promise<void>> {
  const session: CDPSession = await context.newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
  await session.send('Debugger.pause')
  await paused
  return async () => {
    await session.send('Debugger.resume')
    await session.detach()
  }
}
