import { setTimeout as wait } from 'node:timers/promises'
import { makeField, reportsOf } from './brackets.ts'
import { percentile } from './load.ts'
import { call, publish, updatesPerSecond, write } from './overlay-page.ts'
import { loopback, openLight, openMany } from './realtime/sockets.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer } from './world.ts'

const pages = 200
/** The maximum number of pages with one view token. (RT29) */
const pagesOfToken = 20
const commands = 100
const maxMs = 150

/**
 * Many pages of one overlay and its match, as sockets that draw nothing, while scores run: how soon a controller's
 * change reaches all of them. (overlays: Numbers)
 */
export async function manyPages({ url, runtime, socketPort: port, process }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1)
  const [report] = await reportsOf({ url, runtime }, field, field.brackets[0] ?? '')
  const tournament = `${url}/api/tournaments/${field.tournament}`
  const { path, address } = await publish(`${tournament}/overlays`, organiser, report?.match.guid ?? '')
  const tokens = [new URL(address).hash.slice(1)]
  while (tokens.length < pages / pagesOfToken) {
    tokens.push((await call('POST', `${path}/tokens`, organiser, { label: `Measured ${tokens.length}` })).token)
  }
  const data = await call('GET', `${path}/data`, organiser)
  const players: string[] = data.sides.flatMap((side: { players: { guid: string }[] }) =>
    side.players.map(({ guid }) => guid),
  )
  const lists = new Map<number, number[]>()
  const live = { values: 0 }
  const topics = path.slice(`${url}/api`.length)
  const sockets = await openMany(pages, async (index) => {
    const socket = await openLight({
      port,
      from: loopback(index),
      onMessage(text) {
        const at = performance.now()
        if (text.includes('/live"')) live.values++
        const mark = /"mark (\d+)"/.exec(text)?.[1]
        if (mark !== undefined) lists.set(Number(mark), [...(lists.get(Number(mark)) ?? []), at])
      },
    })
    socket.send({ type: 'authenticate', viewToken: tokens[index % tokens.length] })
    for (const name of ['published', 'control', 'data']) socket.send({ type: 'subscribe', topic: `${topics}/${name}` })
    socket.send({ type: 'subscribe', topic: `${topics}/live`, rate: updatesPerSecond })
    return socket
  })
  const writer = await openLight({ port, token: organiser.token, onMessage: () => {} })
  const topic = `/tournaments/${field.tournament}/matches/${report?.match.guid}/live`
  const writing = write((packet) => writer.send(packet), topic, players)
  await wait(3_000)
  await process.loopDelayMs()
  const delays: number[] = []
  const answeredAt: number[] = []
  for (let mark = 0; mark < commands; mark++) {
    await call('PATCH', `${path}/control`, organiser, { flavour: `mark ${mark}` })
    answeredAt.push(performance.now())
    await wait(100 + Math.random() * 50)
  }
  await wait(1_000)
  const loop = await process.loopDelayMs()
  clearInterval(writing)
  for (const socket of [...sockets, writer]) socket.close()
  for (const [mark, at] of answeredAt.entries()) {
    const came = lists.get(mark) ?? []
    if (came.length < pages) throw new Error(`mark ${mark} came to ${came.length} of ${pages} pages`)
    for (const one of came) delays.push(Math.max(0, one - at))
  }
  const work = `${pages} overlay pages of one match, ${updatesPerSecond} live updates a second`
  const figures = `${delays.length} packets, half within ${percentile(delays, 0.5).toFixed(0)} ms; ${live.values} of scores beside; loop delay, 99 of 100: ${loop.toFixed(0)} ms`
  return [
    below(`${work}: command’s answer to the packet at each, median`, '', percentile(delays, 0.5), 30, ' ms', figures),
    below(`${work}: the same, 99 of 100`, '', percentile(delays, 0.99), maxMs, ' ms', figures),
    below(`${work}: loop delay, 99 of 100`, '', loop, 50, ' ms', figures),
  ]
}
