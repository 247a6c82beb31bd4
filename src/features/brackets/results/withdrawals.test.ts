import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addBracket,
  type BracketBody,
  type BracketOptions,
  eventsSince,
  lastEvent,
  lineOf,
  type MadeBracket,
  makeBracket,
  substanceOf,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import { makeTeam, roleHolder } from '../../../../test/make.ts'
import { allTold, messagesOf } from '../../../../test/notifications.ts'

/** Withdrawals are previewed, taken back, and restored by an undo. (D60, D85) */

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

const walkover = { reason: 'Ill', policy: 'walkover' }
const teamPath = (made: MadeBracket, seed: number) => `${made.path}/teams/team-${seed}`
const leave = (made: MadeBracket, seed: number, body: object = walkover, as: Caller = made.organiser, query = '') =>
  api.post(`${teamPath(made, seed)}/withdraw${query}`, as, body)
const preview = (made: MadeBracket, seed: number) =>
  api.call('DELETE', `${teamPath(made, seed)}/withdrawal?dryRun=true`, { as: made.organiser })
const back = (made: MadeBracket, seed: number, body?: object, as: Caller = made.organiser, service = api) =>
  service.call('DELETE', `${teamPath(made, seed)}/withdrawal`, { as, ...(body && { body }) })
const undo = (made: MadeBracket, { correctionGuid }: BracketBody, as: Caller = made.organiser) =>
  api.post(`${made.path}/corrections/${correctionGuid}/undo`, as)

/** Takes a withdrawal back and checks that it changes exactly what its preview says. */
async function takeBack(made: MadeBracket, seed: number): Promise<BracketBody> {
  const seen = await preview(made, seed)
  expect(outcome(seen)).toEqual([200, null])
  const done = await back(made, seed, { reason: 'They are well.', revisions: seen.body.revisions })
  expect(outcome(done)).toEqual([200, null])
  const { dryRun, correctionGuid, revisions, revision: _, ...rest } = done.body
  expect([dryRun, typeof correctionGuid]).toEqual([false, 'string'])
  expect(Object.keys(revisions)).toEqual(Object.keys(seen.body.revisions))
  expect(rest).toEqual({ team: seen.body.team, affected: seen.body.affected })
  return done.body
}

const changesOf = ({ affected }: BracketBody) =>
  affected.map(({ number, change }: BracketBody) => [number, change] as const)

/** Everything that the API returns of the tournament's teams and brackets, without revisions and times of changes. */
async function everything(made: MadeBracket): Promise<unknown> {
  const read = async (path: string) => (await api.get(`${made.path}${path}`, made.organiser)).body
  const { teams } = await read('/teams?limit=100')
  const { matches } = await read('/matches?limit=100')
  return {
    bracket: substanceOf(await made.read()),
    teams: teams.map(({ updatedAt: _, ...team }: BracketBody) => team),
    matches: matches.map(({ revision: _, updatedAt: __, ...match }: BracketBody) => match),
    counts: (await read('')).counts,
    standings: await read(`/brackets/${made.bracket.guid}/standings`),
    outlook: (await read(`/brackets/${made.bracket.guid}/outlook`)) ?? null,
    corrections: (await read('/corrections')).corrections.filter(({ match }: BracketBody) => match !== null),
  }
}

const tree = (teams: number, more: Partial<BracketOptions> = {}) =>
  makeBracket(api, { teams, format: 'single_elimination', ...more })

describe('a preview of a withdrawal', () => {
  test('tells what would happen, to the captain as well, and withdraws nobody', async () => {
    const made = await tree(4)
    await made.win(1, 'team-1')
    const [before, seq] = [await everything(made), await lastEvent(api)]
    for (const [query, more] of [
      ['?dryRun=true', {}],
      ['', { dryRun: true }],
    ] as const) {
      const reply = await leave(made, 2, { ...walkover, ...more }, made.captains[1], query)
      expect(outcome(reply)).toEqual([200, null])
      expect(reply.body).toMatchObject({
        dryRun: true,
        correctionGuid: null,
        revision: (await made.read()).revision,
        revisions: { [made.bracket.guid]: (await made.read()).revision },
        team: { before: { status: 'registered', seed: 2 }, after: { status: 'unregistered', seed: null } },
        affected: [
          {
            bracketGuid: made.bracket.guid,
            number: 2,
            change: 'walkover',
            before: { status: 'ready', outcome: null },
            after: { status: 'completed', outcome: 'walkover' },
          },
        ],
      })
    }
    expect([await everything(made), await eventsSince(api, made.cup, seq)]).toEqual([before, []])
    expect(outcome(await leave(made, 2, { ...walkover, revision: 1 }))).toEqual([409, 'correction.stale'])
    const { revision } = await made.read()
    expect(
      (await leave(made, 2, { ...walkover, revisions: { [made.bracket.guid.toUpperCase()]: revision } })).status,
    ).toBe(200)
  })

  test('tells which results would be void, and is refused where the withdrawal would be', async () => {
    const made = await makeBracket(api, { teams: 3, format: 'round_robin' })
    const played = made.bracket.matches.find((match: BracketBody) => lineOf(match).includes('team-1'))
    await made.win(played.number, 'team-1')
    const reply = await leave(made, 1, { reason: 'Ill', policy: 'void' }, made.organiser, '?dryRun=true')
    expect(changesOf(reply.body)).toContainEqual([played.number, 'result_voided'])
    await addBracket(api, made, { division: 'main', format: 'single_elimination' })
    const refused = await leave(made, 1, { reason: 'Ill', policy: 'void' }, made.organiser, '?dryRun=true')
    expect(outcome(refused)).toEqual([400, 'withdrawal.void_not_possible'])
    expect((await leave(made, 1)).status).toBe(200)
    expect(outcome(await leave(made, 1, walkover, made.organiser, '?dryRun=true'))).toEqual([409, 'team.withdrawn'])
  })
})

describe('who may take a withdrawal back', () => {
  test('the organiser’s side alone, once, with what they have seen', async () => {
    const made = await tree(4)
    expect(outcome(await back(made, 1))).toEqual([409, 'team.not_withdrawn'])
    expect(outcome(await preview(made, 1))).toEqual([409, 'team.not_withdrawn'])
    await leave(made, 1)
    for (const caller of [made.captains[0] as Caller, await roleHolder(api, made.cup, 'role:referee')]) {
      expect(outcome(await back(made, 1, {}, caller))).toEqual([403, 'role.missing'])
    }
    const { revisions, revision } = (await preview(made, 1)).body
    const stale = [
      undefined,
      {},
      { revisions: {} },
      { revision: revision + 1 },
      { revisions: { [made.bracket.guid]: revision - 1 } },
      { revisions: { ...revisions, [made.cup.guid]: 1 } },
    ]
    for (const body of stale) expect(outcome(await back(made, 1, body))).toEqual([409, 'correction.stale'])
    await made.win(2, 'team-2')
    expect(outcome(await back(made, 1, { revisions }))).toEqual([409, 'correction.stale'])
    const admin = await roleHolder(api, made.cup, 'role:admin')
    expect(outcome(await back(made, 1, { revision: (await made.read()).revision }, admin))).toEqual([200, null])
    expect(outcome(await back(made, 1, { revisions }))).toEqual([409, 'team.not_withdrawn'])
  })

  test('of several brackets each is named', async () => {
    const made = await tree(4)
    const second = await addBracket(api, made, { division: 'main', format: 'round_robin' })
    await leave(made, 1)
    const { revisions, revision } = (await preview(made, 1)).body
    expect([Object.keys(revisions).sort(), revision]).toEqual([[made.bracket.guid, second.guid].sort(), null])
    const { [second.guid]: _, ...one } = revisions
    for (const body of [{ revisions: one }, { revision: 2 }]) {
      expect(outcome(await back(made, 1, body))).toEqual([409, 'correction.stale'])
    }
    expect(outcome(await back(made, 1, { revisions }))).toEqual([200, null])
  })
})

describe.each([
  ['single_elimination', 'walkover'],
  ['double_elimination', 'walkover'],
  ['round_robin', 'walkover'],
  ['round_robin', 'void'],
  ['swiss', 'walkover'],
  ['swiss', 'void'],
] as const)('in %s, a withdrawal as %s', (format, policy) => {
  test('that is taken back at once leaves everything as it was, and so does an undo of that', async () => {
    const made = await makeBracket(api, { teams: 6, format })
    const [first] = made.bracket.matches.filter(({ status }: BracketBody) => status === 'ready')
    await made.win(first.number, first.sides[0].team.id)
    const leaver = first.sides[0].team.id.slice(5)
    // Starts the team's next match and plays a map of it.
    const next = (await made.read()).matches.find(
      (match: BracketBody) => match.status === 'ready' && lineOf(match).includes(`team-${leaver} `),
    )
    if (next !== undefined) {
      await api.put(`${made.match(next.number)}/games/1`, made.organiser, { sides: [{ score: 2 }, { score: 1 }] })
    }
    const before = await everything(made)
    await leave(made, leaver, { reason: 'Ill', policy })
    const out = await everything(made)
    expect(out).not.toEqual(before)
    const done = await takeBack(made, leaver)
    expect(await everything(made)).toEqual(before)
    const asked = await api.post(`${made.path}/corrections/${done.correctionGuid}/undo?dryRun=true`, made.organiser)
    expect(await everything(made)).toEqual(before)
    const undone = await undo(made, done)
    expect([undone.status, asked.body.dryRun, asked.body.team, asked.body.affected]).toEqual([
      200,
      true,
      undone.body.team,
      undone.body.affected,
    ])
    expect(await everything(made)).toEqual(out)
    expect(outcome(await undo(made, done))).toEqual([409, 'correction.undone'])
    await takeBack(made, leaver)
    expect(await everything(made)).toEqual(before)
  })
})

describe('what was played meanwhile', () => {
  test('keeps its result with the walkover before it, and the team is back everywhere else', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
    await leave(made, 1)
    const [opponent] = (await made.readMatch(1)).sides.filter(({ result }: BracketBody) => result === 'win')
    await made.win(2, 'team-2')
    await made.win(3, 'team-2')
    const before = await made.read()
    const seen = (await preview(made, 1)).body
    expect(changesOf(seen)).toContainEqual([1, 'stays'])
    expect(changesOf(seen)).toContainEqual([3, 'stays'])
    const lower = before.matches.find(({ section, round }: BracketBody) => section === 'lower' && round === 1)
    expect(changesOf(seen)).toContainEqual([lower.number, 'reopened'])
    const done = await takeBack(made, 1)
    const after = await made.read()
    expect(after.matches[0]).toMatchObject({ status: 'completed', outcome: 'walkover', startedAt: null })
    expect(after.matches[2]).toMatchObject({ status: 'completed', outcome: 'score' })
    expect(after.matches[2].sides.map(({ team }: BracketBody) => team.id)).toContain(opponent.team.id)
    expect(after.matches[lower.number - 1]).toMatchObject({ status: 'ready', outcome: null })
    expect(after.entrants[0]).toMatchObject({ team: { id: 'team-1' }, withdrawal: null })
    // The team plays on, so the return can no longer be undone.
    await made.win(lower.number, 'team-1')
    expect(outcome(await undo(made, done))).toEqual([409, 'correction.overtaken'])
  })

  test('opens a match again whose winner has begun nothing yet', async () => {
    const made = await tree(4)
    await leave(made, 1)
    await made.win(2, 'team-2')
    expect(lineOf(await made.readMatch(3))).toBe('team-4 - : team-2 -')
    expect(changesOf(await takeBack(made, 1))).toEqual([
      [1, 'reopened'],
      [3, 'team_replaced'],
    ])
    expect(await made.readMatch(1)).toMatchObject({ status: 'ready', completedAt: null })
    expect(lineOf(await made.readMatch(3))).toBe('- - : team-2 -')
  })

  test('of Swiss rounds: later ones stand on the walkover, and the next one pairs the team again', async () => {
    const made = await makeBracket(api, { teams: 6, format: 'swiss', settings: { rounds: 3 } })
    const rounds = `${made.path}/brackets/${made.bracket.guid}/rounds`
    const playRound = async () => {
      for (const match of (await made.read()).matches) {
        if (match.status === 'ready') await made.win(match.number, match.sides[0].team.id)
      }
    }
    await leave(made, 1, { reason: 'Ill', policy: 'void' })
    const first = (await made.read()).matches.find((match: BracketBody) => lineOf(match).includes('team-1 '))
    await playRound()
    expect((await api.post(rounds, made.organiser)).status).toBe(201)
    await playRound()
    const done = await takeBack(made, 1)
    expect(changesOf(done)[0]).toEqual([first.number, 'stays'])
    expect(await made.readMatch(first.number)).toMatchObject({ status: 'completed', outcome: 'walkover' })
    const paired = await api.post(rounds, made.organiser)
    expect(paired.status).toBe(201)
    const third = paired.body.matches.filter(({ round }: BracketBody) => round === 3)
    expect(third.map(lineOf).join()).toContain('team-1 ')
    // The next round pairs the team again. An undo makes that match a walkover as well, unless it was played.
    expect(outcome(await undo(made, done))).toEqual([200, null])
    const given = (await made.read()).matches.find(
      (match: BracketBody) => match.round === 3 && lineOf(match).includes('team-1 '),
    )
    expect(['walkover', 'bye']).toContain(given.outcome)
  })
})

describe('what the team gets back', () => {
  test('is its status, seed, lock and active members, and its members are told', async () => {
    const made = await tree(4, { tournament: { teamSize: { min: 1, max: 4, active: 2 } } } as Partial<BracketOptions>)
    const [team] = made.teams
    await api.post(`${made.path}/qualify/${team?.guid}`, made.organiser, { seed: 9 })
    const before = (await api.get(teamPath(made, 1))).body
    expect(before).toMatchObject({ status: 'qualified', seed: 9, rosterLocked: true, members: [{ isActive: true }] })
    await leave(made, 1)
    const seq = await lastEvent(api)
    const done = await takeBack(made, 1)
    const { updatedAt: _, ...is } = (await api.get(teamPath(made, 1))).body
    const { updatedAt: __, ...was } = before
    expect(is).toEqual(was)
    expect((await api.get(made.path)).body.counts).toMatchObject({ registered: 3 + 1, qualified: 1 })
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      { type: 'team.returned', subject: team?.guid, after: { status: 'qualified', seed: 9, reason: 'They are well.' } },
      { type: 'bracket.team_returned', subject: made.bracket.guid, after: { teamGuid: team?.guid, matches: [1, 3] } },
    ])
    await allTold(api)
    const titles = (await messagesOf(api, made.captains[0] as Caller)).map(({ title }) => title)
    expect(titles.some((title) => / is back in /.test(title))).toBe(true)

    const listed = (await api.get(`${made.path}/corrections`, made.organiser)).body.corrections
    expect(listed).toMatchObject([
      {
        guid: done.correctionGuid,
        team: team?.guid,
        bracket: null,
        match: null,
        revision: null,
        reason: 'They are well.',
        matches: [1, 3],
        undoneAt: null,
      },
    ])
    const referee = await roleHolder(api, made.cup, 'role:referee')
    expect(outcome(await undo(made, done, referee))).toEqual([403, 'role.missing'])
    // Another seed or another bracket depends on the return.
    await api.post(`${made.path}/qualify/${team?.guid}`, made.organiser, { seed: 8 })
    expect(outcome(await undo(made, done))).toEqual([409, 'correction.overtaken'])
    await api.post(`${made.path}/qualify/${team?.guid}`, made.organiser, { seed: 9 })
    const further = await addBracket(api, made, { division: 'main', format: 'round_robin' })
    expect(outcome(await undo(made, done))).toEqual([409, 'correction.overtaken'])
    await api.call('DELETE', `${made.path}/brackets/${further.guid}`, { as: made.organiser })
    expect(outcome(await undo(made, done))).toEqual([200, null])
    expect((await api.get(teamPath(made, 1))).body).toMatchObject({ status: 'unregistered', seed: null })
    const refound = (await api.get(`${made.path}/corrections`, made.organiser)).body.corrections
    expect(refound[0].undoneAt).not.toBeNull()
  })

  test('needs a place and its seed, which may be others’ by now', async () => {
    const made = await tree(4, { tournament: { capacity: 4 } } as Partial<BracketOptions>)
    await leave(made, 1)
    const newcomer = await makeTeam(api, made.cup, await api.user(), { id: 'late', name: 'Late', status: 'registered' })
    await api.sql('update teams set seed = 1 where guid = $1', [newcomer.guid])
    await api.sql('update tournaments set capacity = 4 where guid = $1', [made.cup.guid])
    expect(outcome(await preview(made, 1))).toEqual([409, 'registration.full'])
    await api.sql('update tournaments set capacity = 5 where guid = $1', [made.cup.guid])
    expect(outcome(await preview(made, 1))).toEqual([409, 'seed.taken'])
    await api.sql('update teams set seed = null where guid = $1', [newcomer.guid])
    await takeBack(made, 1)
  })

  test('is what it had in each bracket: one that it had left before stays left', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'round_robin' })
    const guid = made.teams[0]?.guid
    await api.post(`${made.path}/unregister/${guid}`, made.organiser)
    expect((await api.post(`${made.path}/register/${guid}`, made.organiser, {})).status).toBe(200)
    const before = await everything(made)
    await leave(made, 1, { reason: 'Ill', policy: 'void' })
    expect((await made.read()).entrants[0].withdrawal).toBe('void')
    await takeBack(made, 1)
    expect(await everything(made)).toEqual(before)
  })
})

test('a withdrawal from before it could be taken back gives what the log has of it', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'round_robin' })
  const before = await everything(made)
  await leave(made, 1, { reason: 'Ill', policy: 'void' })
  const kept = () => api.sql('select * from team_withdrawals where team_guid = $1', [made.teams[0]?.guid])
  const [known] = await kept()
  await api.sql('delete from team_withdrawals')
  await api.sql('update teams set registered_at = null where withdrawn_at is not null')
  const migrations = path.join(import.meta.dirname, '../../../../migrations')
  const file = readdirSync(migrations).find((name) => name.endsWith('_withdrawals_taken_back.sql')) ?? ''
  const statements = readFileSync(path.join(migrations, file), 'utf8').split('--> statement-breakpoint')
  await api.sql(statements.at(-1) ?? '')
  const [found] = await kept()
  const { registeredAt: _, ...state } = (known?.state ?? {}) as BracketBody
  expect(found).toMatchObject({ policy: 'void', brackets: known?.brackets, state })
  await takeBack(made, 1)
  const withoutTimes = (all: unknown) => JSON.stringify(all).replaceAll(/"registeredAt":"[^"]*"/g, '')
  expect(withoutTimes(await everything(made))).toBe(withoutTimes(before))
})

test('no other door lets a team in that has withdrawn, whoever asks', async () => {
  const made = await tree(4)
  const [team] = made.teams
  await leave(made, 1)
  const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  const named = {
    name: 'B',
    format: 'round_robin',
    entrants: { source: 'manual', teamGuids: made.teams.map(({ guid }) => guid) },
  }
  const bracket = `${made.path}/brackets/${made.bracket.guid}`
  const doors: readonly ((as: Caller) => Promise<Reply>)[] = [
    (as) => api.post(`${made.path}/register/${team?.guid}`, as, {}),
    (as) => api.post(`${made.path}/qualify/${team?.guid}`, as, { seed: 1 }),
    (as) => api.post(`${made.path}/divisions/main/brackets`, as, named),
    (as) => api.post(`${made.path}/divisions/main/brackets?dryRun=true`, as, named),
    (as) => api.post(`${bracket}/generate`, as, { ...named, force: true }),
    (as) => api.put(`${bracket}/entrants`, as, { entrants: [{ slot: 1, teamGuid: team?.guid }] }),
  ]
  for (const as of [made.organiser, manager]) {
    for (const door of doors) {
      const reply = await door(as)
      expect(outcome(reply)).toEqual([409, 'team.withdrawn'])
      expect(reply.text).toContain(`DELETE /tournaments/${made.cup.guid}/teams/${team?.guid}/withdrawal`)
    }
  }
  const refused = await doors[0]?.(made.captains[0] as Caller)
  expect(refused?.body.eligibility.team.failures.map(({ code }: BracketBody) => code)).toContain('team.withdrawn')
  const whole = { ...named, entrants: { source: 'registered' } }
  const others = await api.post(`${made.path}/divisions/main/brackets?dryRun=true`, manager, whole)
  expect(others.body.entrants.map(({ team: { id } }: BracketBody) => id)).toEqual(['team-2', 'team-3', 'team-4'])
})

describe('at once', () => {
  const tally = (replies: readonly Reply[]) => replies.map((reply) => outcome(reply).join(' ')).sort()

  test('with itself, with a withdrawal, and with results: each is done whole, or not at all', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await tree(4)
      await leave(made, 1)
      const { revisions } = (await preview(made, 1)).body
      const held = await hold(api, ['select from tournaments where guid = $1 for update', made.cup.guid])
      const all = Promise.all([
        back(made, 1, { revisions }),
        back(made, 1, { revisions }, made.organiser, sibling),
        leave(made, 1),
      ])
      await held.waiting(3)
      await held.release()
      const replies = await all
      const left = (await api.get(teamPath(made, 1))).body.withdrawnAt !== null
      const again = replies[2]?.status === 200
      // One of two concurrent returns succeeds; a withdrawal between preview and return makes the seen revisions stale.
      expect(left).toBe(again)
      expect(tally(replies.slice(0, 2) as Reply[]).filter((each) => each.startsWith('200'))).toHaveLength(1)
      const { status, entrants } = await made.read()
      expect([status, entrants[0].withdrawal]).toEqual(['ready', left ? 'walkover' : null])
    }
  })

  test('with a result of what stands on the walkover: whoever is second has seen too little', async () => {
    for (const first of ['result', 'return']) {
      const made = await tree(4)
      await leave(made, 1)
      await made.win(2, 'team-2')
      const { revisions } = (await preview(made, 1)).body
      const held = await hold(api, ['select from brackets where guid = $1 for update', made.bracket.guid])
      const acts = {
        result: () => made.tell(3, { outcome: 'score', scores: [2, 0] }),
        return: () => back(made, 1, { revisions }, made.organiser, sibling),
      }
      const order = first === 'result' ? (['result', 'return'] as const) : (['return', 'result'] as const)
      const one = acts[order[0]]()
      await held.waiting(1)
      const other = acts[order[1]]()
      await held.waiting(2)
      await held.release()
      const replies = { [order[0]]: await one, [order[1]]: await other } as Record<'result' | 'return', Reply>
      const final = await made.readMatch(3)
      if (replies.return.status === 200) {
        expect(outcome(replies.result)).toEqual([409, 'match.not_ready'])
        expect([final.status, lineOf(final)]).toEqual(['waiting', '- - : team-2 -'])
      } else {
        expect([outcome(replies.return), replies.result.status]).toEqual([[409, 'correction.stale'], 200])
        expect([final.status, lineOf(final)]).toEqual(['completed', 'team-4 2 : team-2 0'])
      }
    }
  })

  test('with the pairing of a Swiss round: the team is in it, or was seen too early', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'swiss', settings: { rounds: 2 } })
    for (const match of made.bracket.matches) await made.win(match.number, match.sides[0].team.id)
    await leave(made, 1)
    const { revisions } = (await preview(made, 1)).body
    const [paired, returned] = await Promise.all([
      sibling.post(`${made.path}/brackets/${made.bracket.guid}/rounds`, made.organiser),
      back(made, 1, { revisions }),
    ])
    expect(paired.status).toBe(201)
    const second = (await made.read()).matches.filter(({ round }: BracketBody) => round === 2)
    const isPaired = second.some((match: BracketBody) => lineOf(match).includes('team-1 '))
    expect([outcome(returned), isPaired]).toEqual(
      returned.status === 200 ? [[200, null], true] : [[409, 'correction.stale'], false],
    )
  })
})
