import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatConfig, makeVisitor } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { formOf } from '../../../../test/media.ts'

/** The world cup from a sheet, played to its end while people arrive. (additions: People who are not here yet) */

let chat: FakeChat
let api: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const file = path.join(import.meta.dirname, '../../../../demo/world-cup-2023.json')
const nations: readonly { readonly name: string }[] = JSON.parse(readFileSync(file, 'utf8')).teams
const cardinal = '=HYPERLINK("https://example.org","x")'

test('57 teams are imported and played to the end, 20 people sign in, 5 claim their place, 2 claims are taken back', async () => {
  const organiser = await api.user({ name: 'organiser' })
  const cup = await makeTournament(api, organiser, { status: 'ongoing', teamSize: { min: 2, max: 4, active: 2 } })
  const at = `/tournaments/${cup.guid}`
  const accounts = Array.from({ length: 20 }, (_, index) => chat.users.add({ username: `arriving${index}` }))
  const lines = nations.map(({ name }, index) => {
    const captain = accounts[index]?.id ?? `Captain of ${name}`
    const mate = index === 56 ? `"${cardinal.replaceAll('"', '""')}"` : `Mate of ${name}`
    return [name, captain, mate, 'yes'].join(',')
  })
  const sheet = new TextEncoder().encode(['Team,Captain,Members,Register', ...lines].join('\n'))
  const send = () => api.call('POST', `${at}/teams/import`, { as: organiser, ...formOf(sheet) })
  const imported = await send()
  expect(imported.body.totals).toEqual({
    ...{ created: 57, updated: 0, same: 0, rejected: 0 },
    ...{ placeholders: 114, invited: 0, joined: 0, registered: 57 },
  })
  const guids: string[] = imported.body.rows.map(({ team }: { team: { guid: string } }) => team.guid)
  const captainOf = async (index: number): Promise<string> =>
    (await api.get(`${at}/teams/${guids[index]}`)).body.captain.guid
  const captains = await Promise.all(guids.map((_, index) => captainOf(index)))

  await api.post(`${at}/divisions`, organiser, { name: 'Main', id: 'main' })
  const made = await api.post(`${at}/divisions/main/brackets`, organiser, {
    ...{ name: 'Playoffs', format: 'single_elimination', settings: {} },
    entrants: { source: 'manual', teamGuids: guids },
  })
  expect(outcome(made)).toEqual([201, null])

  interface Side {
    readonly team: { readonly guid: string } | null
  }
  const read = async () => (await api.get(`${at}/brackets/${made.body.guid}`, organiser)).body
  let played = 0
  /** Reports what is ready; the team further up in the sheet wins. */
  const playRound = async (isFree: (guid: string) => boolean = () => true) => {
    const ready = (await read()).matches.filter(
      ({ status, sides }: { status: string; sides: Side[] }) =>
        status === 'ready' && sides.every(({ team }) => isFree(team?.guid ?? '')),
    )
    for (const { number, sides } of ready as { number: number; sides: Side[] }[]) {
      const [one, other] = sides.map(({ team }) => guids.indexOf(team?.guid ?? ''))
      const scores = (one ?? 0) < (other ?? 0) ? [2, 0] : [0, 2]
      const told = await api.put(`${at}/matches/${number}/result`, organiser, { outcome: 'score', scores })
      expect(outcome(told)).toEqual([200, null])
      played++
    }
    return ready.length
  }
  await playRound()

  // Ten sign in between rounds, one of them twice at once; they are who they were.
  const arrive = async (index: number) => (await makeVisitor(api, chat, accounts[index]?.id)).user
  for (let index = 0; index < 10; index++) expect(await arrive(index)).toBe(captains[index])

  const people = await Promise.all(
    Array.from({ length: 5 }, () => api.user({ scopes: ['rest:write', 'rest:user:write', 'rest:user:read'] })),
  )
  const claim = async (index: number, user: Caller) => {
    const link = await api.post(`/users/${captains[index]}/claimLinks`, organiser, { tournament: cup.guid })
    return api.post(`/claims/${link.body.token}`, user)
  }
  // 50 to 54 have lost their first match, or will play on.
  const claims = await Promise.all(people.map((user, index) => claim(50 + index, user)))
  expect(claims.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  for (const [index, user] of people.entries()) expect(await captainOf(50 + index)).toBe(user.guid)

  const undone = await Promise.all(
    [0, 1].map((index) => api.post(`/claims/${claims[index]?.body.guid}/undo`, organiser)),
  )
  expect(undone.map(({ status }) => status)).toEqual([200, 200])
  expect([await captainOf(50), await captainOf(51)]).toEqual(captains.slice(50, 52))

  // Somebody takes over a team that plays on: that claim stays.
  const late = await api.user({ scopes: ['rest:write', 'rest:user:write'] })
  const kept = await claim(20, late)
  const isIn = (await read()).matches.some(
    ({ status, sides }: { status: string; sides: Side[] }) =>
      status !== 'completed' && sides.some(({ team }) => team?.guid === guids[20]),
  )
  for (let index = 10; index < 20; index++) expect(await arrive(index)).toBe(captains[index])
  while ((await playRound()) > 0) {
    // Each round makes the next one ready.
  }
  const undoing = outcome(await api.post(`/claims/${kept.body.guid}/undo`, organiser))
  expect(undoing).toEqual(isIn ? [409, 'claim.played'] : [200, null])

  // Nothing is counted twice: not teams, not players, not matches, not tournaments.
  expect(played).toBe(56)
  const { counts } = (await api.get(at)).body
  expect(counts).toEqual({ teams: 57, registered: 57, qualified: 0, players: 114 })
  const rows = await api.sql<{ people: number; members: number }>(
    `select (select count(*)::int from appearances where tournament_guid = $1) as people,
       (select count(*)::int from team_members where tournament_guid = $1) as members`,
    [cup.guid],
  )
  expect(rows).toEqual([{ people: 114, members: 114 }])
  const playedBy = async (guid: string) => (await api.get(`/users/${guid}/card`)).body.tournamentsPlayed
  expect(await playedBy(captains[0] ?? '')).toBe(1)
  expect(await playedBy(people[4]?.guid ?? '')).toBe(1)
  expect(await playedBy(people[0]?.guid ?? '')).toBe(0)
  expect(await playedBy(captains[50] ?? '')).toBe(0)
  expect((await send()).body.totals).toMatchObject({ same: 57, placeholders: 0, rejected: 0 })
  const csv = (await api.get(`${at}/teams.csv`, organiser)).text
  expect(csv).toContain(`"'=HYPERLINK`)
  const types = await api.sql<{ type: string; count: number }>(
    `select type, count(*)::int from event_log where tournament = $1 and type ~ '^(claim\\.(made|undone)|user\\.arrived)$'
     group by type order by type`,
    [cup.guid],
  )
  expect(types).toEqual([
    { type: 'claim.made', count: 6 },
    { type: 'claim.undone', count: isIn ? 2 : 3 },
    { type: 'user.arrived', count: 20 },
  ])
})
