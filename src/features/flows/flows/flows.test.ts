import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { presets } from '../../../engine/flows/presets.ts'
import { Threads } from '../../../infra/threads/threads.ts'
import { knownProblems } from './prepare.ts'

/**
 * Flows of a tournament, presets, and the problems of a flow that is not played yet. (match-flows: Flow; match-flows:
 * Presets; match-flows: Validation)
 */

let api: Harness
let organiser: Caller
let cup: MadeTournament
let path: string
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
  path = `/tournaments/${cup.id}/flows`
})
afterAll(() => api?.[Symbol.asyncDispose]())

const nobody = '00000000-0000-4000-8000-000000000000'
const loop = (...steps: object[]) => ({ repeat: 'until_decided', steps })
const plain = [loop({ action: 'pick', actor: 'referee' }, { action: 'play' })]
const make = async (body: object = {}) => {
  const reply = await api.post(path, organiser, { name: 'Plain', steps: plain, ...body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

describe('presets', () => {
  test('are for everybody, each by its name, and may be kept for an hour', async () => {
    const all = await api.get('/flow-presets')
    expect(all.status).toBe(200)
    expect(all.headers.get('cache-control')).toContain('max-age=3600')
    expect(all.body.map(({ name }: { name: string }) => name)).toEqual([
      ...['accsaber-bo3', 'accsaber-bo5', 'accsaber-bo7', 'cvre-bo5', 'cvre-sum3', 'bseuc-3v3'],
      ...['osu-bo9', 'osu-bo11', 'osu-bo13', 'corsace-bo9', 'counterpick-bo5', 'paidia-bo3'],
      ...['rhythmlan-ffa4', 'referee-picks'],
    ])
    for (const preset of all.body) expect((await api.get(`/flow-presets/${preset.name}`)).body).toEqual(preset)
    expect(outcome(await api.get('/flow-presets/accsaber'))).toEqual([404, 'flow.preset_unknown'])
    expect(all.body[0]).toMatchObject({ maps: 7, mapsBeyondBestOf: null, bestOf: 3, pairs: ['order'], seats: 2 })
    expect(all.body[5]).toMatchObject({ maps: null, mapsBeyondBestOf: 2, bestOf: null })
  })

  test('show all members, those that were left out too', async () => {
    const { body } = await api.get('/flow-presets/accsaber-bo3')
    expect(body.steps[2]).toEqual({
      action: 'ban',
      actor: ['order:2'],
      seconds: null,
      onTimeout: ['skip'],
      limits: [],
      when: 'always',
      times: 1,
      from: { flairs: null, exceptFlairs: [], tiebreakers: false },
      secret: false,
      label: null,
      pair: null,
      source: null,
    })
    expect(body.rules.replays).toEqual({
      rule: 'better_of_each',
      perMatch: 1,
      perMap: 1,
      by: 'player',
      windowSeconds: 60,
    })
    expect(body.rules).toMatchObject({
      modifiers: 'any',
      tie: ['replay'],
      tieReplays: 2,
      graceSeconds: 1,
      speakers: 'captain',
    })
  })
})

describe('a flow', () => {
  test('is made from any preset, and reads the same', async () => {
    for (const { name } of presets) {
      const made = await make({ name: `From ${name}`, basedOn: name, steps: undefined })
      const { seats, bestOf, pairs, steps, rules } = (await api.get(`/flow-presets/${name}`)).body
      expect(made).toMatchObject({ basedOn: name, tournament: cup.guid, seats, bestOf, pairs, steps, rules })
      expect(made.problems).toEqual([])
      expect((await api.get(`${path}/${made.guid}`)).body).toEqual(made)
      // An answer is accepted as a body.
      const again = await api.put(`${path}/${made.guid}`, organiser, made)
      expect(again.status, again.text).toBe(200)
      expect(again.body).toEqual(made)
    }
  })

  test('is written whole, its limits in the form in which they are shown', async () => {
    const limits = [{ other_flair_than: 'own_last', except: ['tech'] }]
    const from = { flairs: ['tech', 'speed'], tiebreakers: true }
    const pick = { action: 'pick', actor: 'side1', limits, from, label: 'First pick', seconds: 90 }
    const made = await make({
      basedOn: 'referee-picks',
      steps: [loop(pick, { action: 'play', more: 1 })],
      more: 1,
      rules: {
        modifiers: 'none',
        timeouts: { count: 2, more: 1 },
        more: 1,
        late: [{ afterMinutes: 5, type: 'warning' }],
      },
    })
    const [first, second] = made.steps[0].steps
    expect(first).toMatchObject({ limits, actor: ['side1'], onTimeout: ['opponent'], label: 'First pick', seconds: 90 })
    expect(first.from).toEqual({ flairs: ['tech', 'speed'], exceptFlairs: [], tiebreakers: true })
    expect(second).toMatchObject({ action: 'play', actor: ['system'], onTimeout: [] })
    expect(made.rules).toMatchObject({ modifiers: 'none', timeouts: { count: 2, seconds: 120 } })
    expect(JSON.stringify(made)).not.toContain('more')
    const [stored] = await api.sql<{ text: string }>('select definition::text as text from flows where guid = $1', [
      made.guid,
    ])
    expect(stored?.text).not.toContain('more')
  })

  test('is listed for everybody, replaced and deleted', async () => {
    const other = await makeTournament(api, organiser)
    const flows = `/tournaments/${other.guid}/flows`
    expect((await api.get(flows)).body).toEqual([])
    const first = (await api.post(flows, organiser, { name: ' One  flow ', steps: plain })).body
    expect(first.name).toBe('One flow')
    const second = (await api.post(flows, organiser, { name: 'Two', basedOn: 'paidia-bo3' })).body
    expect((await api.get(flows)).body).toEqual([first, second])
    const replaced = await api.put(`${flows}/${first.guid}`, organiser, { name: 'Three', steps: plain, bestOf: 5 })
    expect(replaced.body).toMatchObject({ guid: first.guid, name: 'Three', bestOf: 5, basedOn: null })
    expect((await api.get(flows)).body).toEqual([replaced.body, second])
    expect((await api.delete(`${flows}/${second.guid}`, organiser)).status).toBe(204)
    expect((await api.get(flows)).body).toEqual([replaced.body])
    for (const address of [`${flows}/${second.guid}`, `${path}/${first.guid}`, `${flows}/${nobody}`, `${flows}/flow`]) {
      expect(outcome(await api.get(address))).toEqual([404, 'flow.unknown'])
    }
    const types = await api.sql<{ type: string }>(
      `select type from event_log where tournament = $1 and type like 'flow.%' order by seq`,
      [other.guid],
    )
    expect(types.map(({ type }) => type)).toEqual(['flow.created', 'flow.created', 'flow.updated', 'flow.deleted'])
  })

  test('is written by the organiser, admins and head coordinators', async () => {
    const { guid } = await make()
    const body = { name: 'Plain', steps: plain }
    for (const role of ['role:coordinator', 'role:referee', 'role:staff', 'role:hpooler']) {
      const caller = await roleHolder(api, cup, role)
      expect(outcome(await api.post(path, caller, body))).toEqual([403, 'role.missing'])
      expect(outcome(await api.put(`${path}/${guid}`, caller, body))).toEqual([403, 'role.missing'])
      expect(outcome(await api.delete(`${path}/${guid}`, caller))).toEqual([403, 'role.missing'])
    }
    for (const role of ['role:hcoordinator', 'role:admin']) {
      const caller = await roleHolder(api, cup, role)
      const made = await api.post(path, caller, body)
      expect(made.status).toBe(201)
      expect((await api.delete(`${path}/${made.body.guid}`, caller)).status).toBe(204)
    }
  })

  test('of a draft is for its staff', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const flows = `/tournaments/${draft.guid}/flows`
    expect((await api.post(flows, organiser, { name: 'Plain', steps: plain })).status).toBe(201)
    expect(outcome(await api.get(flows))).toEqual([404, 'tournament.unknown'])
    expect((await api.get(flows, organiser)).body).toHaveLength(1)
  })

  test('stays as it is in a tournament that was cancelled', async () => {
    const off = await makeTournament(api, organiser)
    const flows = `/tournaments/${off.guid}/flows`
    const { guid } = (await api.post(flows, organiser, { name: 'Plain', steps: plain })).body
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [off.guid])
    const body = { name: 'Plain', steps: plain }
    for (const reply of [
      await api.post(flows, organiser, body),
      await api.put(`${flows}/${guid}`, organiser, body),
      await api.delete(`${flows}/${guid}`, organiser),
      await api.put(`/tournaments/${off.guid}/flow-plan`, organiser, { revision: 0 }),
    ]) {
      expect(outcome(reply)).toEqual([409, 'tournament.cancelled'])
    }
  })

  const step = { action: 'pick', actor: 'referee' }
  const inner = (part: object, depth: number): object =>
    depth === 0 ? part : { repeat: 2, steps: [inner(part, depth - 1)] }
  test.each<[string, object, [number, string]]>([
    ['no name', { name: '' }, [400, 'request.invalid']],
    ['a name of blanks', { name: '\u2800' }, [400, 'flow.name_invalid']],
    ['a long name', { name: 'x'.repeat(81) }, [400, 'request.invalid']],
    ['neither steps nor a preset', { steps: undefined }, [400, 'flow.steps_missing']],
    ['an unknown preset', { basedOn: 'nothing' }, [400, 'flow.preset_unknown']],
    ['no steps', { steps: [] }, [400, 'request.invalid']],
    ['one seat', { seats: 1 }, [400, 'request.invalid']],
    ['seventeen seats', { seats: 17 }, [400, 'request.invalid']],
    ['an even best of', { bestOf: 4 }, [400, 'request.invalid']],
    ['a best of 101', { bestOf: 101 }, [400, 'request.invalid']],
    ['five pairs', { pairs: ['a', 'b', 'c', 'd', 'e'] }, [400, 'request.invalid']],
    ['a pair twice', { pairs: ['a', 'a'] }, [400, 'request.invalid']],
    ['a pair with a capital', { pairs: ['Order'] }, [400, 'request.invalid']],
    ['an unknown action', { steps: [{ action: 'dance' }] }, [400, 'request.invalid']],
    ['an unknown actor', { steps: [{ ...step, actor: 'audience' }] }, [400, 'request.invalid']],
    ['no actor', { steps: [{ ...step, actor: [] }] }, [400, 'request.invalid']],
    ['four seconds', { steps: [{ ...step, seconds: 4 }] }, [400, 'request.invalid']],
    ['3,601 seconds', { steps: [{ ...step, seconds: 3_601 }] }, [400, 'request.invalid']],
    ['eleven times', { steps: [{ ...step, times: 11 }] }, [400, 'request.invalid']],
    ['a long label', { steps: [{ ...step, label: 'x'.repeat(61) }] }, [400, 'request.invalid']],
    ['21 rounds', { steps: [{ repeat: 21, steps: [step] }] }, [400, 'request.invalid']],
    ['an empty block', { steps: [{ repeat: 2, steps: [] }] }, [400, 'request.invalid']],
    ['eleven seconds of grace', { rules: { graceSeconds: 11 } }, [400, 'request.invalid']],
    ['a window of four seconds', { rules: { replays: { windowSeconds: 4 } } }, [400, 'request.invalid']],
    ['17 places', { rules: { points: Array(17).fill(1) } }, [400, 'request.invalid']],
    ['modifiers of another kind', { rules: { modifiers: 'some' } }, [400, 'request.invalid']],
    ['an unknown penalty', { rules: { late: [{ afterMinutes: 5, type: 'shame' }] } }, [400, 'request.invalid']],
    ['all of no maps', { rules: { play: { mode: 'play_all' } } }, [400, 'flow.maps_missing']],
    ['blocks four deep', { steps: [inner(step, 4)] }, [400, 'request.invalid']],
    ['blocks three deep', { steps: [inner(step, 3)] }, [400, 'flow.invalid']],
    ['61 steps', { steps: Array(61).fill(step) }, [400, 'flow.invalid']],
    ['steps without a play', { steps: [step] }, [400, 'flow.invalid']],
  ])('may not have %s', async (_what, body, expected) => {
    expect(outcome(await api.post(path, organiser, { name: 'Plain', steps: plain, ...body }))).toEqual(expected)
  })

  test('with errors is refused with all of its problems; with warnings it is kept, and shows them', async () => {
    const bans = { action: 'ban', actor: 'order:1' }
    const refused = await api.post(path, organiser, { name: 'Wrong', steps: [bans, loop(step), ...plain] })
    expect(outcome(refused)).toEqual([400, 'flow.invalid'])
    expect(refused.body.message).toMatch(/^Step 1: .* 1 more\.$/)
    expect(
      refused.body.problems.map(({ code, step, severity }: Record<string, unknown>) => [code, step, severity]),
    ).toEqual([
      ['flow.pair_open', '1', 'error'],
      ['flow.loop_without_play', '2', 'error'],
      ['flow.unreachable', '3', 'warning'],
    ])
    const kept = await make({ steps: [...plain, step] })
    expect(kept.problems).toMatchObject([{ code: 'flow.unreachable', step: '2', severity: 'warning' }])
    expect((await api.get(`${path}/${kept.guid}`)).body.problems).toEqual(kept.problems)
  })

  test('leaves next to nothing in memory when it is refused, however long it is', async () => {
    const exceptFlairs = Array.from({ length: 6 }, (_, n) => 'f'.repeat(96) + n)
    const ban = { action: 'ban', actor: 'lowerSeed', from: { exceptFlairs } }
    const before = knownProblems.bytes
    for (let n = 0; n < 10; n += 1) {
      const steps = Array.from({ length: 380 }, () => ({ ...ban, label: `语${n}` }))
      expect(outcome(await api.post(path, organiser, { name: 'Long', steps }))).toEqual([400, 'flow.invalid'])
    }
    expect(knownProblems.bytes - before).toBeLessThan(10_000)
    expect(knownProblems.bytes).toBeLessThanOrEqual(1024 * 1024)
  })

  test('takes 64 KiB at most, also where it is replaced or judged; longer ones of before stay readable', async () => {
    const except = Array.from({ length: 50 }, (_, n) => 'f'.repeat(76) + String(n).padStart(2, '0'))
    const ban = { action: 'ban', actor: 'side1', limits: [{ other_flair_than: 'own_all', except }] }
    const kept = await make({ steps: [...Array(14).fill(ban), ...plain] })
    const steps = [...Array(15).fill(ban), ...plain]
    const message = expect.stringMatching(/^The flow takes 6\d{4} bytes .* at most 65536\.$/)
    const problems = [{ code: 'flow.too_long', step: null, severity: 'error', message }]
    for (const reply of [
      await api.post(path, organiser, { name: 'Long', steps }),
      await api.put(`${path}/${kept.guid}`, organiser, { name: 'Long', steps }),
    ]) {
      expect(outcome(reply)).toEqual([400, 'flow.invalid'])
      expect(reply.body).toMatchObject({ message, problems })
    }
    const judged = await api.post('/flows/validate', organiser, { flow: { steps } })
    expect([judged.status, judged.body.valid, judged.body.problems]).toEqual([200, false, problems])

    const others = await makeTournament(api, organiser)
    await api.sql(
      `insert into flows (tournament_guid, name, seats, definition)
       select $1, 'Long', 2, jsonb_set(definition, '{steps}', (definition->'steps') || (definition->'steps'))
       from flows where guid = $2`,
      [others.guid, kept.guid],
    )
    const [long] = (await api.get(`/tournaments/${others.guid}/flows`)).body
    expect(long.steps).toEqual([...kept.steps, ...kept.steps])
    expect(long.problems).toMatchObject([{ code: 'flow.too_long' }])
    expect((await api.get(`/tournaments/${others.guid}/flows/${long.guid}`)).body).toEqual(long)
  })

  test('is one of fifty at most, however many are made at once', async () => {
    const full = await makeTournament(api, organiser)
    const flows = `/tournaments/${full.guid}/flows`
    const body = { name: 'Plain', steps: plain }
    await api.sql(
      `insert into flows (tournament_guid, name, seats, definition)
       select $1, 'Flow ' || n, 2, definition from generate_series(1, 45) n, (select definition from flows limit 1) f`,
      [full.guid],
    )
    const replies = await Promise.all(Array.from({ length: 12 }, () => api.post(flows, organiser, body)))
    expect(replies.map((reply) => outcome(reply).join(' ')).toSorted()).toEqual([
      ...Array(5).fill('201 '),
      ...Array(7).fill('409 flow.too_many'),
    ])
    expect((await api.get(flows)).body).toHaveLength(50)
  })
})

describe('a flow that is judged', () => {
  const judge = async (body: object, caller: Caller = organiser) => api.post('/flows/validate', caller, body)
  const pool = (count: number) => Array.from({ length: count }, () => ({ flair: null, isTiebreaker: false }))

  test('tells what is wrong, where, and how much it takes', async () => {
    const { steps, pairs, rules } = (await api.get('/flow-presets/accsaber-bo3')).body
    const flow = { steps, pairs, rules, bestOf: 3 }
    const good = await judge({ flow, bestOf: 3, pool: pool(7) }, await api.user())
    expect([good.status, good.body]).toEqual([
      200,
      { valid: true, problems: [], worstCase: { maps: 7, steps: 12, seconds: 0 } },
    ])
    const short = (await judge({ flow, pool: pool(6) })).body
    expect([short.valid, short.problems.length]).toEqual([false, 1])
    expect(short.problems[0]).toMatchObject({ code: 'flow.too_few_maps', step: null, severity: 'error' })
    const other = (await judge({ flow, bestOf: 5 })).body
    expect(other.problems.map(({ code }: { code: string }) => code)).toContain('flow.best_of_mismatch')
    expect(outcome(await api.post('/flows/validate', null, { flow }))).toEqual([401, 'token.missing'])
    expect(outcome(await judge({ flow: { steps: [] } }))).toEqual([400, 'request.invalid'])
  })

  test('knows the size of teams where it is told the tournament, if the caller may see it', async () => {
    const three = { steps: plain, rules: { map: { players: 3 } } }
    const codes = async (body: object, caller?: Caller) =>
      (await judge(body, caller)).body.problems.map(({ code }: { code: string }) => code)
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    await api.sql('update tournaments set team_size_active = 2, team_size_max = 4 where guid = $1', [draft.guid])
    expect(await codes({ flow: three })).toEqual([])
    expect(await codes({ flow: three, tournament: draft.guid })).toEqual(['flow.players_mismatch'])
    expect(await codes({ flow: three, tournament: draft.id })).toEqual(['flow.players_mismatch'])
    const stranger = await api.user()
    for (const tournament of [draft.guid, nobody, 'no such thing']) {
      expect(outcome(await judge({ flow: three, tournament }, stranger))).toEqual([404, 'tournament.unknown'])
    }
  })

  test('keeps nobody else waiting, by many turns or by a large pool', async () => {
    const flow = { bestOf: 3, steps: [...Array(50).fill({ action: 'ban', actor: 'seat:1' }), ...plain] }
    const distinct = (count: number) => Array.from({ length: count }, (_, index) => ({ flair: `Flair ${index}` }))
    const inThread = vi.spyOn(Threads.prototype, 'run')
    try {
      for (const [maps, times] of [
        [100, 0],
        [101, 1],
        [1_000, 2],
      ] as const) {
        expect((await judge({ flow, pool: distinct(maps) })).body).toMatchObject({ valid: true, problems: [] })
        expect(inThread, `${maps} maps`).toHaveBeenCalledTimes(times)
      }
    } finally {
      inThread.mockRestore()
    }
  })

  test('is judged at once, however large it is', async () => {
    const bans = Array.from({ length: 28 }, () => ({ action: 'ban', actor: 'seat:1', times: 10 }))
    const flow = {
      seats: 16,
      bestOf: 99,
      steps: [loop(...bans, ...Array(9).fill({ action: 'pick', actor: 'referee' }), { action: 'play' })],
    }
    const started = performance.now()
    const { body } = await judge({ flow, pool: pool(1_000) })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(body.worstCase.steps).toBe(785 * 290)
    expect(body.problems.map(({ code }: { code: string }) => code)).toEqual(['flow.too_few_maps'])
  })
})

describe('a flow that is tried', () => {
  const flow = { seats: 2, bestOf: 3, pairs: ['order'], steps: plain }
  const trial = async (body: object, caller: Caller | null = organiser) => api.post('/flows/simulate', caller, body)
  const pool = Array.from({ length: 7 }, (_, index) => ({ flair: index === 0 ? 'tech' : null }))

  test('is answered with whose turn it is and what happened, for whoever is signed in, and nothing is kept', async () => {
    const preset = (await api.get('/flow-presets/accsaber-bo3')).body
    const known = { seats: 2, bestOf: 3, pairs: preset.pairs, steps: preset.steps, rules: preset.rules }
    const first = (await trial({ flow: known, pool, seed: 'a' }, await api.user())).body
    expect(first).toMatchObject({
      taken: 0,
      refused: null,
      phase: 'choosing',
      turn: { action: 'choose', pairs: ['order'] },
    })
    const roll = first.log[0].rolls
    expect(first.log).toMatchObject([{ kind: 'roll', rolls: [expect.any(Number), expect.any(Number)] }])
    expect(first.turn.seats).toEqual([roll[0] > roll[1] ? 1 : 2])
    const moves = [
      { kind: 'act', place: 1 },
      { kind: 'act', map: 3 },
      { kind: 'act', map: 3 },
    ]
    const then = (await trial({ flow: known, pool, seed: 'a', moves })).body
    expect(then).toMatchObject({ taken: 2, refused: 'This map is banned.', turn: { action: 'ban' } })
    expect(then.turn.maps).toEqual([1, 2, 4, 5, 6, 7])
    expect(then.log.slice(1)).toMatchObject([
      { kind: 'choose', pair: 'order', place: 1 },
      { kind: 'ban', map: 3, seat: first.turn.seats[0] === 1 ? 2 : 1 },
    ])
  })

  test('is refused where it cannot be read', async () => {
    expect(outcome(await trial({ flow, pool }, null))).toEqual([401, 'token.missing'])
    expect(outcome(await trial({ flow }))).toEqual([400, 'request.invalid'])
    const long = { ...flow, steps: Array.from({ length: 60 }, () => ({ action: 'play', times: 10 })) }
    expect(outcome(await trial({ flow: long, pool }))).toEqual([400, 'flow.invalid'])
    const open = { ...flow, rules: { play: { mode: 'play_all' } } }
    expect(outcome(await trial({ flow: open, pool }))).toEqual([400, 'flow.maps_missing'])
  })
})

test('of two who save a flow, the second is refused where they say what they have seen', async () => {
  const cup = await makeTournament(api, organiser)
  const flows = `/tournaments/${cup.guid}/flows`
  const { guid, updatedAt } = (await api.post(flows, organiser, { name: 'One', steps: plain })).body
  const save = (name: string) =>
    api.put(`${flows}/${guid}`, organiser, { name, steps: plain, expectedUpdatedAt: updatedAt })
  const replies = await Promise.all([save('Two'), save('Three')])
  expect(replies.map((reply) => outcome(reply).join(' ')).toSorted()).toEqual(['200 ', '409 flow.stale'])
  expect((await api.put(`${flows}/${guid}`, organiser, { name: 'Four', steps: plain })).status).toBe(200)
})
