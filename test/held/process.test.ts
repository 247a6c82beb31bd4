import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawsOf } from '../draws.ts'
import { type Service, startService } from '../kernel/service.ts'
import { until } from '../waiting.ts'
import { type Asked, addressesOf } from './outsiders.ts'
import { type Evening, makeEvening, Player } from './playing.ts'
import { makeTwins, type Twins } from './twins.ts'

/**
 * Three processes that are killed while the horizon moves: each answer is one that was true once, no reader's goes back, and
 * in the end all show the same. (V3, V5)
 */

const seed = Number(process.env.EVENING ?? 7)

let twins: Twins
let database: string
let evening: Evening
let asked: readonly Asked[]
/** What an open service would have answered at each moment, by address. */
const states: ReadonlyMap<string, string>[] = []
const instants: string[] = []

/** Reads that show results of the evening. */
const telling = [
  'tournaments.read',
  'matches.list',
  'brackets.read',
  'brackets.standings',
  'teams.list',
  'channels.readQueue',
]

const bodyOf = async (url: string, address: string) => {
  const reply = await fetch(`${url}/api${address}`)
  return `${reply.status} ${await reply.text()}`.replaceAll('"spoilerMode":"open"', '"spoilerMode":"held"')
}

const bodiesOf = async (url: string) =>
  new Map(await Promise.all(asked.map(async ({ address }) => [address, await bodyOf(url, address)] as const)))

const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...one].flatMap(([address, body]) => {
    const found = other.get(address) ?? ''
    if (found === body) return []
    const at = Math.max(0, [...body].findIndex((letter, index) => letter !== found[index]) - 60)
    return [`${address}: ${body.slice(at, at + 160)} / ${found.slice(at, at + 160)}`]
  })

beforeAll(async () => {
  twins = await makeTwins()
  database = await twins.copy()
  let api = await twins.start(database)
  evening = await makeEvening(api)
  const { made } = evening
  asked = addressesOf(evening).filter(
    ({ name, address }) => telling.includes(name) && address.includes(made.cup.guid) && !address.includes('delayed'),
  )
  const player = new Player(() => api, evening, drawsOf(seed))
  const steps = [
    async () => {},
    () => player.begins(),
    () => player.ends(),
    () => player.corrects(),
    () => player.completes(),
  ]
  for (const step of steps) {
    await step()
    const [row] = await api.sql<{ at: string | null }>('select max(at)::text as at from held_changes')
    instants.push(row?.at ?? '')
    await api[Symbol.asyncDispose]()
    const copy = await twins.copy(database)
    await twins.run(copy, `update tournaments set spoiler_mode = 'open'`)
    const open = await twins.start(copy)
    states.push(await bodiesOf(open.url))
    await open[Symbol.asyncDispose]()
    api = await twins.start(database)
  }
  await api[Symbol.asyncDispose]()
})
afterAll(() => twins?.[Symbol.asyncDispose]())

test('kills while the horizon moves: no answer is mixed or goes back, and all processes show the same', async () => {
  const env = { DATABASE_URL: twins.addressOf(database), DATA_DIR: twins.dataDir, PUBLIC_URL: twins.publicUrl }
  const services: Service[] = await Promise.all([startService(env), startService(env), startService(env)])
  await using opened = new AsyncDisposableStack()
  opened.defer(async () => void (await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))))
  const urls = services.map(({ url }) => url)

  const faults: string[] = []
  let isOver = false
  let answers = 0
  const readers = asked.map(async ({ address }) => {
    // The moment that the last answer can have shown; several moments may look alike.
    let reached = 0
    for (let turn = 0; !isOver; turn++) {
      const body = await bodyOf(urls[turn % 3] as string, address).catch(() => null)
      if (body === null || body.startsWith('503')) continue
      answers++
      const found = states.findIndex((state, index) => index >= reached && state.get(address) === body)
      if (found === -1) faults.push(`${address} after ${reached}: ${body.slice(0, 200)}`)
      else reached = found
    }
  })
  for (const index of [1, 3, 4]) {
    const killed = index % 3
    await twins.run(
      database,
      `with changes as (update held_changes set at = at - interval '1 hour' where at <= $1::timestamptz returning 1)
       update held_events set at = at - interval '1 hour' where at <= $1::timestamptz and shown_by is null`,
      [instants[index]],
    )
    services[killed]?.signal('SIGKILL')
    await services[killed]?.exit
    services[killed] = await startService({ ...env, PORT: new URL(urls[killed] as string).port })
    await until(async () => {
      const waiting = await twins.run(
        database,
        `select from held_changes where at < now() - interval '30 minutes' limit 1`,
      )
      return waiting.length === 0
    })
    for (const url of urls) {
      const bodies = await bodiesOf(url)
      expect([index, differing(states[index] as typeof bodies, bodies)]).toEqual([index, []])
    }
  }
  isOver = true
  await Promise.all(readers)
  expect(faults).toEqual([])
  expect(answers).toBeGreaterThan(100)
})
