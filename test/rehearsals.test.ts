import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import { type Operation, parametersOf, tournamentPath } from '../src/core/operation.ts'
import { callerIn } from './callers.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from './harness.ts'
import { giveRealFiles } from './package-imports.ts'
import { makePackageWorld } from './package-world.ts'
import { addressOf, type World } from './world.ts'

/** Rehearsals are invisible: to outsiders a service that has one answers as if it had none. (R1) */

let api: Harness
let world: World
let callers: Readonly<Record<string, Caller | null>>
beforeAll(async () => {
  api = await startHarness()
  world = await makePackageWorld(api)
  await giveRealFiles(api)
  await api.sql('delete from tournaments where rehearsal_of is not null')
  // Two reads differ by time alone where a list goes by the minute, or is as late as the stream.
  await api.sql(`update matches set games = replace(games::text, '800000.5', '800000')::jsonb,
    scheduled_at = date_trunc('day', now()) + interval '2 days'`)
  await api.sql('delete from earlier_rows')
  const kinds = ['anonymous', 'signed in', 'platform reviewer', 'global:tournaments:manage', 'role:owner', 'captain']
  callers = Object.fromEntries(
    await Promise.all([...kinds, 'organiser'].map(async (kind) => [kind, await callerIn(api, world, kind)])),
  )
})
afterAll(() => api[Symbol.asyncDispose]())

/** They answer with the present time, with a new secret, or with what the service does at the moment. */
const everNew: ReadonlySet<string> = new Set(['streamKeys.settings', 'sceneReference.sample', 'rehearsals.list'])

/** What was made since is no earlier, and may be read as the present time. */
const begun = new Date().toISOString()

const queries = operations.filter(({ kind }) => kind === 'query')
const isInTournament = ({ path }: Operation) => path.startsWith(`${tournamentPath}/`) || path === tournamentPath
const words = ['player', 'maestro', 'cup', 'team', 'cadenza', 'finals']

/** The queries by which an operation is asked: none, and what finds something. */
function askedOf({ name, query }: Operation): readonly string[] {
  const found = query !== undefined && 'q' in query.properties ? words.map((word) => `?q=${word}`) : []
  return ['', ...found, ...(name === 'tournaments.list' ? ['?organiser=@me', '?participant=@me'] : [])]
}

const shownOf = (reply: Reply, isMeasured: boolean) => {
  const text = reply.text.replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, (instant) => (instant < begun ? instant : 'now'))

  return [...outcome(reply), isMeasured ? text.replaceAll(/\d+/g, '') : text]
}

/** What each caller reads at every address outside rehearsals. */
async function readAll(): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>()
  for (const operation of queries) {
    if (everNew.has(operation.name) || parametersOf(operation.path).includes('rehearsal')) continue
    const address = addressOf(operation, world)
    for (const query of askedOf(operation)) {
      for (const [kind, caller] of Object.entries(callers)) {
        // They export what they did themselves.
        if (operation.name === 'accounts.export' && kind === 'organiser') continue
        found.set(
          `${operation.name}${query} as ${kind}`,
          shownOf(await api.get(address + query, caller), operation.name.startsWith('admin.')),
        )
      }
    }
  }
  // Packages that were read are listed.
  await api.sql('delete from tournament_packages')
  return found
}

const differences = (before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) =>
  [...before].flatMap(([name, seen]) =>
    JSON.stringify(seen) === JSON.stringify(after.get(name)) ? [] : [whereIn(name, seen, after.get(name))],
  )

function whereIn(name: string, before: unknown, after: unknown): string {
  const [one, other] = [JSON.stringify(before), JSON.stringify(after)]
  const at = Math.max(0, [...one].findIndex((letter, index) => letter !== other[index]) - 40)
  return `${name}: ${one.slice(at, at + 160)} / ${other.slice(at, at + 160)}`
}

test('is seen nowhere, and unknown with everything in it', async () => {
  const before = await readAll()
  expect(differences(before, await readAll())).toEqual([])
  const made = await api.post(`/tournaments/${world.tournament.guid}/rehearsals`, world.organiser, { name: 'Dry run' })
  expect(made.status, made.text).toBe(201)
  const path = `/tournaments/${made.body.guid}`
  expect(outcome(await api.post(`${path}/status`, world.organiser, { status: 'ongoing' }))).toEqual([200, null])
  const { teams } = (await api.get(`${path}/teams`, world.organiser)).body
  const registered = teams.find(({ status }: { status: string }) => status === 'registered')
  expect(outcome(await api.post(`${path}/qualify/${registered.guid}`, world.organiser, {}))).toEqual([200, null])
  expect(differences(before, await readAll())).toEqual([])
  expect(before.size).toBeGreaterThan(1_000)
})

test('is for outsiders no tournament, whatever they ask of it', async () => {
  const [rehearsal] = await api.sql<{ guid: string; id: string }>(
    'select guid, id from tournaments where rehearsal_of is not null',
  )
  const outsiders = ['anonymous', 'signed in', 'platform reviewer', 'captain'].map((kind) => callers[kind] ?? null)
  const asked = async (operation: Operation, tournament: string, as: Caller | null) => {
    const reply = await api.call(operation.method, addressOf(operation, world, { tournament }), { as })
    return [...outcome(reply), reply.text.replaceAll(tournament, ''), reply.headers.get('etag')]
  }
  let compared = 0
  for (const operation of operations.filter(isInTournament)) {
    for (const as of outsiders) {
      const [here, nowhere] = [rehearsal?.guid ?? '', randomUUID()]
      const unknown = await asked(operation, nowhere, as)
      expect(await asked(operation, here, as), operation.name).toEqual(unknown)
      expect(await asked(operation, rehearsal?.id ?? '', as), operation.name).toEqual(unknown)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(400)
})

test('holds people whom nobody else knows', async () => {
  const people = await api.sql<{ guid: string }>(
    `select u.guid from users u join tournaments t on t.guid = u.made_by_tournament_guid and t.rehearsal_of is not null`,
  )
  expect(people.length).toBeGreaterThan(3)
  for (const { guid } of people) expect(outcome(await api.get(`/users/${guid}`))).toEqual([404, 'user.unknown'])
})
