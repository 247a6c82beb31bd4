import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SceneDocument, SceneRole } from '../../src/engine/scenes/document.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../test/harness.ts'

/** The browser source of a real service, in Chromium: what is done in a tournament is seen, and what is revoked is not. (OV16, OV17) */

let api: Harness
let browser: RealBrowser
let made: Awaited<ReturnType<typeof makeBracket>>
let organiser: Caller
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
  made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 3 } })
  organiser = made.organiser
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply
  expect(status, text).toBeLessThan(300)
  return body
}

interface Made {
  readonly path: string
  readonly guid: string
  readonly document: SceneDocument
  publish(): Promise<unknown>
  token(): Promise<{ readonly guid: string; readonly token: string; readonly url: string }>
  /** Has it show a scene by its role. */
  show(role: SceneRole): Promise<unknown>
  point(number: number): Promise<unknown>
}

async function makeOverlay(name: string): Promise<Made> {
  const overlays = `/tournaments/${made.cup.guid}/overlays`
  const overlay = await done(api.post(overlays, organiser, { name, template: 'duel' }))
  const path = `${overlays}/${overlay.guid}`
  const read = await done(api.get(`${path}/scene`, organiser))
  const document: SceneDocument = read.document ?? read
  return {
    ...{ path, guid: overlay.guid, document },
    async publish() {
      const { draft } = await done(api.get(path, organiser))
      return done(api.post(`${path}/publish`, organiser, { revision: draft.revision }))
    },
    token: () => done(api.post(`${path}/tokens`, organiser, { label: 'Stage' })),
    show(role) {
      const [scene] = Object.entries(document.scenes).find(([, each]) => each.role === role) ?? []
      return done(api.patch(`${path}/control`, organiser, { scene }))
    },
    point: async (number) =>
      done(api.put(`${path}/match`, organiser, { matchGuid: (await made.readMatch(number)).guid })),
  }
}

interface Visit extends RealVisitor {
  /** What the browser complained about, reports of the policy among them. */
  readonly complaints: string[]
  /** What was asked for, sockets among it. */
  readonly asked: string[]
}

/** A page whose address is whatever the service gave out. */
async function visit(address: string): Promise<Visit> {
  const visitor = await browser.visitor(api)
  const [complaints, asked]: [string[], string[]] = [[], []]
  visitor.page.on('pageerror', ({ message }) => complaints.push(message))
  visitor.page.on('console', (message) => {
    // What the test brings about by itself: a picture of a user elsewhere is not one of ours; a socket that is cut.
    if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text())
  })
  visitor.page.on('request', (request) => asked.push(request.url()))
  visitor.page.on('websocket', (socket) => asked.push(socket.url()))
  await visitor.page.goto(address)
  return { ...visitor, complaints, asked }
}

const words = ({ page }: RealVisitor) => page.evaluate<string>('document.body.innerText')
const eventually = <T>(run: () => Promise<T> | T) => expect.poll(run, { interval: 20, timeout: 30_000 })

async function isClear({ page }: RealVisitor): Promise<boolean> {
  const { channels } = await sharp(await page.screenshot({ omitBackground: true })).stats()
  return channels[3]?.max === 0
}

/** Milliseconds until something holds. */
async function msUntil(holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await holds()) && performance.now() - began < 30_000) await new Promise((resolve) => setTimeout(resolve, 20))
  return performance.now() - began
}

test('a match is seen from pointing to its end, and nothing once the token is revoked', async () => {
  const overlay = await makeOverlay('Stage')
  const { guid, token, url } = await overlay.token()
  expect(url.endsWith(`/overlay/live#${token}`)).toBe(true)
  await using visitor = await visit(url)
  const { page, complaints, asked, outside } = visitor
  await page.waitForTimeout(500)
  // Nothing is published.
  expect([await isClear(visitor), await words(visitor)]).toEqual([true, ''])
  await overlay.publish()
  await eventually(() => words(visitor)).toContain(`Tournament ${made.cup.id}`)
  const { sides } = await made.readMatch(1)
  const names: string[] = sides.map(({ team }: { team: { name: string } }) => team.name)
  await overlay.point(1)
  await overlay.show('gameplay')
  await eventually(() => words(visitor)).toContain(names[0])
  expect(await words(visitor)).toContain(names[1])
  const player = made.captains[made.teams.findIndex(({ guid: team }) => team === sides[0].team.guid)]
  await done(api.post(`${made.match(1)}/start`, organiser))
  await done(api.put(`${made.match(1)}/live/${player?.guid}`, organiser, { score: 654_321, accuracy: 0.9712 }))
  await eventually(() => words(visitor)).toContain('654,321')
  expect(await words(visitor)).toContain('97.12%')
  // What the service tells is on the screen within a second.
  await done(api.patch(`${overlay.path}/control`, organiser, { flavour: 'Grand opening' }))
  await overlay.show('start')
  const changedMs = await msUntil(async () => (await words(visitor)).includes('Grand opening'))
  expect(changedMs).toBeLessThan(5_000)
  await overlay.show('summary')
  await done(api.put(`${made.match(1)}/games/1`, organiser, { sides: [{ score: 900_000 }, { score: 850_000 }] }))
  await eventually(() => words(visitor)).toContain('900,000')
  expect(await words(visitor)).toContain('The match so far')
  await done(api.put(`${made.match(1)}/games/2`, organiser, { sides: [{ score: 900_000 }, { score: 850_000 }] }))
  await eventually(() => words(visitor)).toContain(`${names[0]} wins`)
  // A reload is a new page, which shows the same.
  await page.reload()
  await eventually(() => words(visitor)).toContain(`${names[0]} wins`)
  expect([complaints, outside]).toEqual([[], []])
  expect(asked.filter((address) => address.includes(token))).toEqual([])
  asked.length = 0
  await done(api.delete(`${overlay.path}/tokens/${guid}`, organiser))
  const revokedMs = await msUntil(() => isClear(visitor))
  process.stdout.write(`overlay page: transparent ${Math.round(revokedMs)} ms after the token was revoked\n`)
  expect(revokedMs).toBeLessThan(5_000)
  await page.waitForTimeout(2_000)
  expect([asked, await words(visitor), outside]).toEqual([[], '', []])
  // Nor does it come back by being loaded anew.
  await page.reload()
  await page.waitForTimeout(500)
  expect(await isClear(visitor)).toBe(true)
})

test('a public overlay is shown by its GUID, until it is public no more', async () => {
  const overlay = await makeOverlay('Public')
  await overlay.publish()
  await overlay.point(2)
  await overlay.show('teamIntro')
  await using closed = await visit(`/overlay/live#${overlay.guid}`)
  await closed.page.waitForTimeout(500)
  expect(await isClear(closed)).toBe(true)
  await done(api.patch(overlay.path, organiser, { access: 'public' }))
  await using visitor = await visit(`/overlay/live#${overlay.guid}`)
  await using late = await visit(`/overlay/live?delayed#${overlay.guid}`)
  const { sides } = await made.readMatch(2)
  for (const each of [visitor, late]) await eventually(() => words(each)).toContain(sides[0].team.name)
  expect([visitor.complaints, late.complaints, visitor.outside, late.outside]).toEqual([[], [], [], []])
  await done(api.patch(overlay.path, organiser, { access: 'token' }))
  for (const each of [visitor, late]) {
    await eventually(() => isClear(each)).toBe(true)
    each.asked.length = 0
  }
  await visitor.page.waitForTimeout(1_000)
  expect([visitor.asked, late.asked]).toEqual([[], []])
})

test('a lost connection leaves the last picture, and what happened meanwhile is seen afterwards', async () => {
  const overlay = await makeOverlay('Shaky')
  await overlay.publish()
  await overlay.point(2)
  await overlay.show('teamIntro')
  const { url } = await overlay.token()
  let isCut = false
  let cut: () => unknown = () => {}
  await using visitor = await visit('about:blank')
  await visitor.page.routeWebSocket(/./, (socket) => {
    if (isCut) return void socket.close({ code: 4009 })
    socket.connectToServer()
    cut = () => socket.close({ code: 4009 })
  })
  await visitor.page.goto(url)
  await eventually(() => words(visitor)).toContain('Up next')
  isCut = true
  await cut()
  await overlay.show('schedule')
  await visitor.page.waitForTimeout(2_500)
  expect(await words(visitor)).toContain('Up next')
  isCut = false
  await eventually(() => words(visitor)).toContain('Schedule')
  await eventually(() => words(visitor)).not.toContain('Up next')
})

test('an overlay that is deleted is not seen any more', async () => {
  const overlay = await makeOverlay('Gone')
  await overlay.publish()
  const { url } = await overlay.token()
  await using visitor = await visit(url)
  await eventually(() => isClear(visitor)).toBe(false)
  await done(api.delete(overlay.path, organiser))
  await eventually(() => isClear(visitor)).toBe(true)
})
