import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'
import { rehearsalsJobs } from './jobs.ts'

let api: Harness
let organiser: Caller
let stage: Stage
let referee: Caller
let stranger: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
  stranger = await api.user({ name: 'stranger' })
  stage = await makeStage(api, organiser, { teams: 4, status: 'ongoing' })
  referee = await roleHolder(api, stage.cup, 'role:referee')
  await stage.bracket()
})
afterAll(() => api[Symbol.asyncDispose]())

async function make(path: string, as: Caller = organiser, name = 'Dry run') {
  const reply = await api.post(`${path}/rehearsals`, as, { name })
  expect(reply.status, reply.text).toBe(201)
  return { ...reply.body, path: `/tournaments/${reply.body.guid}`, own: `${path}/rehearsals/${reply.body.guid}` }
}

describe('a rehearsal', () => {
  test('is a draft with everything of the tournament, in which everybody is a placeholder', async () => {
    const made = await make(stage.path)
    expect(made).toMatchObject({ name: 'Dry run', of: stage.cup.guid, createdBy: { guid: organiser.guid } })
    expect(made.id).toMatch(/^rehearsal-[0-9a-f]{20}$/)
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBeGreaterThan(13 * 86_400_000)
    const { body } = await api.get(made.path, organiser)
    const original = (await api.get(stage.path, organiser)).body
    expect(body).toMatchObject({
      ...{ guid: made.guid, id: made.id, name: original.name, status: 'draft', counts: original.counts },
      ...{ rehearsal: { of: stage.cup.guid }, organiser: { preferredName: 'maestro' } },
    })
    expect(body.organiser.guid).not.toBe(organiser.guid)
    expect(original).not.toHaveProperty('rehearsal')
    const people = await api.sql<{ strange: boolean }>(
      `select u.is_placeholder and starts_with(u.chat_platform_id, 'placeholder:') and u.awaited_chat_id is null
         and not exists (select from identities i where i.user_guid = u.guid) as strange
       from users u where u.guid in (
         select user_guid from team_members where tournament_guid = $1
         union select captain_guid from teams where tournament_guid = $1
         union select user_guid from tournament_role_holders where tournament_guid = $1
         union select organiser_guid from tournaments where guid = $1)`,
      [made.guid],
    )
    expect(people.map(({ strange }) => strange)).toEqual(Array.from({ length: 6 }, () => true))
    expect((await api.get(`${stage.path}/rehearsals`, referee)).body.rehearsals).toEqual([
      (await api.get(made.own, referee)).body,
    ])
    expect((await api.patch(made.own, organiser, { name: 'Friday' })).body.name).toBe('Friday')
    expect(outcome(await api.delete(made.own, organiser))).toEqual([204, null])
    expect(outcome(await api.get(made.path, organiser))).toEqual([404, 'tournament.unknown'])
    expect((await api.get(`${stage.path}/rehearsals`, organiser)).body).toEqual({ rehearsals: [] })
  })

  test('is played by the staff of the real tournament, from draft to the end, without approval', async () => {
    const made = await make(stage.path)
    const step = (status: string, as: Caller = organiser) => api.post(`${made.path}/status`, as, { status })
    expect(outcome(await step('ongoing', referee))).toEqual([403, 'role.missing'])
    expect(outcome(await step('ongoing', stranger))).toEqual([404, 'tournament.unknown'])
    expect(outcome(await step('ongoing'))).toEqual([200, null])
    const { matches } = (await api.get(`${made.path}/matches`, referee)).body
    expect(matches).toHaveLength(3)
    for (const number of [1, 2, 3]) {
      expect(outcome(await api.post(`${made.path}/matches/${number}/call`, referee, {}))).toEqual([200, null])
      const reported = await api.put(`${made.path}/matches/${number}/result`, referee, {
        outcome: 'walkover',
        winner: 1,
      })
      expect(outcome(reported), reported.text).toEqual([200, null])
    }
    expect(outcome(await step('completed'))).toEqual([200, null])
    expect((await api.get(made.path, organiser)).body.placements).toHaveLength(4)
    // The real one is as it was.
    const real = (await api.get(`${stage.path}/matches`, organiser)).body.matches
    expect(real.map(({ status }: { status: string }) => status)).not.toContain('completed')
    await api.delete(made.own, organiser)
  })

  test('is open to those who hold a role in the real tournament now', async () => {
    const made = await make(stage.path)
    const caster = await api.user()
    const [open, hidden] = [
      [200, null],
      [404, 'tournament.unknown'],
    ]
    expect(outcome(await api.get(made.path, caster))).toEqual(hidden)
    expect(outcome(await api.get(made.own, caster))).toEqual([404, 'rehearsal.unknown'])
    await grantRole(api, stage.cup, caster, 'role:caster')
    expect(outcome(await api.get(made.path, caster))).toEqual(open)
    expect(outcome(await api.get(made.own, caster))).toEqual(open)
    expect(outcome(await api.patch(made.own, caster, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    const revoked = await api.call('DELETE', `${stage.path}/permissions/${caster.guid}/revoke`, {
      as: organiser,
      body: { role: 'role:caster' },
    })
    expect(outcome(revoked)).toEqual([200, null])
    expect(outcome(await api.get(made.path, caster))).toEqual(hidden)
    await api.delete(made.own, organiser)
  })

  test('goes with the rights of the organiser when the tournament is handed over, and with the tournament', async () => {
    const [first, heir] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, first, { status: 'draft' })
    const path = `/tournaments/${cup.guid}`
    const made = await make(path, first)
    expect(outcome(await api.post(`${path}/organiser`, first, { userIdentifier: heir.guid }))).toEqual([200, null])
    expect(outcome(await api.get(made.path, first))).toEqual([404, 'tournament.unknown'])
    expect(outcome(await api.get(made.path, heir))).toEqual([200, null])
    expect(outcome(await api.delete(path, heir))).toEqual([204, null])
    expect(outcome(await api.get(made.path, heir))).toEqual([404, 'tournament.unknown'])
    expect(await api.sql('select from rehearsals where guid = $1', [made.guid])).toEqual([])
  })

  test('is one of three at most, and rehearsed by none', async () => {
    const own = await api.user()
    const cup = await makeTournament(api, own)
    const path = `/tournaments/${cup.guid}`
    const made = [await make(path, own), await make(path, own)]
    const both = await Promise.all([1, 2].map(() => api.post(`${path}/rehearsals`, own, { name: 'Once more' })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(outcome(await api.post(`${path}/rehearsals`, own, { name: 'Fourth' }))).toEqual([409, 'rehearsal.too_many'])
    expect(outcome(await api.post(`${made[0]?.path}/rehearsals`, own, { name: 'Nested' }))).toEqual([
      409,
      'rehearsal.nested',
    ])
  })

  test('is deleted 14 days after its last change', async () => {
    const own = await api.user()
    const cup = await makeTournament(api, own)
    const path = `/tournaments/${cup.guid}`
    const [old, used] = [await make(path, own), await make(path, own)]
    await api.sql(`update event_log set at = now() - interval '15 days' where tournament = any($1::uuid[])`, [
      [old.guid, used.guid],
    ])
    expect(outcome(await api.post(`${used.path}/status`, own, { status: 'ongoing' }))).toEqual([200, null])
    const { database, services } = api.app
    await rehearsalsJobs[0]?.run({}, { database, services, now: () => new Date() } as never)
    expect((await api.get(`${path}/rehearsals`, own)).body.rehearsals).toMatchObject([{ guid: used.guid }])
    expect(outcome(await api.get(old.path, own))).toEqual([404, 'tournament.unknown'])
  })
})
