import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { RealBrowser, RealVisitor } from '../test/chromium/browser.ts'
import { forgetVitals, heapMb, slow, throttle, vitalsOf, watchVitals } from '../test/chromium/vitals.ts'
import { makeField, reportsOf } from './brackets.ts'
import { median, percentile } from './load.ts'
import { call } from './overlay-page.ts'
import { makePool } from './pools.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, type Player } from './world.ts'

/** The console of match day and the cockpit of a match, in Chromium with a real service. (website: Budgets) */

const teams = 32
const mapsOfPool = 20
const running = 8
const eventsPerSecond = 20
/** As many as an evening of two hours has in which something happens every five seconds. */
const eventsOfTwoHours = 1_440
const turns = 8

const throttled = { ...slow, bytesPerSecond: -1, latencyMs: 0 }

export async function matchDayPages(browser: RealBrowser, service: Service): Promise<Row[]> {
  const evening = await arrange(service)
  const { tournament, sessions } = evening
  const pages = {
    console: [`/manage/${tournament}/live`, sessions],
    cockpit: [`/manage/${tournament}/live/${sessions[0]?.match}`, sessions.slice(0, 1)],
  } as const
  await using visitor = await visit(browser, service, evening)
  const rows: Row[] = []
  for (const [name, [address, followed]] of Object.entries(pages))
    rows.push(...(await lasting(visitor, `website, ${name}`, address, new Acts(evening, followed))))
  rows.push(await presses(visitor, pages.console[0], pages.cockpit[0]))
  return rows
}

interface Session {
  readonly match: string
  readonly guid: string
}

interface Evening {
  readonly api: string
  readonly organiser: Player
  readonly tournament: string
  readonly sessions: readonly Session[]
}

/** A bracket, eight of whose matches have begun by a flow of many bans. */
async function arrange(service: Service): Promise<Evening> {
  const { url, runtime } = service
  const organiser = await makePlayer(runtime)
  const field = await makeField(service, organiser, 1, teams)
  const { tournament } = field
  const reports = await reportsOf(service, field, field.brackets[0] ?? '')
  const pool = await makePool(service, tournament, mapsOfPool)
  const api = `${url}/api/tournaments/${tournament}`
  const bans = ['seat:1', 'seat:2'].map((actor) => ({ action: 'ban', actor, seconds: 3_600 }))
  const flow = await call('POST', `${api}/flows`, organiser, {
    ...{ name: 'Bans', seats: 2, bestOf: null, pairs: [] },
    steps: [
      { repeat: 4, steps: bans },
      { repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] },
    ],
  })
  const sessions: Session[] = []
  for (const { match } of reports.slice(0, running)) {
    const body = { flowGuid: flow.guid, poolGuid: pool }
    const state = await call('POST', `${api}/matches/${match.guid}/flow`, organiser, body)
    sessions.push({ match: match.guid, guid: state.session })
  }
  return { api, organiser, tournament, sessions }
}

/** Bans that are made and taken back again, in several sessions in turn: each is an event that pages follow. */
class Acts {
  readonly #evening: Evening
  readonly #sessions: readonly Session[]
  /** What was last sent to each session: the next act names the position that it made. */
  readonly #sent = new Map<Session, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  count = 0

  constructor(evening: Evening, sessions: readonly Session[]) {
    this.#evening = evening
    this.#sessions = sessions
  }

  start(): void {
    this.count = 0
    this.#timer = setInterval(() => {
      const session = this.#sessions[this.count % this.#sessions.length] as Session
      const at = this.count++
      const before = this.#sent.get(session) ?? Promise.resolve()
      this.#sent.set(
        session,
        before.then(() => this.#act(session, at)),
      )
    }, 1_000 / eventsPerSecond)
  }

  /** Takes the ban back that the session has, or makes one. */
  async #act({ guid }: Session, at: number): Promise<void> {
    const { api, organiser } = this.#evening
    const path = `${api}/flow-sessions/${guid}`
    const { position: expect, turn, maps } = await call('GET', path, organiser)
    const isBanned = maps.some(({ state }: { readonly state: string }) => state === 'banned')
    if (isBanned) return void (await call('POST', `${path}/undo`, organiser, { expect }))
    const map = turn.options[at % turn.options.length]
    await call('POST', `${path}/act`, organiser, { expect, action: 'ban', map, seat: turn.seats[0] })
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#sent.values())
  }
}

/** Somebody who may do everything in the tournament. */
async function visit(
  browser: RealBrowser,
  { url, runtime }: Service,
  { api, organiser, tournament }: Evening,
): Promise<RealVisitor> {
  const name = `host-${tournament.slice(0, 8)}`
  const visitor = await browser.visitor({ url }, { name })
  await visitor.context.addInitScript(() => localStorage.setItem('downbeat.signed-in', 'yes'))
  const { rows } = await runtime.database.pool.query<{ guid: string }>(
    'select guid from users where $1 in (username, preferred_name)',
    [name],
  )
  await call('POST', `${api}/permissions/${rows[0]?.guid}/grant`, organiser, { role: 'role:admin' })
  return visitor
}

const loaded = async (page: Page) => {
  await page.locator('main h1').first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** A page that stays open: what its tasks take, and what it keeps. */
async function lasting({ context }: RealVisitor, name: string, address: string, acts: Acts): Promise<Row[]> {
  const page = await context.newPage()
  await watchVitals(page)
  const cdp = await throttle(page, throttled)
  await cdp.send('Performance.enable')
  await page.goto(address)
  await loaded(page)
  await wait(3_000)
  await forgetVitals(page)
  acts.start()
  await wait(5_000)
  const { longTasks: atFirst } = await vitalsOf(page)
  const before = await heapMb(cdp)
  // The collections of garbage that the measurement asks for are no work of the page.
  await forgetVitals(page)
  while (acts.count < eventsOfTwoHours) await wait(250)
  await acts.stop()
  const longTasks = [...atFirst, ...(await vitalsOf(page)).longTasks]
  await wait(2_000)
  const growth = (await heapMb(cdp)) - before
  await page.close()
  const work = `${name}, ${eventsPerSecond} events a second`
  const figures = `${acts.count} events; ${longTasks.length} tasks of more than 50 ms`
  return [
    below(`${work}: longest task`, 'processor 4 × slower', Math.max(0, ...longTasks), 50, ' ms', figures),
    below(`${work}: growth of the heap`, `${acts.count} events`, growth, 10, ' MB', `from ${before.toFixed(1)} MB`),
  ]
}

/** Somebody who opens lines and dialogs of the console, and chooses maps at the cockpit and takes them back. */
async function presses({ context }: RealVisitor, list: string, cockpit: string): Promise<Row> {
  const page = await context.newPage()
  await watchVitals(page)
  await throttle(page, throttled)
  const times: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    await page.goto(list)
    await loaded(page)
    await wait(1_000)
    for (let at = 0; at < 4; at++) {
      await page.locator('[data-match]').nth(at).click()
      await wait(150)
      await page
        .getByRole('button', { name: /^Assign/ })
        .last()
        .click()
      await wait(150)
      await page.keyboard.press('Escape')
      await wait(150)
    }
    times.push(...(await vitalsOf(page)).interactions)
    await page.goto(cockpit)
    await loaded(page)
    await wait(1_000)
    for (let at = 0; at < 3; at++) {
      await page.getByRole('button', { name: /^Ban / }).nth(at).click()
      await wait(400)
      await page.getByRole('button', { name: /^Undo/ }).click()
      await wait(400)
    }
    times.push(...(await vitalsOf(page)).interactions)
  }
  const figures = `${times.length} of at least 16 ms, half within ${median(times).toFixed(0)} ms`
  const work = 'website, console and cockpit: from a press to the paint after it, 98 of 100'
  return below(work, 'processor 4 × slower', percentile(times, 0.98), 200, ' ms', figures)
}
