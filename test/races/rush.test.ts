import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Reply, startHarness } from '../harness.ts'
import { type MadeTournament, makeTournament } from '../make.ts'

/** The opening of registration: many more teams than places, at the same time. (D31) */

const teams = 500
const places = 64
const connections = 100

let api: Harness
let sibling: Harness
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

interface Entrant {
  readonly team: string
  readonly token: string
}

async function makeEntrants(tournament: MadeTournament): Promise<Entrant[]> {
  const rows = await api.sql<{ team: string; captain: string }>(
    `with captains as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select $2 || n, 'captain' || n, 'captain' || n, '' from generate_series(1, $3) as n returning guid, username
     ), made as (
       insert into teams (tournament_guid, id, name, captain_guid) select $1, username, username, guid from captains
       returning guid, captain_guid
     ), joined as (
       insert into team_members (team_guid, tournament_guid, user_guid) select guid, $1, captain_guid from made
     )
     select guid as team, captain_guid as captain from made`,
    [tournament.guid, String(process.hrtime.bigint()).slice(-12), teams],
  )
  await api.sql('update tournament_counts set teams = $2, players = $2 where tournament_guid = $1', [
    tournament.guid,
    teams,
  ])
  return Promise.all(
    rows.map(async ({ team, captain }) => ({ team, token: await api.token({ guid: captain }, ['rest:write']) })),
  )
}

/** All teams register concurrently over a number of connections, each through the services in turn. */
async function rush(
  tournament: MadeTournament,
  entrants: readonly Entrant[],
  services: readonly Harness[],
): Promise<Reply[]> {
  return pLimit(connections).map(entrants, ({ team, token }, index) => {
    const service = services[index % services.length] as Harness
    return service.call('POST', `/tournaments/${tournament.guid}/register/${team}`, { token })
  })
}

describe.each([
  ['one process', () => [api]],
  ['two processes on one database', () => [api, sibling]],
])('%s', (_name, services) => {
  test('exactly as many teams are registered as there are places, and every other is told why not', async () => {
    const tournament = await makeTournament(api, await api.user(), { capacity: places })
    const entrants = await makeEntrants(tournament)
    const replies = await rush(tournament, entrants, services())

    expect(replies).toHaveLength(teams)
    const accepted = replies.filter(({ status }) => status === 200)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(accepted).toHaveLength(places)
    for (const { status, body } of refused) {
      expect(status).toBe(400)
      expect(body.message).toEqual(expect.any(String))
      expect(body.eligibility.registration).toMatchObject({ state: 'full', capacity: places, registered: places })
      expect(body.eligibility.eligible).toBe(false)
    }

    const stored = await api.sql<{ guid: string }>(
      "select guid from teams where tournament_guid = $1 and status = 'registered'",
      [tournament.guid],
    )
    expect(new Set(stored.map(({ guid }) => guid))).toEqual(new Set(accepted.map(({ body }) => body.newTeam.guid)))
    for (const service of services()) {
      expect((await service.get(`/tournaments/${tournament.guid}`)).body.counts).toMatchObject({
        teams,
        registered: places,
      })
    }
    const events = await api.sql("select seq from event_log where tournament = $1 and type = 'team.registered'", [
      tournament.guid,
    ])
    expect(events).toHaveLength(places)
  })
})
