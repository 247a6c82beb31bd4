import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  type MadePlatform,
  makePlatform,
  makeTeam,
  makeTournament,
  remembered,
  type TournamentOptions,
  touch,
} from '../../../../test/make.ts'

/** GET /tournament-platforms/{contextId}/tournaments (rest-interface: Tournament platforms and visibility; D26) */

let api: Harness
let organiser: Caller
let platform: MadePlatform
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  platform = await makePlatform(api, { contextId: 'night-league' })
  const listed: [string, TournamentOptions][] = [
    ['Spring Cup', { status: 'completed', startsAt: day(1) }],
    ['Summer Cup', { status: 'ongoing', startsAt: day(3) }],
    ['Autumn Open', { status: 'approved', startsAt: day(5) }],
    ['Winter Open', { status: 'approved', startsAt: null }],
  ]
  for (const [name, options] of listed) await list(name, options)
  const player = await api.user({ chatPlatformId: '4242' })
  const [cup] = await api.sql<{ guid: string; id: string }>(
    `select guid, id from tournaments where name = 'Summer Cup'`,
  )
  if (cup === undefined) throw new Error('no cup')
  await makeTeam(api, cup, player)
  // The first tournament is on no list, the second only on another platform's list.
  await makeTournament(api, organiser, { name: 'Unlisted', approved: false })
  await makeTournament(api, organiser, { name: 'Main only', startsAt: day(9) })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const day = (number: number) => new Date(Date.UTC(2026, 5, number))
const path = (query = '') => `/tournament-platforms/night-league/tournaments${query}`
const names = (reply: Reply): string[] => reply.body.tournaments.map(({ name }: { name: string }) => name)

async function list(name: string, options: TournamentOptions): Promise<void> {
  const { guid } = await makeTournament(api, organiser, { name, approved: false, ...options })
  await api.sql(
    `insert into visibility_requests (tournament_guid, platform_guid, status, decided_at) values ($1, $2, 'approved', now())`,
    [guid, platform.guid],
  )
  await api.sql(
    `insert into listings (platform_guid, tournament_guid, status, sort_at)
     select $1, guid, status, coalesce(starts_at, to_timestamp(0)) from tournaments where guid = $2`,
    [platform.guid, guid],
  )
  await touch(api, platform.guid)
}

describe('the list of a platform', () => {
  test('shows what it approved, newest start first', async () => {
    const reply = await api.get(path())
    expect(reply.status).toBe(200)
    expect(names(reply)).toEqual(['Autumn Open', 'Summer Cup', 'Spring Cup', 'Winter Open'])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  })

  test.each([
    '',
    '?status=approved,ongoing',
    '?q=cup',
    '?q=%21%21',
    '?from=2026-06-02T00:00:00Z&to=2026-06-04T00:00:00Z',
    '?participant=4242',
    '?organiser=1',
    '?registration=open',
    '?limit=2',
    '?limit=100',
  ])('is the same as that of all tournaments with `platform`, also with %j', async (query) => {
    const reply = await api.get(path(query))
    const same = await api.get(`/tournaments?platform=Night-League${query.replace('?', '&')}`)
    expect([reply.status, reply.body]).toEqual([200, same.body])
    const signedIn = await api.get(path(query), organiser)
    expect(signedIn.body).toEqual(reply.body)
  })

  test('filters do filter', async () => {
    expect(names(await api.get(path('?q=open')))).toEqual(['Autumn Open', 'Winter Open'])
    expect(names(await api.get(path('?status=completed')))).toEqual(['Spring Cup'])
    expect(names(await api.get(path('?participant=4242')))).toEqual(['Summer Cup'])
    expect(names(await api.get(path('?organiser=@me'), organiser))).toHaveLength(4)
  })

  test('cursors go through all of it, from one address to the other', async () => {
    const first = await api.get(path('?limit=1'))
    const second = await api.get(`/tournaments?platform=night-league&limit=2&before=${first.body.nextCursor}`)
    const third = await api.get(path(`?limit=2&before=${second.body.nextCursor}`))
    expect([first, second, third].flatMap(names)).toEqual(['Autumn Open', 'Summer Cup', 'Spring Cup', 'Winter Open'])
    expect(third.body.nextCursor).toBeNull()
  })

  test('of the system platform is the main list', async () => {
    expect((await api.get('/tournament-platforms/main/tournaments')).body).toEqual((await api.get('/tournaments')).body)
  })

  test('does not let the query name another platform', async () => {
    expect((await api.get(path('?platform=main'))).body).toEqual((await api.get(path())).body)
  })

  test('follows every change at once, remembered or not', async () => {
    await remembered(api, path())
    const [cup] = await api.sql<{ id: string }>(`select id from tournaments where name = 'Autumn Open'`)
    await api.patch(`/tournaments/${cup?.id}`, organiser, { name: 'Fall Open' })
    expect(names(await remembered(api, path()))[0]).toBe('Fall Open')
    await api.post(`/tournaments/${cup?.id}/status`, organiser, { status: 'cancelled' })
    expect(names(await remembered(api, path()))).toEqual(['Summer Cup', 'Spring Cup', 'Winter Open'])
  })

  test.each([
    ['?status=draft', 400, 'tournament.status_not_listed'],
    ['?limit=0', 400, 'request.invalid'],
    ['?limit=101', 400, 'request.invalid'],
    ['?before=nonsense', 400, 'cursor.invalid'],
    ['?from=2026-06-04T00:00:00Z&to=2026-06-02T00:00:00Z', 400, 'tournament.window_invalid'],
    ['?from=1999-01-01T00:00:00Z', 400, 'request.invalid'],
    ['?organiser=@me', 401, 'token.missing'],
  ])('%s is refused', async (query, status, code) => {
    expect(problem(await api.get(path(query)))).toEqual([status, code])
  })

  test('there is none of a platform that there is not', async () => {
    expect(problem(await api.get('/tournament-platforms/nowhere/tournaments'))).toEqual([404, 'platform.unknown'])
  })
})
