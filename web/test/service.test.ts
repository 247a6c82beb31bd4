import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mirrorUrl } from '../../src/core/mirror.ts'
import type { SceneDocument, SceneRole } from '../../src/engine/scenes/document.ts'
import { freshenPages } from '../../src/infra/web/built.ts'
import { type PictureHost, startPictureHost } from '../../test/badge-pictures.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../test/harness.ts'
import { roleHolder, touch } from '../../test/make.ts'
import { openSocket } from '../../test/realtime/sockets.ts'
import { SceneEditor } from '../../test/scene-editing.ts'
import {
  colorOf,
  cornerOf,
  racingDocument,
  recordColors,
  recordPictures,
  shownIn,
  Witness,
  writeEdit,
} from './racing.ts'

/**
 * The browser source of a real service in Chromium: it shows changes of a tournament, and nothing after a revocation.
 * (OV16, OV17)
 */

let api: Harness
let browser: RealBrowser
let made: Awaited<ReturnType<typeof makeBracket>>
let organiser: Caller
let elsewhere: PictureHost
beforeAll(async () => {
  const service = startHarness({ webhookAllowPrivate: true })
  ;[api, browser, elsewhere] = await Promise.all([service, openBrowser(), startPictureHost(), freshenPages()])
  made = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 3 } })
  organiser = made.organiser
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await elsewhere?.[Symbol.asyncDispose]()
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
  /** Shows a scene by its role. */
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
    path,
    guid: overlay.guid,
    document,
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
  /** Errors in the console, including reports of the policy. */
  readonly complaints: string[]
  /** The requested addresses, including sockets. */
  readonly asked: string[]
}

/** Opens an overlay at the address that the service returned. */
async function visit(address: string): Promise<Visit> {
  const visitor = await browser.visitor(api)
  const [complaints, asked]: [string[], string[]] = [[], []]
  visitor.page.on('pageerror', ({ message }) => complaints.push(message))
  visitor.page.on('console', (message) => {
    // Pictures of users are on other sites, and the mirror has not fetched them yet.
    if (!/\/(favicon\.ico$|media\/remote\/)/.test(message.location().url)) complaints.push(message.text())
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

/** Milliseconds until the condition holds. */
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
  // Nothing is published yet.
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
  // A change is on the screen within a second.
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
  // A reload creates a new page, which shows the same.
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
  // A reload does not bring it back either.
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

test('pictures that are elsewhere are seen, and nobody but the service asks there (M26)', async () => {
  const [avatar, logo] = [await elsewhere.add(), await elsewhere.add()]
  const { sides } = await made.readMatch(2)
  const { guid } = sides[0].team
  await api.sql('update teams set image_url = $1 where guid = $2', [logo, guid])
  const player = made.captains[made.teams.findIndex((team) => team.guid === guid)]
  await api.sql('update users set avatar_url = $1 where guid = $2', [avatar, player?.guid])
  await touch(api, made.cup.guid)
  const overlay = await makeOverlay('Pictured')
  await overlay.publish()
  await overlay.point(2)
  await overlay.show('gameplay')
  await using visitor = await visit((await overlay.token()).url)
  const { page, complaints, outside } = visitor
  const seen = () =>
    page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('.stage img'))
        .filter((image) => image.naturalWidth > 0 && getComputedStyle(image).visibility === 'visible')
        .map((image) => image.src)`,
    )
  await eventually(async () => new Set(await seen())).toEqual(
    new Set([avatar, logo].map((address) => mirrorUrl(api.app.config.media.url, address))),
  )
  expect(elsewhere.asked).toHaveLength(2)
  expect([complaints, outside]).toEqual([[], []])
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
  await visitor.page.goto(url.replace('#', '?debug#'))
  await eventually(() => words(visitor)).toContain('Up next')
  const markColor = `getComputedStyle(document.querySelector('.mark')).backgroundColor`
  const isMarked = async () => (await visitor.page.evaluate(markColor)) === 'rgb(255, 59, 48)'
  expect(await isMarked()).toBe(false)
  // After a few failed sockets the client follows by streams, which are cut too.
  await visitor.page.route(`${api.url}/**`, (route) => route.abort())
  isCut = true
  await cut()
  await overlay.show('schedule')
  await visitor.page.waitForTimeout(2_500)
  expect(await words(visitor)).toContain('Up next')
  // Only the dot tells of it, and only where the address asks for it.
  await eventually(isMarked).toBe(true)
  isCut = false
  await visitor.page.unrouteAll()
  await eventually(() => words(visitor)).toContain('Schedule')
  await eventually(() => words(visitor)).not.toContain('Up next')
  await eventually(isMarked).toBe(false)
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

test('of five hundred edits pages show those that were published, and each version is the draft at the revision that was named', async () => {
  const [rounds, editsOfRound, editorCount] = [10, 50, 4]
  const overlays = `/tournaments/${made.cup.guid}/overlays`
  const { guid } = await done(api.post(overlays, organiser, { name: 'Raced' }))
  const path = `${overlays}/${guid}`
  await done(api.patch(path, organiser, { access: 'public' }))
  const headers = { 'if-match': '*' }
  await done(api.call('PUT', `${path}/scene`, { as: organiser, body: racingDocument, headers }))
  const witness = new Witness(`${path}/scene`)
  await witness.open(api, await roleHolder(api, made.cup, 'role:caster'))
  const editors = await Promise.all(
    Array.from({ length: editorCount }, async () => {
      const editor = new SceneEditor(`${path}/scene`)
      await editor.open(api, await roleHolder(api, made.cup, 'role:staff'))
      await editor.settled()
      return editor
    }),
  )
  const accepted = () => editors.reduce((sum, editor) => sum + editor.accepted, 0)
  // An editor that opens a document may send updates that the service lacks.
  const before = accepted()
  // The revision of each published version.
  const revisions = new Map<number, number>()
  let refusals = 0
  /** @returns the current revision when `revision` is outdated; null once it is published */
  const publish = async (revision: number): Promise<number | null> => {
    const reply = await api.post(`${path}/publish`, organiser, { revision })
    if (reply.status === 200) {
      if (!revisions.has(reply.body.number)) revisions.set(reply.body.number, revision)
      return null
    }
    expect(outcome(reply), reply.text).toEqual([409, 'overlay.stale'])
    expect(reply.body.revision).toBeGreaterThan(revision)
    refusals++
    return reply.body.revision
  }
  const publishNow = async () => {
    for (let seen: number | null = witness.revision; seen !== null; ) seen = await publish(seen)
  }
  await publishNow()

  const told: string[] = []
  const bodies: string[] = []
  await using stranger = await openSocket(api)
  const topic = `${path}/published`
  await stranger.ask({ type: 'subscribe', topic: path })
  await stranger.ask({ type: 'subscribe', topic })
  stranger.socket.on('message', (data) => {
    told.push(String(data))
    bodies.push(JSON.stringify(stranger.copies.of(topic).body))
  })
  await using visitor = await visit('about:blank')
  const { page, context, complaints } = visitor
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(String(payload))))
  await recordColors(page)
  const { url } = await done(api.post(`${path}/tokens`, organiser, { label: 'Casters' }))
  await page.goto(url)
  await eventually(() => words(visitor)).toBe('0')
  const pictures = await recordPictures(context, page)

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let round = 0; round < rounds; round++) {
    let isEdited = false
    const editing = editors.map(async (editor, at) => {
      for (let count = at; count < editsOfRound; count += editorCount) {
        editor.edit(writeEdit(round * editsOfRound + count + 1))
        // A connection may send thirty messages a second.
        await pause(36)
      }
      await editor.settled()
    })
    const edited = Promise.all(editing).finally(() => {
      isEdited = true
    })
    while (!isEdited) {
      // Only the latest hundred versions are kept.
      if (revisions.size < 80) await publish(witness.revision)
      bodies.push(JSON.stringify(await done(api.get(`${path}/published`))))
      await pause(20 + Math.random() * 60)
    }
    await edited
    await publish(witness.revision - 1)
    await publishNow()
  }
  expect(editors.flatMap(({ refused }) => refused)).toEqual([])
  expect(accepted() - before).toBe(rounds * editsOfRound)

  const versions = await Promise.all(
    [...revisions].map(async ([number, revision]) => {
      const { document } = await done(api.get(`${path}/versions/${number}`, organiser))
      expect(document, `version ${number} of revision ${revision}`).toEqual(witness.at.get(revision))
      return { number, document }
    }),
  )
  const shown = versions.map(({ document }) => shownIn(document))
  const last = shown.at(-1)
  await eventually(() => words(visitor)).toBe(last?.text)
  await eventually(async () => cornerOf(await page.screenshot())).toBe(last?.color)
  await stranger.copies.until(({ all }) => JSON.stringify(all.get(topic)?.body).includes(last?.color ?? ''), 'the last')

  const lines = shown.map(({ text, color }) => `${text} ${color}`)
  const seen = await page.evaluate<string[]>('Array.from(globalThis.colorsSeen)')
  expect(seen.filter((line) => !lines.includes(line))).toEqual([])
  const colors = shown.map(({ color }) => color)
  const pictured = await pictures.colors()
  expect(pictured.filter((color) => !colors.includes(color))).toEqual([])
  for (const body of new Set(bodies)) {
    const { version, document } = JSON.parse(body)
    expect(document, `version ${version}`).toEqual(versions.find(({ number }) => number === version)?.document)
  }
  const secret = Array.from({ length: rounds * editsOfRound }, (_, index) => colorOf(index + 1)).filter(
    (color) => !colors.includes(color),
  )
  const all = told.join()
  expect(secret.filter((color) => all.includes(color))).toEqual([])
  expect(all).not.toMatch(/"(draft|dirty|editors)"/)
  expect([secret.length > 300, versions.length > rounds, refusals >= rounds, new Set(pictured).size > 5]).toEqual([
    ...[true, true, true, true],
  ])
  process.stdout.write(
    `publishing: ${versions.length} versions of ${rounds * editsOfRound} edits, ${refusals} refused; ${seen.length} shown, ${new Set(pictured).size} seen in ${pictured.length} pictures\n`,
  )
  expect(complaints).toEqual([])
  await Promise.all([witness, ...editors].map((each) => each.close()))
})
