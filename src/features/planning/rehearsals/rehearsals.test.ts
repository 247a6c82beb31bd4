import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { grantRole, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'
import { formOf, type Parts } from '../../../../test/media.ts'
import { signedBy, smallPackage, takePackage, unpacked } from '../../../../test/package-imports.ts'
import { qualify } from '../../../../test/qualifiers.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { type Match, makeStage, type Stage } from '../../../../test/stage.ts'
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

const soon = { timeout: 10_000, interval: 20 }

async function make(path: string, as: Caller = organiser, asked: object = {}) {
  const reply = await api.post(`${path}/rehearsals`, as, { name: 'Dry run', ...asked })
  expect(reply.status, reply.text).toBe(201)
  return { ...reply.body, path: `/tournaments/${reply.body.guid}`, own: `${path}/rehearsals/${reply.body.guid}` }
}

/** What differs between matches that were played and those that were not. */
const shown = (matches: readonly Match[]) =>
  matches.map(({ number, status, section, round, bestOf, sides, games, outcome }) => ({
    ...{ number, status, section, round, bestOf, games, outcome },
    sides: sides.map(({ team, score, result }: Match['sides'][number]) => [team?.name ?? null, score, result]),
  }))

describe('what is asked for', () => {
  test('is that everything is played anew: results, sessions and attempts are taken back', async () => {
    const own = await makeStage(api, organiser, { teams: 8, status: 'ongoing' })
    const bracket = await own.bracket({ format: 'double_elimination' })
    const swiss = await own.bracket({ format: 'swiss', name: 'Swiss', settings: { rounds: 3 } })
    const { path } = own
    const win = (number: number, winner = 1) =>
      api.put(`${path}/matches/${number}/result`, organiser, { outcome: 'walkover', winner })
    const before = (await api.get(`${path}/matches`, organiser)).body.matches
    for (const number of [1, 2, 3, 4, 5]) expect(outcome(await win(number, (number % 2) + 1))).toEqual([200, null])
    const { revision } = await own.read(bracket)
    const reopened = await api.post(`${path}/matches/5/reopen`, organiser, { reason: 'Protest.', revision })
    expect(outcome(reopened), reopened.text).toEqual([200, null])
    for (const { number } of swiss.matches) expect(outcome(await win(number))).toEqual([200, null])
    expect(outcome(await api.post(`${path}/brackets/${swiss.guid}/rounds`, organiser, {}))).toEqual([201, null])
    await qualify(api, own.cup, own.teams.slice(0, 1))
    const scheduledAt = '2027-05-01T18:00:00.000Z'
    await api.sql('update matches set scheduled_at = $2 where tournament_guid = $1', [own.cup.guid, scheduledAt])
    const played = await make(path)
    const anew = await make(path, organiser, { name: 'Anew', reset: true })
    expect([played.reset, anew.reset]).toEqual([false, true])
    const matchesOf = async (of: string) => (await api.get(`${of}/matches?limit=100`, organiser)).body.matches
    expect(shown(await matchesOf(played.path))).toEqual(shown(await matchesOf(path)))
    expect(shown(await matchesOf(anew.path))).toEqual(shown(before))
    const times = (await matchesOf(anew.path)).map((match: { scheduledAt: string }) => match.scheduledAt)
    expect(times).toEqual(before.map(() => scheduledAt))
    const counts = await api.sql(
      `select (select count(*)::int from qualifier_attempts a join qualifiers q on q.guid = a.qualifier_guid
           where q.tournament_guid = t.guid) as attempts,
         (select count(*)::int from corrections c where c.tournament_guid = t.guid) as corrections,
         (select sum(open)::int from brackets b where b.tournament_guid = t.guid) as open,
         (select sum(started)::int from brackets b where b.tournament_guid = t.guid) as started
       from tournaments t where guid = any($1::uuid[]) order by guid = $2`,
      [[played.guid, anew.guid], anew.guid],
    )
    expect(counts).toEqual([
      { attempts: 1, corrections: 1, open: expect.any(Number), started: 9 },
      { attempts: 0, corrections: 0, open: before.length, started: 0 },
    ])
    // It can be played from the beginning.
    expect(outcome(await api.post(`${anew.path}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
    for (const { number } of before) {
      const { matches } = (await api.get(`${anew.path}/matches?limit=100`, organiser)).body
      const match = matches.find((each: Match) => each.number === number)
      if (match.status === 'completed' || match.status === 'cancelled') continue
      const result = { outcome: 'walkover', winner: 2 }
      expect(outcome(await api.put(`${anew.path}/matches/${number}/result`, organiser, result))).toEqual([200, null])
    }
    const [again] = await api.sql<{ guid: string }>(
      `select guid from brackets where tournament_guid = $1 and format = 'swiss'`,
      [anew.guid],
    )
    expect(outcome(await api.post(`${anew.path}/brackets/${again?.guid}/rounds`, organiser, {}))).toEqual([201, null])
    expect(bracket.matches.length).toBeGreaterThan(10)
  })

  test('is who does not appear: named, or drawn by the seed alone, so that at least two teams do', async () => {
    const own = await makeStage(api, organiser, { teams: 6 })
    const { path, teams } = own
    const namesOf = async (made: { path: string; noShows: readonly string[] }) => {
      const listed = (await api.get(`${made.path}/teams`, organiser)).body.teams as { guid: string; name: string }[]
      return listed
        .filter(({ guid }) => made.noShows.includes(guid))
        .map(({ name }) => name)
        .toSorted()
    }
    const [named, drawn, alike] = [
      await make(path, organiser, { noShows: [teams[3]?.guid] }),
      await make(path, organiser, { noShows: 2, seed: 'friday' }),
      await make(path, organiser, { noShows: 2, seed: 'friday' }),
    ]
    expect(await namesOf(named)).toEqual([teams[3]?.name])
    expect(named.seed).toMatch(/^[0-9a-f]{16}$/)
    expect([drawn.seed, drawn.noShows.length, alike.noShows.length]).toEqual(['friday', 2, 2])
    expect(await namesOf(alike)).toEqual(await namesOf(drawn))
    await api.delete(named.own, organiser)
    for (const noShows of [5, teams.slice(1).map(({ guid }) => guid), [organiser.guid]]) {
      const refused = await api.post(`${path}/rehearsals`, organiser, { name: 'Empty', noShows })
      expect(outcome(refused)).toEqual([400, 'rehearsal.no_shows_invalid'])
    }
  })
})

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
      ...{
        rehearsal: { of: stage.cup.guid, name: 'Dry run', seed: made.seed },
        organiser: { preferredName: 'maestro' },
      },
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
    expect((await api.get(made.path, organiser)).body.rehearsal.name).toBe('Friday')
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
    const [team] = (await api.get(`${made.path}/teams`, organiser)).body.teams
    const desk = [
      api.put(`${made.path}/registrations/${team.guid}/note`, organiser, { note: 'Late.' }),
      api.post(`${made.path}/qualify/${team.guid}`, organiser, { seed: 1 }),
    ]
    expect((await Promise.all(desk)).map(outcome)).toEqual([
      [200, null],
      [200, null],
    ])
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

  test('is followed by staff, and no topic of anybody else', async () => {
    const list = `${stage.path}/rehearsals`
    await using socket = await openSocket(api, { as: referee })
    await using outsider = await openSocket(api, { as: stranger })
    for (const topic of [list, `${list}/${randomUUID()}`]) {
      expect(await outsider.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'error', code: 'topic.unknown' })
    }
    await socket.ask({ type: 'subscribe', topic: list })
    const made = await make(stage.path)
    await socket.ask({ type: 'subscribe', topic: made.own })
    await expect.poll(() => socket.copies.of(list).body, soon).toEqual((await api.get(list, referee)).body)
    expect(outcome(await api.patch(made.own, organiser, { name: 'Friday' }))).toEqual([200, null])
    await expect.poll(() => socket.copies.of(made.own).body, soon).toMatchObject({ name: 'Friday' })
    // Whatever happens in it makes it end later.
    expect(outcome(await api.post(`${made.path}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
    const { expiresAt } = (await api.get(made.own, referee)).body
    await expect.poll(() => socket.copies.of(made.own).body, soon).toMatchObject({ expiresAt })
    await api.delete(made.own, organiser)
    await expect.poll(() => socket.copies.of(list).body, soon).toEqual({ rehearsals: [] })
  })

  test('is open to those who hold a role in the real tournament now', async () => {
    const made = await make(stage.path)
    const caster = await api.user()
    const [open, hidden] = [
      [200, null],
      [404, 'tournament.unknown'],
    ]
    expect(outcome(await api.get(made.path, caster))).toEqual(hidden)
    for (const path of [made.own, `${stage.path}/rehearsals`]) {
      expect(outcome(await api.get(path, caster))).toEqual([404, 'rehearsal.unknown'])
    }
    expect(outcome(await api.post(`${stage.path}/rehearsals`, caster, {}))).toEqual([404, 'rehearsal.unknown'])
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

  test('tells no name of an account that is deleted, before or while it is made', async () => {
    const [own, member, other] = [
      await api.user(),
      await api.user({ name: 'fleeting' }),
      await api.user({ name: 'gone' }),
    ]
    const cup = await makeTournament(api, own)
    const path = `/tournaments/${cup.guid}`
    await makeTeam(api, cup, await api.user(), { members: [member, other], status: 'registered' })
    await api.sql("update users set country = 'IS' where guid = $1", [other.guid])
    const made = await make(path, own)
    const shown = async (rehearsal: { path: string }) => (await api.get(`${rehearsal.path}/teams`, own)).text
    const names = /fleeting|gone/g
    expect((await shown(made)).match(names)).toEqual(expect.arrayContaining(['fleeting', 'gone']))
    expect(outcome(await api.delete('/users/@me', member))).toEqual([204, null])
    expect(await shown(made)).not.toMatch(/fleeting/)
    let making = Promise.resolve(made)
    await whileHeld(api, ['select from tournaments where guid = $1 for update', cup.guid], async (waiting) => {
      making = make(path, own)
      await waiting(1)
      await api.sql(
        `update users set username = 'deleted-user', preferred_name = 'Deleted user', country = null, anonymised_at = now()
         where guid = $1`,
        [other.guid],
      )
    })
    expect(await shown(await making)).not.toMatch(names)
    expect(await api.sql("select from users where country = 'IS'")).toHaveLength(1)
    const left = `select from users where 'fleeting' in (username, preferred_name)`
    expect(await api.sql(left)).toEqual([])
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

describe('a package that is sent', () => {
  const send = (path: string, file: Uint8Array, parts: Parts = {}, as: Caller = organiser) =>
    api.call('POST', `${path}/rehearsals`, { as, ...formOf(file, { name: 'From a file', ...parts }) })
  const taken = async (path: string, file: Uint8Array, parts: Parts = {}, as: Caller = organiser) => {
    const reply = await send(path, file, parts, as)
    expect(reply.status, reply.text).toBe(201)
    return { ...reply.body, path: `/tournaments/${reply.body.guid}`, own: `${path}/rehearsals/${reply.body.guid}` }
  }
  const namesOf = async ({ path }: { path: string }, as: Caller = organiser): Promise<string[]> =>
    (await api.get(`${path}/teams`, as)).body.teams.map(({ name }: { name: string }) => name)

  test('is rehearsed in place of the tournament as it is now, whatever its variant', async () => {
    const own = await makeStage(api, organiser, { teams: 5, status: 'ongoing' })
    await own.bracket()
    const member = await api.user({ name: 'leaver' })
    await makeTeam(api, own.cup, await api.user(), { name: 'Last', members: [member], status: 'registered' })
    const packages = new Map(
      await Promise.all(
        ['full', 'public', 'anonymised'].map(async (variant) => {
          const query = variant === 'full' ? 'variant=full&include=private' : `variant=${variant}`
          return [variant, await takePackage(api, own.cup.guid, organiser, query)] as const
        }),
      ),
    )
    const full = packages.get('full') ?? Buffer.alloc(0)
    expect(outcome(await api.delete('/users/@me', member))).toEqual([204, null])
    const [second] = own.teams.slice(1)
    await api.sql(`update teams set name = 'Renamed' where guid = $1`, [second?.guid])
    const now = await make(own.path, organiser, { noShows: 2, seed: 'friday' })
    const file = await taken(own.path, full, { noShows: '2', seed: 'friday', reset: 'true' })
    expect([now.from, file.from, file.of, file.reset]).toEqual(['now', 'package', own.cup.guid, true])
    expect(await namesOf(now)).toContain('Renamed')
    expect((await namesOf(file)).toSorted()).toEqual(['Last', ...own.teams.map(({ name }) => name)].toSorted())
    const idsOf = async (made: { path: string; noShows: readonly string[] }) => {
      const { teams } = (await api.get(`${made.path}/teams`, organiser)).body
      return teams.flatMap(({ guid, id }: { guid: string; id: string }) => (made.noShows.includes(guid) ? [id] : []))
    }
    expect(await idsOf(file)).toEqual(await idsOf(now))
    // Somebody who has gone since it was made is not in it again.
    expect((await api.get(`${file.path}/teams`, organiser)).text).not.toContain('leaver')
    expect(await api.sql(`select from users where 'leaver' in (username, preferred_name)`)).toEqual([])
    expect(outcome(await api.get(file.path, stranger))).toEqual([404, 'tournament.unknown'])
    await api.delete(now.own, organiser)
    const named = await taken(own.path, full, { noShows: JSON.stringify([own.teams[3]?.guid]) })
    expect(await idsOf(named)).toEqual([own.teams[3]?.id])
    for (const made of [file, named]) await api.delete(made.own, organiser)
    const real = (await api.get(`${own.path}/matches`, organiser)).body.matches
    for (const variant of ['public', 'anonymised']) {
      const made = await taken(own.path, packages.get(variant) ?? Buffer.alloc(0), { seed: 'friday' })
      const { matches } = (await api.get(`${made.path}/matches`, organiser)).body
      expect([variant, matches.length]).toEqual([variant, real.length])
      expect(outcome(await api.post(`${made.path}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
      const played = await api.post(`${made.own}/play`, organiser, { count: 1 })
      expect([variant, outcome(played), played.body.played.length]).toEqual([variant, [200, null], 1])
      // Nothing in it names an account.
      const rows = await api.sql<{ count: number }>(
        `select count(*)::int as count from team_members m join teams t on t.guid = m.team_guid join users u on u.guid = m.user_guid
         where t.tournament_guid = $1 and not u.is_placeholder`,
        [made.guid],
      )
      expect(rows).toEqual([{ count: 0 }])
      await api.delete(made.own, organiser)
    }
  })

  test('may come from elsewhere; people with accounts here are not told of it, and not in it', async () => {
    const clef = await api.user({ chatPlatformId: '77010' })
    const { whole } = await smallPackage({ clef: '77010' })
    const cup = await makeTournament(api, organiser)
    const made = await taken(`/tournaments/${cup.guid}`, whole)
    expect(made).toMatchObject({ from: 'package', of: cup.guid, name: 'From a file' })
    const { teams } = (await api.get(`${made.path}/teams`, organiser)).body
    expect(teams.map(({ captain }: { captain: { preferredName: string } }) => captain.preferredName)).toEqual(
      expect.arrayContaining(['Breve', 'Clef']),
    )
    expect(JSON.stringify(teams)).not.toContain(clef.guid)
    const told = await api.sql('select from notifications where user_guid = $1', [clef.guid])
    const waiting = await api.sql(
      `select from users where made_by_tournament_guid = $1 and chat_platform_id ~ '^[0-9]+$'`,
      [made.guid],
    )
    expect([told, waiting]).toEqual([[], []])
    const { tournaments } = (await api.get('/tournaments', organiser)).body
    expect(tournaments.map(({ guid }: { guid: string }) => guid)).not.toContain(made.guid)
  })

  test('that is hostile, cut off or missing changes nothing', async () => {
    const { whole, key } = await smallPackage()
    const cup = await makeTournament(api, organiser)
    const path = `/tournaments/${cup.guid}`
    const forged = async (kind: string, members: object) =>
      signedBy(key, await unpacked(whole, { [kind]: (rows) => rows.map((row) => ({ ...row, ...members })) }))
    const counted = () =>
      api.sql(
        `select (select count(*) from tournaments) as tournaments, (select count(*) from users) as users,
           (select count(*) from teams) as teams, (select coalesce(max(seq), 0) from event_log) as seq`,
      )
    const elsewhere = { captainGuid: organiser.guid }
    const before = await counted()
    const refused: readonly [Uint8Array, Parts, readonly [number, string]][] = [
      [whole.subarray(0, -1), {}, [400, 'package.unreadable']],
      [await forged('teams', elsewhere), {}, [400, 'package.row']],
      [await forged('tournament', { organiserGuid: organiser.guid }), {}, [400, 'package.row']],
      [Buffer.alloc(0), {}, [400, 'request.invalid']],
      [whole, { name: '' }, [400, 'request.invalid']],
      [whole, { name: ' ' }, [400, 'request.invalid']],
      [whole, { noShows: '1' }, [400, 'rehearsal.no_shows_invalid']],
      [whole, { noShows: '[1]' }, [400, 'request.invalid']],
      [whole, { noShows: '[' }, [400, 'request.invalid']],
      [whole, { dryRun: 'true' }, [400, 'request.dry_run_unknown']],
    ]
    for (const [file, parts, expected] of refused) {
      const reply = await send(path, file, parts)
      expect([JSON.stringify(parts), ...outcome(reply)], reply.text).toEqual([JSON.stringify(parts), ...expected])
    }
    expect(outcome(await send(path, whole, {}, stranger))).toEqual([404, 'rehearsal.unknown'])
    expect(await counted()).toEqual(before)
    const made = await taken(path, whole)
    const nested = await send(made.path, whole)
    expect(outcome(nested)).toEqual([409, 'rehearsal.nested'])
    for (const _ of [2, 3]) await taken(path, whole)
    expect(outcome(await send(path, whole))).toEqual([409, 'rehearsal.too_many'])
  })
})
