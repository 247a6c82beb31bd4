import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'
import { anonymous } from '../../../core/actor.ts'
import { findRehearsal } from '../rehearsals/store.ts'
import { type Evening, playEvening } from './prepare.ts'
import type { PlayWish } from './types.ts'

/** Simulated teams play rehearsals by the commands of the ordinary operations. (R4) */

let api: Harness
let organiser: Caller
let stage: Stage
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
  stage = await makeStage(api, organiser, { teams: 7, status: 'ongoing' })
  await stage.bracket({ name: 'Tree', format: 'double_elimination' })
  const division = await api.post(`${stage.path}/divisions`, organiser, { name: 'Second', id: 'b' })
  const swiss = await api.post(`${stage.path}/divisions/${division.body.guid}/brackets`, organiser, {
    ...{ name: 'Table', format: 'swiss', settings: { rounds: 3 } },
    entrants: { source: 'manual', teamGuids: stage.teams.slice(0, 5).map(({ guid }) => guid) },
  })
  expect(swiss.status, swiss.text).toBe(201)
})
afterAll(() => api[Symbol.asyncDispose]())

const begin = new Date('2099-05-01T18:00:00.000Z')
const whole: PlayWish = { until: null, matches: null, count: null, rates: { crash: 0.1, late: 0.3 } }

/** A rehearsal whose clock is moved by the players alone. */
async function rehearse(body: object = {}): Promise<Evening & { readonly path: string }> {
  const made = await api.post(`${stage.path}/rehearsals`, organiser, { name: 'Dry run', seed: 'evening', ...body })
  expect(made.status, made.text).toBe(201)
  const rehearsal = await findRehearsal(api.app.database.db, made.body.guid)
  if (rehearsal === undefined) throw new Error('a rehearsal was not made')
  let now = begin
  const clock = {
    now: async () => now,
    advance: async (to: Date) => {
      expect(to.getTime()).toBeGreaterThanOrEqual(now.getTime())
      now = to
      return true
    },
  }
  return {
    ...{ database: api.app.database, clock, rehearsal, begin, path: `/tournaments/${rehearsal.guid}` },
    actor: { ...anonymous, guid: organiser.guid, isOrganiser: true },
    real: { guid: stage.cup.guid, organiserGuid: organiser.guid },
  }
}

/** The evening without GUIDs. */
async function eveningOf({ path, rehearsal }: { path: string; rehearsal: { guid: string } }) {
  const rows = await api.sql<Record<string, unknown>>(
    `select d.id as division, m.number, m.round, m.status, m.outcome, m.games, m.started_at as "startedAt",
       m.completed_at as "completedAt", one.id as one, two.id as two
     from matches m join divisions d on d.guid = m.division_guid
     left join teams one on one.guid = m.team1_guid left join teams two on two.guid = m.team2_guid
     where m.tournament_guid = $1 order by d.id, m.number`,
    [rehearsal.guid],
  )
  expect((await api.get(`${path}/matches`, organiser)).status).toBe(200)
  return rows
}

const end = ({ rehearsal }: Evening, path = stage.path) => api.delete(`${path}/rehearsals/${rehearsal.guid}`, organiser)

describe('an evening', () => {
  test('is played to its end, and is the same in another copy, whatever parts it is played in', async () => {
    const [one, other] = [await rehearse(), await rehearse()]
    const { played, isDone } = await playEvening(one, whole)
    expect(isDone).toBe(true)
    const evening = await eveningOf(one)
    expect(evening.filter(({ status }) => !['completed', 'cancelled'].includes(String(status)))).toEqual([])
    expect(evening.filter(({ division }) => division === 'b')).toHaveLength(9)
    expect(played.map(({ completedAt }) => completedAt)).toEqual(
      played.map(({ completedAt }) => completedAt).toSorted((first, second) => Number(first) - Number(second)),
    )

    for (const minutes of [7, 31, 32, 90]) {
      const until = new Date(begin.getTime() + minutes * 60_000)
      await playEvening(other, { ...whole, until })
      expect(await other.clock.now()).toEqual(until)
    }
    expect((await playEvening(other, { ...whole, count: 2 })).played).toHaveLength(2)
    await playEvening(other, whole)
    expect(await eveningOf(other)).toEqual(evening)
    await Promise.all([end(one), end(other)])
  })

  test('has walkovers for the opponents of teams that do not appear, which are out', async () => {
    const absent = stage.teams[1]?.guid ?? ''
    const evening = await rehearse({ noShows: [absent] })
    await playEvening(evening, whole)
    const rows = await eveningOf(evening)
    const own = rows.filter(({ one, two }) => one === 't2' || two === 't2')
    expect(own.map(({ outcome }) => outcome)).not.toContain('score')
    expect(own.map(({ outcome }) => outcome)).toContain('walkover')
    const [team] = await api.sql<{ out: boolean }>(
      `select withdrawn_at is not null as out from teams where tournament_guid = $1 and id = 't2'`,
      [evening.rehearsal.guid],
    )
    expect(team?.out).toBe(true)
    expect(rows.filter(({ status }) => !['completed', 'cancelled'].includes(String(status)))).toEqual([])
    await end(evening)
  })

  test('leaves matches alone that are not asked for', async () => {
    const evening = await rehearse()
    const [first] = await api.sql<{ guid: string; number: number }>(
      `select m.guid, m.number from matches m join divisions d on d.guid = m.division_guid
       where m.tournament_guid = $1 and m.status = 'ready' and d.id = 'a' order by m.number limit 1`,
      [evening.rehearsal.guid],
    )
    const { played } = await playEvening(evening, { ...whole, matches: new Set([first?.guid ?? '']) })
    expect(played.map(({ number }) => number)).toEqual([first?.number])
    const begun = (await eveningOf(evening)).filter(({ startedAt }) => startedAt !== null)
    expect(begun).toHaveLength(1)
    await end(evening)
  })
})
