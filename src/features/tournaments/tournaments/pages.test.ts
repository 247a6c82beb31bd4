import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, type TournamentOptions, touch } from '../../../../test/make.ts'

/** Pages of the public lists. (D8) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

// Every test starts with an empty list.
beforeEach(async () => {
  await api.sql('delete from tournaments')
  await touch(api)
})

const day = (number: number) => new Date(Date.UTC(2026, 5, number))
const make = (name: string, options: TournamentOptions = {}, as = organiser) =>
  makeTournament(api, as, { name, startsAt: day(1), ...options })
const guidOf = (tournament: { guid: string }) => tournament.guid

describe('pages', () => {
  async function collect(
    query: string,
    limit: number,
    between: () => Promise<unknown> = async () => {},
  ): Promise<string[]> {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const reply: Reply = await api.get(
        `/tournaments?${query}limit=${limit}${cursor === null ? '' : `&before=${cursor}`}`,
      )
      expect(reply.status).toBe(200)
      expect(reply.body.tournaments.length).toBeLessThanOrEqual(limit)
      seen.push(...reply.body.tournaments.map(guidOf))
      cursor = reply.body.nextCursor
      if (cursor !== null) await between()
    } while (cursor !== null)
    return seen
  }

  test.each([1, 2, 3, 7, 100])(
    'of %d show everything once in one order, equal and unset starts included',
    async (limit) => {
      const starts = [day(3), day(3), day(3), null, null, day(1), new Date(day(3).getTime() + 1)]
      for (const [index, startsAt] of starts.entries()) {
        await make(`${index}`, {
          startsAt,
          status: (['approved', 'ongoing', 'completed'] as const)[index % 3] as 'approved',
        })
      }
      const whole = (await api.get('/tournaments?limit=100')).body.tournaments.map(guidOf)
      expect(whole).toHaveLength(starts.length)
      expect(await collect('', limit)).toEqual(whole)
      expect(await collect('status=approved,ongoing,completed&', limit)).toEqual(whole)
      expect(await collect(`organiser=${organiser.guid}&`, limit)).toEqual(whole)
      const two = (await api.get('/tournaments?limit=100&status=completed,ongoing')).body.tournaments.map(guidOf)
      expect(await collect('status=completed,ongoing&', limit)).toEqual(two)
      expect(two).toEqual(whole.filter((guid: string) => two.includes(guid)))
      expect(two).toHaveLength(4)
    },
  )

  test('neither skip nor repeat what is there throughout, while others come and go', async () => {
    const lasting: string[] = []
    for (let number = 0; number < 8; number++)
      lasting.push((await make(`lasting ${number}`, { startsAt: day(number + 1) })).guid)
    let added = 0
    const seen = await collect('', 2, async () => {
      await make(`new ${++added}`, { startsAt: day(30) })
      const doomed = await make(`doomed ${added}`, { startsAt: day(1) })
      await api.post(`/tournaments/${doomed.id}/status`, organiser, { status: 'cancelled' })
    })
    expect(seen.filter((guid) => lasting.includes(guid))).toEqual(lasting.toReversed())
  })

  test('hold 25 unless asked otherwise, and end where the list ends', async () => {
    for (let number = 0; number < 26; number++) await make(`cup ${number}`)
    const first = await api.get('/tournaments')
    expect(first.body.tournaments).toHaveLength(25)
    const rest = await api.get(`/tournaments?before=${first.body.nextCursor}`)
    expect([rest.body.tournaments.length, rest.body.nextCursor]).toEqual([1, null])
    expect((await api.get('/tournaments?limit=26')).body.nextCursor).toBeNull()
  })

  const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const guid = '00000000-0000-4000-8000-000000000000'
  const at = '2026-05-01T00:00:00.000Z'
  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'before=',
    'before=x',
    `before=${cursorOf('users', at, guid)}`,
    `before=${cursorOf('tournaments', at)}`,
    `before=${cursorOf('tournaments', at, guid, guid)}`,
    `before=${cursorOf('tournaments', 'infinity', guid)}`,
    `before=${cursorOf('tournaments', '2026-13-45T00:00:00.000Z', guid)}`,
    `before=${cursorOf('tournaments', '2026-02-30T00:00:00.000Z', guid)}`,
    `before=${cursorOf('tournaments', '+010000-01-01T00:00:00.000Z', guid)}`,
    `before=${cursorOf('tournaments', '2026-05-01T00:00:00Z', guid)}`,
    `before=${cursorOf('tournaments', at, "' or 1=1")}`,
    `before=${cursorOf('tournaments', 5, guid)}`,
    `before=${cursorOf('tournaments', null, null)}`,
  ])('refuse %s', async (query) => {
    expect((await api.get(`/tournaments?${query}`)).status).toBe(400)
  })
})
