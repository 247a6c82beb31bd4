import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { teams } from './slice.ts'

/** Teams that are older than the keys by which names are compared. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

test('keep names that look the same, which nobody else may take', async () => {
  const cups = await Promise.all([1, 2, 3].map(() => makeTournament(api, organiser)))
  const names = ['Saber', 'Ѕaber', 'SАBER', '\u3164', '\u2800', 'Two\nlines']
  const captains: Caller[] = []
  for (const name of names) captains.push(await api.user({ name: `captain of ${name.trim()}` }))
  for (const cup of cups) {
    for (const [at, name] of names.entries()) {
      const values = [cup.guid, `elder-${at}`, name, captains[at]?.guid]
      await api.sql(
        `with made as (insert into teams (tournament_guid, id, name, captain_guid, created_at)
           values ($1, $2, $3, $4, now() + ${at} * interval '1 s') returning guid)
         insert into team_members (team_guid, tournament_guid, user_guid) select guid, $1, $4 from made`,
        values,
      )
    }
  }
  const { database, services } = api.app
  await Promise.all([1, 2, 3].map(() => teams.start?.({ database, services, now: new Date() })))
  expect(await api.sql('select count(*)::int from teams where name_key is null or name_look is null')).toEqual([
    { count: 0 },
  ])
  const [cup] = cups
  if (cup === undefined) throw new Error('no tournament was made')
  const path = `/tournaments/${cup.id}/teams`
  expect((await api.get(path)).body.teams.map(({ name }: { name: string }) => name)).toEqual(names)

  const guest = await api.user()
  const create = (teamName: string) => api.post(path, guest, { captainId: guest.guid, teamName })
  for (const name of ['saber', 'ЅАВЕR', 'TWO LINES']) {
    expect(outcome(await create(name)), name).toEqual([400, 'team.name_taken'])
  }

  for (const [at, captain] of captains.entries()) {
    const recoloured = await api.patch(`${path}/elder-${at}`, captain, { color: '#112233' })
    expect([recoloured.status, recoloured.body.name, recoloured.body.color]).toEqual([200, names[at], '#112233'])
  }
  const [, second] = captains as [Caller, Caller]
  expect(outcome(await api.patch(`${path}/elder-1`, second, { name: 'saber' }))).toEqual([409, 'team.name_taken'])
  expect((await api.patch(`${path}/elder-1`, second, { name: 'Others' })).body.name).toBe('Others')
  expect(outcome(await create('OTHERS'))).toEqual([400, 'team.name_taken'])
})
