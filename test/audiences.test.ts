import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import type { Operation } from '../src/core/operation.ts'
import { awardsTag } from '../src/features/awards/awards/events.ts'
import { noticesTag } from '../src/features/planning/notices/events.ts'
import { callersIn } from './callers.ts'
import { makeSession } from './flow-sessions.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from './harness.ts'
import { grantRole, touch } from './make.ts'
import { withoutTables } from './tables.ts'
import { addressOf, makeWorld, type World, type WorldOptions } from './world.ts'

/** Shared responses: each caller gets the response that they would have got without sharing. (D12) */

let api: Harness
/** A service that caches no response. */
let forgetful: Harness
beforeAll(async () => {
  api = await startHarness()
  forgetful = await api.sibling({ answerBytes: 0 })
})
afterAll(async () => {
  await forgetful[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const shared = operations.filter((operation) => operation.kind === 'query' && operation.audience !== undefined)
const queries: Readonly<Record<string, readonly string[]>> = {
  'tournaments.read': ['', '?include=staff,teams,timeline,divisions,matches,html'],
  'updates.list': ['', '?include=html'],
  'matches.list': ['', '?limit=1', '?official=@me'],
  'tournaments.list': ['', '?organiser=@me', '?participant=@me'],
}

/** A world in which each kind of staff sees something that others do not. */
async function makePartlyHiddenWorld(options: WorldOptions): Promise<World> {
  const world = await makeWorld(api, { registered: true, ...options })
  const { guid } = world.tournament
  const field = {
    guid: '7f0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a11',
    label: 'Shirt',
    help: null,
    type: 'text',
    required: false,
    options: [],
    subject: 'team',
    private: true,
  }
  await api.sql(
    `update tournaments set additional_fields = $2, chat_webhook_url = 'https://discord.com/api/webhooks/1/secret' where guid = $1`,
    [guid, JSON.stringify([field])],
  )
  await api.sql('insert into field_answers (team_guid, field_guid, response) values ($1, $2, $3)', [
    world.team,
    field.guid,
    JSON.stringify('L'),
  ])
  await api.sql(`update matches set notes = 'for the staff' where tournament_guid = $1`, [guid])
  await api.sql(`update qualifiers set hide_scores = true where tournament_guid = $1`, [guid])
  const { captain, member, organiser } = world
  const session = { tournamentGuid: guid, by: organiser.guid, at: new Date(Date.now() - 600_000) }
  const seats = [captain, member].map((user) => ({ team: null, captain: user.guid }))
  await makeSession(api, { ...session, seats, isPublic: false })
  await makeSession(api, { ...session, seats, at: new Date(), viewDelaySeconds: 900 })
  const late = await makeSession(api, { ...session, seats, viewDelaySeconds: 300 })
  await late.write([{ kind: 'finish', data: { winner: null } }], organiser.guid)
  await touch(api, guid, world.team, noticesTag, awardsTag)
  return world
}

function addressesIn(world: World): string[] {
  return shared.flatMap((operation: Operation) =>
    (queries[operation.name] ?? ['']).map((query) => addressOf(operation, world) + query),
  )
}

/** The response without the current time, where it contains that. */
const seen = (reply: Reply) => {
  const text = reply.text.replace(/"serverTime":"[^"]*"/, '')
  const names = ['cache-control', 'vary', 'content-type', ...(text === reply.text ? ['etag'] : [])]
  return [...outcome(reply), text, ...names.map((name) => reply.headers.get(name))]
}

/**
 * Compares the shared and the unshared responses; returns their number. Every second address is read in the reverse
 * order of callers, so that no caller is always the first, for whom the response is made.
 */
async function compare(callers: readonly (Caller | null)[], addresses: readonly string[]): Promise<number> {
  let answered = 0
  for (const [index, address] of addresses.entries()) {
    const order = index % 2 === 0 ? callers : callers.toReversed()
    const made = new Map<Caller | null, unknown>()
    for (const caller of order) made.set(caller, seen(await forgetful.get(address, caller)))
    for (const caller of [...order, ...order]) {
      const given = await api.get(address, caller)
      expect(seen(given), address).toEqual(made.get(caller))
      if (given.status === 200) answered++
    }
  }
  return answered
}

describe.each<WorldOptions & { readonly status: string }>([{ status: 'ongoing' }, { status: 'draft' }])(
  'a tournament that is $status',
  (options) => {
    test('shows everybody what is for them, whoever asked before', async () => {
      const world = await makePartlyHiddenWorld(options as WorldOptions)
      const callers = await callersIn(api, world)
      const answered = await compare(Object.values(callers), addressesIn(world))
      expect(answered).toBeGreaterThan(500)

      // The visible data of users changes with their roles.
      const { referee } = world
      await api.sql('delete from tournament_role_holders where user_guid = $1', [referee.guid])
      await grantRole(api, world.tournament, callers['signed in'] as Caller, 'role:staff')
      await touch(api, world.tournament.guid)
      await compare([referee, callers['signed in'] as Caller, null], addressesIn(world))
    })
  },
)

test('whoever has a token is answered from memory, by what was made for others of their audience', async () => {
  const world = await makePartlyHiddenWorld({ status: 'ongoing' })
  const [bracket] = await api.sql<{ guid: string }>('select guid from brackets where tournament_guid = $1', [
    world.tournament.guid,
  ])
  const address = `/tournaments/${world.tournament.guid}/brackets/${bracket?.guid}`
  const callers = await callersIn(api, world)
  for (const primer of [null, callers.caster as Caller])
    for (let turn = 0; turn < 3; turn++) await api.get(address, primer)
  const made = new Map<Caller | null, Reply>()
  for (const caller of [null, callers['signed in'] as Caller, world.referee]) {
    made.set(caller, await forgetful.get(address, caller))
    // The token and the record of the address are looked up anyway.
    await api.get('/users/@me', caller)
  }
  await withoutTables(api, 'bracket_entrants', async () => {
    for (const [caller, reply] of made) expect(seen(await api.get(address, caller))).toEqual(seen(reply))
  })
  const forReferee = made.get(world.referee)?.text
  expect(forReferee).toContain('for the staff')
  expect(made.get(null)?.text).not.toContain('for the staff')
  expect(made.get(callers['signed in'] as Caller)?.text).toBe(made.get(null)?.text)
})
