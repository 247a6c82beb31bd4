import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import type { SceneDocument, SceneElement } from '../src/engine/scenes/document.ts'
import { openBrowser, type RealVisitor } from '../test/chromium/browser.ts'
import { documentWith, elementOf, idOf } from '../test/scene-documents.ts'
import { makeField, reportsOf } from './brackets.ts'
import { median, percentile } from './load.ts'
import { openLight } from './realtime/sockets.ts'
import { atLeast, below, type Row, told } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, type Player } from './world.ts'

const commands = 100
export const updatesPerSecond = 10
const smoothSeconds = 30
const defaultSeconds = 120
const elements = 300
const bound = 100

// biome-ignore lint/suspicious/noExplicitAny: answers are read as JSON, whose form the contract tests check.
type Body = any

/**
 * The browser source in Chromium with a real service: how soon changes are shown, and what the page costs while scores
 * run. `OVERLAY_SECONDS=600` runs the ten minutes for which the bound of its memory is meant. (overlays: Numbers)
 */
export async function overlayPages({ url, runtime, socketPort: port }: Service): Promise<Row[]> {
  const seconds = Number(process.env.OVERLAY_SECONDS ?? defaultSeconds)
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1)
  const [report] = await reportsOf({ url, runtime }, field, field.brackets[0] ?? '')
  const tournament = `${url}/api/tournaments/${field.tournament}`
  const { path, address } = await publish(`${tournament}/overlays`, organiser, report?.match.guid ?? '')
  const data = await call('GET', `${path}/data`, organiser)
  const players: string[] = data.sides.flatMap(({ players: all }: Body) => all.map(({ guid }: Body) => guid))
  const browser = await openBrowser()
  try {
    await using visitor = await browser.visitor({ url })
    const emptyRate = await frameRate(visitor, 5)
    const { page, context } = visitor
    await page.addInitScript({ content: watching })
    await page.goto(address)
    await until(visitor, `document.querySelectorAll('.e').length === ${elements}`)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable')
    const delays = await commanded(visitor, path, organiser)
    const early = loadOf()
    const writer = await openLight({ port, token: organiser.token, onMessage: () => {} })
    const topic = `/tournaments/${field.tournament}/matches/${report?.match.guid}/live`
    const writing = write((packet) => writer.send(packet), topic, players)
    await until(visitor, `document.body.innerText.includes('%')`)
    await wait(3_000)
    const smooth = await smoothness(visitor, cdp)
    const late = loadOf()
    const before = await heapMb(cdp)
    await wait(seconds * 1_000)
    const growth = (await heapMb(cdp)) - before
    clearInterval(writing)
    writer.close()
    const work = `overlay page, ${elements} elements, ${bound} of them bound`
    const live = `${work}, ${updatesPerSecond} live updates a second for ${smoothSeconds} s`
    const rate = (value: number) => `${value.toFixed(1)}/s`
    const of = (values: readonly number[], load: string) =>
      `${values.length}, half within ${percentile(values, 0.5).toFixed(0)} ms; ${load}`
    return [
      below(
        `${work}: answer to screen, 95 of 100`,
        '',
        percentile(delays.answered, 0.95),
        150,
        ' ms',
        of(delays.answered, early),
      ),
      below(
        `${work}: packet to next frame, 95 of 100`,
        '',
        percentile(delays.packets, 0.95),
        100,
        ' ms',
        of(delays.packets, early),
      ),
      below(
        `${live}: packet to next frame, 95 of 100`,
        '',
        percentile(smooth.packets, 0.95),
        100,
        ' ms',
        of(smooth.packets, late),
      ),
      below(
        `${live}: longest task`,
        '',
        Math.max(0, ...smooth.longTasks),
        50,
        ' ms',
        `${smooth.longTasks.length} of more than 50 ms; none had a processor for more than ${smooth.maxOwnMs.toFixed(0)} ms; ${late}`,
      ),
      below(
        `${live}: script of an update`,
        'median of the seconds',
        median(smooth.scriptMs),
        4,
        ' ms',
        `${median(smooth.scriptMs).toFixed(2)} ms, in the worst second ${Math.max(...smooth.scriptMs).toFixed(2)} ms; ${late}`,
      ),
      emptyRate >= 59
        ? {
            ...atLeast(`${live}: frames a second`, smooth.frameRate, 58),
            figures: `an empty page ${rate(emptyRate)}; ${late}`,
          }
        : told(`${live}: frames a second`, `an empty page ${rate(emptyRate)}`, rate(smooth.frameRate), late),
      below(
        `${work}: growth of the heap`,
        `${updatesPerSecond} live updates a second for ${seconds} s`,
        growth,
        10,
        ' MB',
        `from ${before.toFixed(1)} MB by ${growth.toFixed(2)} MB`,
      ),
    ]
  } finally {
    await browser.close()
  }
}

/** Runs in the page: records when packets with changes come, and when the frame that shows a change is drawn. */
const watching = `
  globalThis.measured = { packets: [], seen: {}, longTasks: [] }
  let told = null
  const Plain = WebSocket
  globalThis.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        if (told !== null || typeof data !== 'string') return
        if (data.startsWith('{"type":"state"') || data.includes('/control"')) told = performance.now()
      })
    }
  }
  new MutationObserver(() => {
    const since = told
    told = null
    // The frame in which it was changed is done when the next one begins.
    requestAnimationFrame(() => {
      if (since !== null) measured.packets.push(performance.now() - since)
      const word = document.querySelector('.e')?.textContent
      if (word && !(word in measured.seen)) measured.seen[word] = Date.now()
    })
  }).observe(document, { subtree: true, childList: true, characterData: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longTasks.push(duration)
  }).observe({ type: 'longtask' })
`

const values = ['score', 'accuracy', 'combo', 'misses'] as const

/** A scene of texts in rows. A controller writes the first one; every other bound one changes with each update. */
function sceneDocument(): SceneDocument {
  const all = Array.from({ length: elements }, (_, index): [string, SceneElement] => {
    const box = { x: (index % 15) * 128, y: Math.floor(index / 15) * 54, width: 124, height: 50 }
    const name = values[index % values.length] ?? 'score'
    const path = index === 0 ? 'control.flavour' : `live.sides.${index % 2}.${name}`
    const format = index > 0 && [name === 'accuracy' ? { name: 'percent', args: [2] } : { name: 'number', args: [0] }]
    const bindings = { text: { property: 'text', path, ...(format && { format }) } }
    return [
      idOf(index),
      elementOf({
        ...box,
        order: `V${String(index).padStart(3, '0')}V`,
        props: { text: `${index}`, size: 28, color: '#ffffff' },
        ...(index < bound && { bindings }),
      }),
    ]
  })
  return documentWith(Object.fromEntries(all))
}

export async function publish(overlays: string, organiser: Player, matchGuid: string) {
  const { guid } = await call('POST', overlays, organiser, { name: 'Measured' })
  const path = `${overlays}/${guid}`
  await call('PUT', `${path}/scene`, organiser, sceneDocument(), { 'if-match': '*' })
  const { draft } = await call('GET', path, organiser)
  await call('POST', `${path}/publish`, organiser, { revision: draft.revision })
  await call('PUT', `${path}/match`, organiser, { matchGuid })
  const { url: address } = await call('POST', `${path}/tokens`, organiser, { label: 'Measured' })
  return { path, address: address as string }
}

export async function call(
  method: string,
  address: string,
  { token }: Player,
  body?: object,
  more: object = {},
): Promise<Body> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Polled from outside, because the policy of the page forbids evaluated code in it. */
async function until({ page }: RealVisitor, holds: string): Promise<void> {
  const began = performance.now()
  while (!(await page.evaluate<boolean>(holds))) {
    if (performance.now() - began > 30_000) throw new Error(`it never came to be: ${holds}`)
    await wait(50)
  }
}

/** Milliseconds from each command’s response, and from its packet, until the frame that shows it is drawn. */
async function commanded({ page }: RealVisitor, path: string, organiser: Player) {
  const answeredAt = new Map<string, number>()
  for (let index = 0; index < commands; index++) {
    const flavour = `Words ${index}`
    await call('PATCH', `${path}/control`, organiser, { flavour })
    answeredAt.set(flavour, Date.now())
    await wait(150 + Math.random() * 100)
  }
  await wait(1_000)
  const { seen, packets } = await page.evaluate<Body>('measured')
  // A change that is shown before the response counts as 0.
  const answered = [...answeredAt].map(([words, at]) => {
    if (seen[words] === undefined) throw new Error(`${words} was never seen`)
    return Math.max(0, seen[words] - at)
  })
  await page.evaluate('measured.packets.length = 0; measured.longTasks.length = 0')
  return { answered, packets: packets as number[] }
}

/** Writes the scores of all players together, so that there are as many updates as packets. */
export function write(send: (packet: object) => void, topic: string, players: readonly string[]): NodeJS.Timeout {
  let seq = 0
  return setInterval(() => {
    seq++
    for (const [index, player] of players.entries()) {
      const value = {
        modifiedScore: seq * 100 + index,
        score: seq * 100 + index,
        maxScore: 10_000_000,
        accuracy: 0.9 + (seq % 997) / 10_000,
        combo: seq,
        maxCombo: seq,
        misses: seq % 50,
        badCuts: 0,
        bombHits: 0,
        wallHits: 0,
        health: 1,
        songTime: seq / updatesPerSecond,
        fullCombo: false,
        state: 'playing',
      }
      send({ type: 'publish', topic, key: `player:${player}`, value, seq })
    }
  }, 1_000 / updatesPerSecond)
}

async function smoothness({ page, context }: RealVisitor, cdp: CDPSession) {
  await context.browser()?.startTracing(page, { categories: ['devtools.timeline', 'toplevel', '__metadata'] })
  await page.evaluate(`
    measured.packets.length = 0
    measured.longTasks.length = 0
    measured.frames = 0
    const next = () => { measured.frames++; requestAnimationFrame(next) }
    requestAnimationFrame(next)
  `)
  const scriptMs: number[] = []
  const began = performance.now()
  const first = await page.evaluate<number>('measured.frames')
  let [script, updates] = [await scriptSeconds(cdp), 0]
  while (performance.now() - began < smoothSeconds * 1_000) {
    await wait(1_000)
    const [now, count] = [await scriptSeconds(cdp), await page.evaluate<number>('measured.packets.length')]
    if (count > updates) scriptMs.push(((now - script) * 1_000) / (count - updates))
    ;[script, updates] = [now, count]
  }
  const { frames, packets, longTasks } = await page.evaluate<Body>('measured')
  const frameRate = ((frames - first) * 1_000) / (performance.now() - began)
  const trace = await context.browser()?.stopTracing()
  const maxOwnMs = longestOf(JSON.parse(String(trace)))
  return { scriptMs, frameRate, maxOwnMs, packets: packets as number[], longTasks: longTasks as number[] }
}

/** Milliseconds of processor time of the longest task of a page: elapsed time would include waiting for a processor. */
function longestOf({ traceEvents }: Body): number {
  const threads = new Set<string>()
  const threadOf = ({ pid, tid }: Body) => `${pid} ${tid}`
  for (const event of traceEvents) {
    if (event.name === 'thread_name' && event.args.name === 'CrRendererMain') threads.add(threadOf(event))
  }
  const tasks = traceEvents.filter((event: Body) => /RunTask$/.test(event.name) && threads.has(threadOf(event)))
  return tasks.reduce((longest: number, { tdur = 0 }: Body) => Math.max(longest, tdur / 1_000), 0)
}

/** The load of the machine in the last minute. */
const loadOf = () => `load of the machine ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`

async function metric(cdp: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
}

const scriptSeconds = (cdp: CDPSession) => metric(cdp, 'ScriptDuration')

/** The used heap after a collection. */
async function heapMb(cdp: CDPSession): Promise<number> {
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage')
  return (await metric(cdp, 'JSHeapUsedSize')) / 1e6
}

/** The frame rate of an empty page. */
async function frameRate({ page }: RealVisitor, seconds: number): Promise<number> {
  await page.goto('about:blank')
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now()
    let frames = 0
    const next = () => {
      frames++
      const ms = performance.now() - began
      if (ms < ${seconds * 1_000}) requestAnimationFrame(next)
      else resolve(frames * 1000 / ms)
    }
    requestAnimationFrame(next)
  })`)
}
