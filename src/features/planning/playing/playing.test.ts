import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { qualify } from '../../../../test/qualifiers.ts'
import { makeStage, type Stage } from '../../../../test/stage.ts'

/** Simulated teams play rehearsals by the commands of the ordinary operations. (R4) */

let api: Harness
/** Its calls do one step each. */
let slow: Harness
let organiser: Caller
let stage: Stage
beforeAll(async () => {
  api = await startHarness()
  slow = await api.sibling({ timeouts: { advanceMs: 0 } })
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
afterEach(async () => {
  const { rehearsals } = (await api.get(`${stage.path}/rehearsals`, organiser)).body
  for (const { guid } of rehearsals) await api.delete(`${stage.path}/rehearsals/${guid}`, organiser)
})
afterAll(async () => {
  await slow[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const begin = Date.parse('2099-05-01T18:00:00.000Z')
const at = (minutes: number) => new Date(begin + minutes * 60_000).toISOString()
const rates = { crashRate: 0.1, lateRate: 0.3 }

interface Made {
  readonly guid: string
  readonly own: string
  readonly path: string
}

async function rehearse(body: object = {}): Promise<Made> {
  const wish = { name: 'Dry run', seed: 'evening', startsAt: at(0), ...body }
  const made = await api.post(`${stage.path}/rehearsals`, organiser, wish)
  expect(made.status, made.text).toBe(201)
  const { guid } = made.body
  return { guid, own: `${stage.path}/rehearsals/${guid}`, path: `/tournaments/${guid}` }
}

async function play({ own }: Made, body: object, through: Pick<Harness, 'post'> = api) {
  const reply = await through.post(`${own}/play`, organiser, { ...rates, ...body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Everything that happened in a rehearsal, with GUIDs numbered as they appear. */
async function eveningOf({ path }: Made) {
  const { matches } = (await api.get(`${path}/matches?limit=100`, organiser)).body
  const entries: object[] = []
  for (let before = ''; ; ) {
    const { body } = await api.get(`${path}/audit?limit=100${before}`, organiser)
    entries.push(...body.entries.map(({ seq: _, ...entry }: { seq: number }) => entry))
    if (body.nextCursor === null) break
    before = `&before=${body.nextCursor}`
  }
  const guids = new Map<string, string>()
  const named = (guid: string) => guids.get(guid) ?? (guids.set(guid, `#${guids.size}`).get(guid) as string)
  const text = JSON.stringify({ matches, entries })
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, named)
    .replaceAll(/rehearsal-[\da-f]{20}/g, 'rehearsal')
  return JSON.parse(text)
}

const isOver = ({ status }: { status: string }) => ['completed', 'cancelled'].includes(status)

describe('an evening', () => {
  test('is the same in every copy, whatever parts it is played in, and is marked as simulated', async () => {
    const [one, other, third] = [await rehearse(), await rehearse(), await rehearse()]
    const whole = await play(one, { until: 'end' })
    expect(whole.done).toBe(true)
    const evening = await eveningOf(one)
    expect(evening.matches.filter((match: { status: string }) => !isOver(match))).toEqual([])
    expect(whole.played).toHaveLength(new Set(whole.played.map((each: object) => JSON.stringify(each))).size)
    const completed = whole.played.map(({ completedAt }: { completedAt: string }) => completedAt)
    expect(completed).toEqual(completed.toSorted())
    expect(whole.clock.now).toBe(completed.at(-1))
    expect(whole.played[0]).toMatchObject({ division: 'a', outcome: 'score', scores: expect.arrayContaining([2]) })
    const simulated = evening.entries.filter(({ simulated }: { simulated?: boolean }) => simulated === true)
    const doers = simulated.map(({ actor }: { actor: { username: string } }) => actor.username)
    expect(new Set(doers)).toEqual(new Set(['maestro']))
    const kinds = new Set(simulated.map(({ type }: { type: string }) => type))
    expect(kinds).toEqual(new Set(['match.started', 'match.game_reported', 'match.completed', 'bracket.round_paired']))
    const others = evening.entries.filter(({ simulated }: { simulated?: boolean }) => simulated === undefined)
    expect(others.map(({ type }: { type: string }) => type)).not.toContain('match.completed')

    const parts = []
    for (let part = await play(other, { count: 1 }); part.played.length > 0; part = await play(other, { count: 1 })) {
      expect(part).toMatchObject({ done: true, played: [expect.anything()] })
      parts.push(...part.played)
    }
    expect(parts).toEqual(whole.played)
    expect(await eveningOf(other)).toEqual(evening)

    for (const minutes of [7, 31, 32, 90]) {
      expect((await play(third, { until: at(minutes) })).clock.now).toBe(at(minutes))
    }
    // Two processes at once: the slower one is refused, and goes on from what the other one did.
    const both = await Promise.all([play(third, { until: 'end' }), play(third, { until: 'end' }, slow)])
    expect(both[0].done).toBe(true)
    expect((await eveningOf(third)).matches).toEqual(evening.matches)
  })

  test('goes on in brackets that get their teams from earlier ones, as the qualifier or ranks foretell', async () => {
    const own = await makeStage(api, organiser, { teams: 6, status: 'ongoing' })
    const groups = await own.bracket({ name: 'Groups', format: 'round_robin', settings: { groups: 2 } })
    const finals = await own.bracket({
      ...{ name: 'Finals', format: 'single_elimination' },
      entrants: { source: 'manual', teamGuids: [own.teams[0]?.guid], size: 4 },
    })
    await qualify(api, own.cup, own.teams.toReversed())
    const rehearseAnew = async ({ path }: Stage) => {
      const wish = { name: 'Dry run', seed: 'first', startsAt: at(0), reset: true }
      const made = await api.post(`${path}/rehearsals`, organiser, wish)
      expect(made.status, made.text).toBe(201)
      const { guid } = made.body
      return { guid, own: `${path}/rehearsals/${guid}`, path: `/tournaments/${guid}` }
    }
    const [one, other] = [await rehearseAnew(own), await rehearseAnew(own)]
    const whole = await play(one, { until: 'end' })
    expect(whole.played).toHaveLength(groups.matches.length + finals.matches.length)
    const evening = await eveningOf(one)
    expect(evening.matches.every(isOver)).toBe(true)
    const kinds = evening.entries.map(({ type }: { type: string }) => type)
    expect(kinds.filter((type: string) => type === 'bracket.entrants_placed')).toHaveLength(1)
    for (let part = await play(other, { count: 4 }); part.played.length > 0; part = await play(other, { count: 4 }));
    expect(await eveningOf(other)).toEqual(evening)
    // Attempts are taken back in the rehearsal; the last seed was the best of the qualifier.
    const won = (name: string) =>
      evening.matches.flatMap(({ sides }: { sides: { team: { name: string } | null; result: string }[] }) =>
        sides.filter(({ team, result }) => team?.name === name && result === 'win'),
      ).length
    const [last, first] = [won('Team 6') + won('Team 5'), won('Team 1') + won('Team 2')]
    expect(last).toBeGreaterThan(first)
    for (const made of [one, other]) await api.delete(made.own, organiser)
    // The players of its placeholders have ranks elsewhere.
    const duel = await makeStage(api, organiser, { teams: 2, status: 'ongoing' })
    await duel.bracket()
    await api.sql(
      `with linked as (
         insert into identities (user_guid, platform, external_id, verified_at)
         select captain_guid, 'ranking-a', id || ' ' || guid, now() from teams where tournament_guid = $1
         returning external_id as id)
       insert into ranking_profiles (platform, external_id, rank, fetched_at)
       select 'ranking-a', id, case when id like 't2 %' then 7 else 7000 end, now() from linked`,
      [duel.cup.guid],
    )
    const ranked = await rehearseAnew(duel)
    const { played } = await play(ranked, { until: 'end' })
    expect(played).toMatchObject([{ outcome: 'score', scores: [expect.any(Number), 2] }])
    await api.delete(ranked.own, organiser)
  })

  test('has walkovers for the opponents of teams that do not appear, which are out', async () => {
    const evening = await rehearse({ noShows: [stage.teams[1]?.guid] })
    await play(evening, { until: 'end' })
    const { teams } = (await api.get(`${evening.path}/teams`, organiser)).body
    const { guid } = teams.find(({ id }: { id: string }) => id === 't2')
    const rows = await api.sql<{ outcome: string }>(
      'select outcome from matches where tournament_guid = $1 and $2 in (team1_guid, team2_guid)',
      [evening.guid, guid],
    )
    expect(rows.map(({ outcome }) => outcome)).not.toContain('score')
    expect(rows.map(({ outcome }) => outcome)).toContain('walkover')
    const [team] = await api.sql<{ out: boolean }>(
      'select withdrawn_at is not null as out from teams where guid = $1',
      [guid],
    )
    expect(team?.out).toBe(true)
    expect((await eveningOf(evening)).matches.every(isOver)).toBe(true)
  })

  test('is played by coordinators and organisers, and only as far as it can be', async () => {
    const made = await rehearse()
    const [coordinator, caster, stranger] = [
      await roleHolder(api, stage.cup, 'role:coordinator'),
      await roleHolder(api, stage.cup, 'role:caster'),
      await api.user(),
    ]
    const { matches } = (await api.get(`${made.path}/matches?limit=100`, organiser)).body
    const ready = matches.find(({ status }: { status: string }) => status === 'ready')
    const pending = matches.find((match: { status: string }) => match.status !== 'ready' && !isOver(match))
    const refused = async (body: object, as: Caller = organiser) =>
      outcome(await api.post(`${made.own}/play`, as, body))
    expect([
      await refused({ until: 'end' }, caster),
      await refused({ until: 'end' }, stranger),
      await refused({}),
      await refused({ until: 'end', count: 1 }),
      await refused({ until: 'soon' }),
      await refused({ until: at(-1) }),
      await refused({ until: at(401 * 1_440) }),
      await refused({ matches: [pending.guid] }),
      await refused({ matches: [ready.guid, stage.cup.guid] }),
      await refused({ count: 1, lateRate: 2 }),
      outcome(await api.post(`${made.path}/rehearsals/${made.guid}/play`, organiser, { until: 'end' })),
    ]).toEqual([
      [403, 'role.missing'],
      [404, 'rehearsal.unknown'],
      [400, 'request.invalid'],
      [400, 'request.invalid'],
      [400, 'request.invalid'],
      [409, 'clock.backwards'],
      [400, 'clock.too_far'],
      [409, 'match.not_ready'],
      [404, 'match.unknown'],
      [400, 'request.invalid'],
      [404, 'rehearsal.unknown'],
    ])
    const played = await api.post(`${made.own}/play`, coordinator, { matches: [ready.guid] })
    expect(played.body.played, played.text).toMatchObject([{ number: ready.number }])
    const [{ number, completedAt }] = played.body.played
    const again = await rehearse()
    const matchesThere = (await api.get(`${again.path}/matches?limit=100`, organiser)).body.matches
    const same = matchesThere[matches.indexOf(ready)]
    const calls = []
    for (let done = false; !done; done = calls.at(-1).done) {
      calls.push(await play(again, { matches: [same.guid], crashRate: 0, lateRate: 0 }, slow))
    }
    expect(calls.length).toBeGreaterThan(4)
    expect(calls.flatMap(({ played }) => played)).toMatchObject([{ number, completedAt }])
    // The same call once more finds nothing to do.
    expect(await play(made, { matches: [ready.guid] })).toMatchObject({ played: [], done: true })
    const begun = (await eveningOf(made)).matches.filter(({ startedAt }: { startedAt: string }) => startedAt !== null)
    expect(begun).toHaveLength(1)
  })
})
