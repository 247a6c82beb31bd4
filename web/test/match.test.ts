import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { type AssistantWorld, type MadeAssistantPlay, startAssistantWorld } from '../../test/assistant.ts'
import { arrangeMatch, byFlow, byHand, type Onlooker, playAll, type Song } from '../../test/assistant-matches.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import type { MatchPlay } from '../../test/flow-cases.ts'
import type { StateBody } from '../../test/flow-play.ts'
import type { Reply } from '../../test/harness.ts'
import { roleHolder, touch } from '../../test/make.ts'
import { upload } from '../../test/media.ts'
import { openSocket } from '../../test/realtime/sockets.ts'

/**
 * A complete match, played by a fake assistant and shown on one overlay page, from pointing the overlay to the winners;
 * nobody changes scenes by hand. (overlays: What proves it, 13; assistant: What proves it, 1)
 */

let world: AssistantWorld
let browser: RealBrowser
beforeAll(async () => {
  ;[world, browser] = await Promise.all([startAssistantWorld(), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

const patient = { timeout: 60_000, interval: 50 }
const delayMs = 1_500

async function done(call: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await call
  expect(status, text).toBeLessThan(300)
  return body
}

/** A scene that the page has shown, with every line of text on it. */
interface Shown {
  readonly scene: string
  readonly lines: readonly string[]
}

/** Runs in the page from its start. It recognises scenes by what viewers see. */
const watching = `
  globalThis.shown = []
  let node = null
  let waits = false
  const kindOf = (scene, text) => {
    if (scene.querySelector('.pick-bans') !== null || text.includes('The next map follows')) return 'pickBan'
    if (scene.querySelector('.stream') !== null) return 'gameplay'
    if (text.includes('The match so far') || / wins$/m.test(text)) return 'summary'
    return text.includes('Champions') ? 'winners' : 'start'
  }
  const look = () => {
    waits = false
    const scenes = Array.from(document.querySelectorAll('.scene')).filter((each) => each.style.visibility !== 'hidden')
    const last = scenes[scenes.length - 1]
    const text = last === undefined ? document.body?.innerText ?? '' : last.innerText
    const lines = text.split('\\n').map((line) => line.trim()).filter((line) => line !== '')
    if (last === undefined && lines.length === 0) return
    if (last !== node || shown.length === 0) {
      node = last
      shown.push({ scene: last === undefined ? 'none' : kindOf(last, text), lines: new Set() })
    }
    for (const line of lines) shown[shown.length - 1].lines.add(line)
  }
  const told = () => {
    if (waits) return
    waits = true
    setTimeout(look, 40)
  }
  new MutationObserver(told).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
`

class Page {
  readonly visitor: RealVisitor
  readonly complaints: string[] = []
  readonly asked: string[] = []

  constructor(visitor: RealVisitor) {
    this.visitor = visitor
    const { page } = visitor
    page.on('pageerror', ({ message }) => this.complaints.push(message))
    page.on('console', (message) => {
      // Pictures of users are on other sites, and the mirror has not fetched them yet.
      if (!/\/(favicon\.ico$|media\/remote\/)/.test(message.location().url)) this.complaints.push(message.text())
    })
    page.on('request', (request) => this.asked.push(request.url()))
    page.on('websocket', (socket) => this.asked.push(socket.url()))
  }

  shown(): Promise<Shown[]> {
    return this.visitor.page.evaluate('shown.map(({ scene, lines }) => ({ scene, lines: Array.from(lines) }))')
  }

  async scenes(): Promise<string[]> {
    return (await this.shown()).map(({ scene }) => scene)
  }

  /** The visible lines of text, including those of a scene that is leaving. */
  async lines(): Promise<string[]> {
    const text = await this.visitor.page.evaluate<string>('document.body.innerText')
    return text.split('\n').flatMap((line) => line.trim() || [])
  }

  /** The texts that do not fit into their elements although they should. */
  cut(): Promise<string[]> {
    return this.visitor.page.evaluate(`Array.from(document.querySelectorAll('.text > .line')).flatMap((line) =>
      line.scrollWidth > line.clientWidth && line.clientWidth > 0 ? [line.textContent] : [])`)
  }

  /** The picks and bans of the maps, as the tiles show them. */
  tiles(): Promise<{ readonly map: string; readonly done: string; readonly who: string; readonly color: string }[]> {
    return this.visitor.page.evaluate(`Array.from(document.querySelectorAll('.tile')).flatMap((tile) => {
      const done = tile.classList.contains('tiebreaker') ? 'Tiebreaker' : tile.querySelector('.top .done')?.innerText
      return done === undefined ? [] : [{
        map: tile.querySelector('.name').innerText,
        done: done.replace(/ [0-9]+$/, ''),
        who: tile.querySelector('.top .who')?.innerText ?? '',
        color: (tile.querySelector('.top .who') ?? tile.querySelector('.top .now + .done'))?.style.color ?? '',
      }]
    })`)
  }
}

/** Gives the teams and players long names and pictures, as in a broadcast. */
async function dress({ teams, players, poolMaps, organiser }: MadeAssistantPlay, number: number): Promise<string[]> {
  const { api } = world
  const names = number === 1 ? ['Crossfade Collective', 'Off Beat'] : ['Half Time', 'Syncopation']
  const nicks = ['quaver', 'breve', 'Anacrusis', 'tenuto'].map((nick) => (number === 1 ? nick : `${nick}_2`))
  const pictures = await Promise.all(
    [20, 110, 200, 290].map(async (hue) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><linearGradient id="g" x2="1" y2="1"><stop
        stop-color="hsl(${hue},60%,45%)"/><stop offset="1" stop-color="hsl(${hue + 50},70%,20%)"/></linearGradient><rect width="512"
        height="512" fill="url(#g)"/><circle cx="${150 + hue}" cy="200" r="110" fill="hsl(${hue},80%,75%)"/></svg>`
      const file = await sharp(Buffer.from(svg)).png().toBuffer()
      return (await done(upload(api, organiser, file))).url as string
    }),
  )
  await api.sql(
    `update teams set name = given.name, image_url = given.url
     from unnest($1::uuid[], $2::text[], $3::text[]) as given (team, name, url) where guid = team`,
    [teams.map(({ guid }) => guid), names, pictures.slice(0, 2)],
  )
  const users = players.flat().map(({ user }) => user.guid)
  await api.sql(
    `update users set preferred_name = given.name from unnest($1::uuid[], $2::text[]) as given (player, name) where guid = player`,
    [users, nicks],
  )
  const titles = [
    'Glass Harbour',
    'Nightjar',
    'Seven Bridges to Nowhere',
    'Ostinato',
    'Paper Lanterns',
    'Undertow',
    'Vermilion',
  ]
  await api.sql(
    `update maps set image_url = given.url, name = given.name from unnest($1::uuid[], $2::text[], $3::text[]) as given (entry, url, name)
     join pool_maps on pool_maps.guid = entry where maps.guid = pool_maps.map_guid`,
    [
      poolMaps,
      poolMaps.map((_, index) => pictures[index % 4]),
      poolMaps.map((_, index) => `${titles[index % 7]}${index < 7 ? '' : ' (Reprise)'}`),
    ],
  )
  await touch(api, ...teams.map(({ guid }) => guid), ...users, ...poolMaps)
  return names
}

const amount = (value: number) => value.toLocaleString('en-US')

/** The scenes that the songs lead to, after those before the first song. */
function scenesOf(songs: readonly Song[]): string[] {
  const scenes: string[] = []
  for (const { next, line } of songs) {
    if (scenes.at(-1) !== 'gameplay') scenes.push('gameplay')
    if (next === 'claim' || next === 'reject') continue
    scenes.push(...(Math.max(...line) === 4 ? ['summary'] : ['summary', 'pickBan']))
  }
  return scenes
}

/** Watches an overlay of a built-in template, which nobody changes once it is pointed at the match. */
class Broadcast implements Onlooker {
  readonly #number: number
  readonly #before: string[]
  names: string[] = []
  path = ''
  page!: Page
  play!: MadeAssistantPlay
  /** The scene ids in order, from the control topic. */
  readonly told: string[] = []
  readonly #roles = new Map<string, string>()
  #close: (() => Promise<void>)[] = []

  constructor(hasFlow: boolean) {
    this.#number = hasFlow ? 1 : 2
    this.#before = hasFlow ? ['start', 'pickBan'] : ['start']
  }

  /** Creates the overlay, opens its page, and points it at the match; nothing is done by hand after that. */
  readonly made = async (made: MadeAssistantPlay): Promise<void> => {
    const { api } = world
    this.play = made
    this.names = await dress(made, this.#number)
    const overlays = `/tournaments/${made.cup.guid}/overlays`
    const { guid } = await done(api.post(overlays, made.organiser, { name: 'Main stage', template: 'teams' }))
    this.path = `${overlays}/${guid}`
    const { draft } = await done(api.get(this.path, made.organiser))
    await done(api.post(`${this.path}/publish`, made.organiser, { revision: draft.revision }))
    await done(api.patch(`${this.path}/control`, made.organiser, { autoDelayMs: delayMs }))
    const { token, url } = await done(api.post(`${this.path}/tokens`, made.organiser, { label: 'Stage' }))
    const { document } = await done(api.get(`${this.path}/published`, made.organiser))
    for (const [id, { role }] of Object.entries<{ role: string }>(document.scenes)) this.#roles.set(id, role)
    const topic = `${this.path}/control`
    const socket = await openSocket(api, { as: made.organiser })
    await socket.ask({ type: 'subscribe', topic })
    const note = () => {
      const { scene } = socket.copies.of(topic).body as { scene: string }
      if (this.told.at(-1) !== scene) this.told.push(scene)
    }
    note()
    socket.socket.on('message', note)
    const visitor = await browser.visitor(api)
    this.#close.push(() => socket.close(), visitor.close)
    this.page = new Page(visitor)
    await visitor.page.addInitScript({ content: watching })
    await visitor.page.goto(url)
    expect(url.endsWith(`/overlay/live#${token}`)).toBe(true)
    await expect.poll(() => this.page.scenes(), patient).toEqual(['start'])
    const { guid: matchGuid } = await made.readMatch(1)
    const caster = await roleHolder(api, made.cup, 'role:caster')
    await done(api.put(`${this.path}/match`, caster, { matchGuid }))
  }

  readonly chosen = async ({ state }: MatchPlay): Promise<void> => {
    await expect.poll(() => this.page.scenes(), patient).toEqual(this.#before)
    const nameOf = (guid: string) => this.names[this.play.teams.findIndex((team) => team.guid === guid)] ?? ''
    const mapOf = (guid: string) => state.pool.maps.find((entry: { guid: string }) => entry.guid === guid).map.name
    const wanted = state.picksBans
      .map(({ mapGuid, isBan, isTB, actionerGuid }: StateBody) => ({
        map: mapOf(mapGuid),
        done: isBan ? 'Ban' : isTB ? 'Tiebreaker' : 'Pick',
        who: isTB ? '' : nameOf(actionerGuid),
      }))
      .toSorted(byMap)
    const shown = async () => {
      const tiles = (await this.page.tiles()).toSorted(byMap)
      // The map of the moment has the colour of the side in the place of its name.
      const nameIn = new Map(tiles.filter(({ who }) => who !== '').map(({ color, who }) => [color, who]))
      return tiles.map(({ map, done, who, color }) => ({ map, done, who: who || (nameIn.get(color) ?? '') }))
    }
    await expect.poll(shown, patient).toEqual(wanted)
  }

  /** Expects every player’s score and the lead, while the song runs. */
  readonly scored = async (sides: readonly (readonly number[])[]): Promise<void> => {
    const [one = 0, other = 0] = sides.map((scores) => scores.reduce((sum, score) => sum + score, 0))
    const wanted = [
      ...sides.flat().map(amount),
      amount(one),
      amount(other),
      ...(one === other ? [] : [`+${amount(Math.abs(one - other))}`]),
    ]
    const lacking = async () => {
      const lines = await this.page.lines()
      return wanted.filter((text) => !lines.includes(text))
    }
    await expect.poll(lacking, patient).toEqual([])
    expect(await this.page.cut()).toEqual([])
  }

  /** Expects that exactly the players who failed are marked so. */
  readonly ended = async ({ ends }: Song): Promise<void> => {
    const failed = async () => (await this.page.lines()).filter((line) => line === 'Failed').length
    await expect.poll(failed, patient).toBe(ends?.as === 'failed' ? 1 : 0)
  }

  /**
   * Expects the scenes of the songs so far, both on the page and in the control topic, and the public state on them.
   */
  readonly decided = async (songs: readonly Song[]): Promise<void> => {
    const wanted = [...this.#before, ...scenesOf(songs)]
    await expect.poll(() => this.page.scenes(), patient).toEqual(wanted)
    await expect.poll(() => this.told.map((id) => this.#roles.get(id)), patient).toEqual(wanted)
    const song = songs.at(-1)
    if (song === undefined || song.next === 'claim' || song.next === 'reject') return
    const isOver = Math.max(...song.line) === 4
    const summary = (await this.page.shown()).findLast(({ scene }) => scene === 'summary')?.lines
    for (const total of song.totals) expect(summary).toContain(amount(total * 1_000))
    expect(summary).toContain(isOver ? `${this.names[song.winner - 1]} wins` : 'The match so far')
    // The public score of the match is shown next to the names.
    const { data, control } = await done(world.api.get(`${this.path}/state`, this.play.organiser))
    expect(this.#roles.get(control.scene)).toBe(wanted.at(-1))
    expect(data.sides.map(({ score }: { score: number }) => score)).toEqual(song.line)
    const scoreline = async () => {
      const lines = await this.page.lines()
      return this.names.map((name) => Number(lines[lines.indexOf(name) + 2]))
    }
    await expect.poll(scoreline, patient).toEqual(song.line)
    expect(await this.page.cut()).toEqual([])
    if (isOver) expect(await this.page.lines()).not.toContain('Match point')
  }

  /** Expects that nothing was done by hand, and that only scenes were ever visible. */
  async expectClean(wanted: readonly string[]): Promise<void> {
    const shown = await this.page.shown()
    expect(shown.map(({ scene }) => scene)).toEqual(wanted)
    const wrong =
      /error|undefined|\bNaN\b|\bnull\b|\[object|problem|not found|forbidden|invalid|unauthori[sz]ed|denied/i
    expect(shown.flatMap(({ lines }) => lines).filter((line) => wrong.test(line))).toEqual([])
    const { complaints, asked, visitor } = this.page
    expect([complaints, visitor.outside]).toEqual([[], []])
    const hosts = new Set([world.api.url, world.api.app.socketAddress].map((address) => new URL(String(address)).host))
    expect(asked.filter((address) => !hosts.has(new URL(address).host))).toEqual([])
    const changed = wanted.slice(1)
    const changes = await world.api.sql<{ actor: string | null }>(
      `select actor from event_log where subject = $1 and type = 'overlay.control_changed' and after ? 'scene'
         and seq > (select max(seq) from event_log where subject = $1 and type = 'overlay.pointed') order by seq`,
      [this.path.split('/').at(-1)],
    )
    expect(changes.map(({ actor }) => actor)).toEqual(changed.map(() => null))
  }

  /** Completes the tournament, and expects the winners' scene. */
  async crown(): Promise<void> {
    await done(world.api.post(`${this.play.path}/status`, this.play.organiser, { status: 'completed' }))
    await expect.poll(async () => (await this.page.scenes()).at(-1), patient).toBe('winners')
    const lacking = async () => {
      const lines = (await this.page.shown()).at(-1)?.lines ?? []
      return [/^Champions of /, ...this.names].filter((text) =>
        typeof text === 'string' ? !lines.includes(text) : !lines.some((line) => text.test(line)),
      )
    }
    await expect.poll(lacking, patient).toEqual([])
    expect(await this.page.cut()).toEqual([])
  }

  async close(): Promise<void> {
    for (const close of this.#close) await close()
  }
}

const byMap = (one: { readonly map: string }, other: { readonly map: string }) => (one.map < other.map ? -1 : 1)

test('a best of seven is seen from pointing to the winners through one page, with no hand on the scenes, with a flow and without', async () => {
  const [flow, hand] = [new Broadcast(true), new Broadcast(false)]
  const played = [
    await arrangeMatch(world, { hasFlow: true, onlooker: flow }),
    await arrangeMatch(world, { hasFlow: false, onlooker: hand }),
  ] as const
  await Promise.all([playAll(played[0], byFlow), playAll(played[1], byHand)])
  const whole = ['start', 'pickBan', ...scenesOf(byFlow)]
  await flow.expectClean(whole)
  await hand.expectClean(['start', ...scenesOf(byHand)])
  // The match names its own winner; the winners of the tournament appear after its completion.
  await flow.crown()
  await flow.expectClean([...whole, 'winners'])
  await Promise.all([flow.close(), hand.close()])
})
