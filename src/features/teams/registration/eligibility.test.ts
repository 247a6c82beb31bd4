import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFakeBeatLeader, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, chatIdMadeAt, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

/** The eligibility answer before registration, and requirements that need the ranking platforms. */

let a: Awaited<ReturnType<typeof startFakeScoreSaber>>
let b: Awaited<ReturnType<typeof startFakeBeatLeader>>
let api: Harness
let organiser: Caller
beforeAll(async () => {
  a = await startFakeScoreSaber()
  b = await startFakeBeatLeader()
  api = await startHarness({ rankingAUrl: a.url, rankingBUrl: b.url })
  organiser = await api.user({ name: 'maestro' })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await Promise.all([a.close(), b.close()])
})
beforeEach(() => api.sql('delete from ranking_profiles'))

const ask = (cup: { guid: string }, as: Caller | null) =>
  api.get(`/tournaments/${cup.guid}/registration-eligibility`, as)
const register = (cup: MadeTournament, team: { guid: string }, as: Caller) =>
  api.post(`/tournaments/${cup.guid}/register/${team.guid}`, as)
const dayMs = 86_400_000

async function link(user: Caller, platform: string, externalId: string, isVerified = true): Promise<void> {
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, $4)', [
    user.guid,
    platform,
    externalId,
    isVerified ? new Date() : null,
  ])
}

describe('the eligibility of the caller', () => {
  test('tells everything about their team, captain or member, and where registration stands', async () => {
    const opensAt = new Date(Date.now() - dayMs)
    const closesAt = new Date(Date.now() + dayMs)
    const cup = await makeTournament(api, organiser, {
      capacity: 4,
      registrationOpensAt: opensAt,
      registrationClosesAt: closesAt,
    })
    const [captain, member] = await Promise.all([api.user(), api.user()])
    await makeTeam(api, cup, captain, { members: [member] })
    await makeTeam(api, cup, await api.user(), { status: 'registered' })
    for (const caller of [captain, member]) {
      const reply = await ask(cup, caller)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      expect(reply.body).toEqual({
        eligible: true,
        registration: {
          state: 'open',
          opensAt: opensAt.toISOString(),
          closesAt: closesAt.toISOString(),
          capacity: 4,
          registered: 1,
        },
        team: { failures: [] },
        players: [
          { userGuid: captain.guid, failures: [] },
          { userGuid: member.guid, failures: [] },
        ],
        requiredFields: [],
      })
    }
  })

  test('without a team tells that one is needed, and whether the caller meets the requirements', async () => {
    const cup = await makeTournament(api, organiser, { requirements: { emailVerified: true } })
    const caller = await api.user({ name: 'Solo' })
    expect((await ask(cup, caller)).body).toMatchObject({
      eligible: false,
      team: { failures: [{ code: 'team.none' }] },
      players: [{ userGuid: caller.guid, failures: [{ code: 'email.not_verified' }] }],
    })
  })

  test('is the same object that a refusal carries, and agrees with what registering does', async () => {
    const cup = await makeTournament(api, organiser, {
      registrationClosesAt: new Date(Date.now() - dayMs),
      requirements: { emailVerified: true, chatAccountAgeDays: 100 },
      teamSize: { min: 2, max: 3, active: 2 },
    })
    const captain = await api.user({ chatPlatformId: chatIdMadeAt(new Date(Date.now() - 40 * dayMs), 7) })
    const team = await makeTeam(api, cup, captain)
    const answered = (await ask(cup, captain)).body
    expect((await register(cup, team, captain)).body.eligibility).toEqual(answered)
    expect(answered.eligible).toBe(false)
    expect(answered.team.failures.map(({ code }: { code: string }) => code)).toEqual([
      'team.too_small',
      'registration.closed',
    ])
    expect(answered.players[0].failures.map(({ code }: { code: string }) => code)).toEqual([
      'email.not_verified',
      'chat_account.too_young',
    ])
    expect(answered.players[0].failures[1].message).toMatch(/has to be 100 days old; it will be in 60 days\.$/)
  })

  test('is measured as the caller: managers are not bound by the period, global managers by nothing', async () => {
    const cup = await makeTournament(api, organiser, {
      publicRegistration: false,
      requirements: { emailVerified: true },
    })
    await makeTeam(api, cup, organiser)
    const global = await api.user({ globalRoles: ['global:tournaments:manage'] })
    await makeTeam(api, cup, global)
    const byOrganiser = (await ask(cup, organiser)).body
    expect([byOrganiser.registration.state, byOrganiser.team.failures]).toEqual(['not_public', []])
    expect(byOrganiser.players[0].failures).toMatchObject([{ code: 'email.not_verified' }])
    expect((await ask(cup, global)).body).toMatchObject({ eligible: true, players: [{ failures: [] }] })
  })

  test('follows what changes at once: the team, its players and its registration', async () => {
    const cup = await makeTournament(api, organiser, { requirements: { emailVerified: true } })
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain)
    expect((await ask(cup, captain)).body.eligible).toBe(false)
    await api.sql('update users set email_verified_at = now() where guid = $1', [captain.guid])
    expect((await ask(cup, captain)).body.eligible).toBe(true)
    await register(cup, team, captain)
    expect((await ask(cup, captain)).body).toMatchObject({
      eligible: false,
      registration: { registered: 1 },
      team: { failures: [{ code: 'team.already_registered' }] },
    })
  })

  test('needs a token, which is 400 when it is missing and 401 when it cannot be used', async () => {
    const cup = await makeTournament(api, organiser)
    expect(outcome(await ask(cup, null))).toEqual([400, 'token.missing'])
    const address = `/tournaments/${cup.guid}/registration-eligibility`
    expect(outcome(await api.call('GET', address, { token: 'wrong' }))).toEqual([401, 'token.invalid'])
    const weak = await api.token(organiser, ['rest:user:write'])
    expect(outcome(await api.call('GET', address, { token: weak }))).toEqual([401, 'scope.missing'])
    const enough = await api.token(organiser, ['rest:read'])
    expect((await api.call('GET', address, { token: enough })).status).toBe(200)
  })

  test('of a tournament that is unknown, or a draft that the caller may not see, is 400', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const stranger = await api.user()
    expect(outcome(await ask(draft, stranger))).toEqual([400, 'tournament.unknown'])
    expect(outcome(await ask({ guid: 'no-such-cup' }, stranger))).toEqual([400, 'tournament.unknown'])
    expect((await ask(draft, organiser)).body.registration.state).toBe('wrong_status')
  })
})

describe('requirements that ranking platforms decide', () => {
  async function arrange(requirements: object, players: { a?: object; b?: object }[]) {
    const callers = await Promise.all(players.map((_, index) => api.user({ name: `Player${index + 1}` })))
    for (const [index, { a: onA, b: onB }] of players.entries()) {
      const caller = callers[index] as Caller
      if (onA !== undefined) await link(caller, 'ranking-a', a.players.add(onA).id)
      if (onB !== undefined) await link(caller, 'ranking-b', b.players.add({ ...onB, id: nextId() }).id)
    }
    const cup = await makeTournament(api, organiser, { requirements })
    const [captain, ...members] = callers as [Caller, ...Caller[]]
    const team = await makeTeam(api, cup, captain, { members })
    return { cup, team, captain }
  }
  let ids = 76_561_199_000_000_000n
  const nextId = () => String(++ids)
  const failuresOf = (reply: Reply) =>
    reply.body.eligibility.players.map(({ failures }: { failures: { code: string }[] }) =>
      failures.map(({ code }) => code),
    )

  const rows: [string, object, { a?: object; b?: object }, string[]][] = [
    ['a rank within the range on A', { rankA: { min: 5, max: 9 } }, { a: { rank: 9 } }, []],
    ['a rank outside the range on A', { rankA: { min: 5, max: 9 } }, { a: { rank: 10 } }, ['ranking_a.out_of_range']],
    ['no rank on A', { rankA: { max: 9 } }, { a: { rank: 0 } }, ['ranking_a.unranked']],
    ['no account on A', { rankA: { max: 9 } }, { b: {} }, ['ranking_a.not_linked']],
    ['a rank within the range on B', { rankB: { min: 5, max: 9 } }, { b: { rank: 5 } }, []],
    ['a rank outside the range on B', { rankB: { min: 5 } }, { b: { rank: 4 } }, ['ranking_b.out_of_range']],
    ['a country that may take part', { countries: ['CA'] }, { a: { country: 'CA' } }, []],
    [
      'a country that may not',
      { countries: ['CA'] },
      { a: { country: 'DE' }, b: { country: 'ca' } },
      ['country.not_allowed'],
    ],
    ['a country that B names and A does not', { countries: ['CA'] }, { a: { country: '' }, b: { country: 'ca' } }, []],
    ['no country', { countries: ['CA'] }, { b: { country: 'not set' } }, ['country.unknown']],
  ]
  test.each(rows)('%s', async (_what, requirements, player, expected) => {
    const { cup, team, captain } = await arrange(requirements, [
      player,
      { a: { rank: 7, country: 'CA' }, b: { rank: 7 } },
    ])
    const reply = await register(cup, team, captain)
    if (expected.length === 0) expect(reply.status).toBe(200)
    else expect([...outcome(reply), failuresOf(reply)]).toEqual([400, 'registration.refused', [expected, []]])
  })

  test('a platform that cannot be reached is told clearly, nothing is registered, and trying again works', async () => {
    const { cup, team, captain } = await arrange({ rankA: { max: 9 } }, [{ a: { rank: 3 } }])
    const recover = a.misbehave(/./, { status: 502 })
    const refused = await register(cup, team, captain)
    recover()
    expect([...outcome(refused), failuresOf(refused)]).toEqual([400, 'registration.refused', [['ranking.unreachable']]])
    expect(refused.body.message).toBe(
      'Ranking platform A cannot be reached to check Player1; try again in a few minutes.',
    )
    expect((await register(cup, team, captain)).status).toBe(200)
  })

  test('what a platform said within the last day counts while it cannot be reached', async () => {
    const { cup, team, captain } = await arrange({ rankA: { max: 9 } }, [{ a: { rank: 3 } }])
    expect((await ask(cup, captain)).body.eligible).toBe(true)
    await api.sql("update ranking_profiles set fetched_at = fetched_at - interval '23 hours'")
    const recover = a.misbehave(/./, { status: 502 })
    const reply = await register(cup, team, captain)
    recover()
    expect(reply.status).toBe(200)
  })

  test('asking and registering in a row ask the platforms once, refused or not', async () => {
    const { cup, team, captain } = await arrange({ rankA: { max: 9 }, emailVerified: true }, [
      { a: { rank: 3 } },
      { a: { rank: 4 } },
    ])
    const before = a.requests.length
    await ask(cup, captain)
    await register(cup, team, captain)
    await register(cup, team, captain)
    expect(a.requests.length - before).toBe(2)
  })

  test('nobody is asked where no requirement needs it, nor for a global manager', async () => {
    const before = a.requests.length + b.requests.length
    const plain = await arrange({ rankingA: true, emailVerified: false }, [{ a: {}, b: {} }])
    expect((await register(plain.cup, plain.team, plain.captain)).status).toBe(200)
    const ranked = await arrange({ rankA: { max: 1 }, countries: ['SE'] }, [{ a: {}, b: {} }])
    const global = await api.user({ globalRoles: ['role:owner'] })
    expect((await register(ranked.cup, ranked.team, global)).status).toBe(200)
    expect(a.requests.length + b.requests.length).toBe(before)
  })

  test('who may not register sets nothing in motion', async () => {
    const { cup, team } = await arrange({ rankA: { max: 9 } }, [{ a: { rank: 3 } }])
    const before = a.requests.length
    expect(outcome(await register(cup, team, await api.user()))).toEqual([401, 'role.missing'])
    expect(a.requests.length).toBe(before)
  })

  test('an administrator’s country goes before the platforms’', async () => {
    const { cup, team, captain } = await arrange({ countries: ['CA'] }, [{ a: { country: 'DE' } }])
    expect((await ask(cup, captain)).body.eligible).toBe(false)
    await api.sql("update users set country = 'CA' where guid = $1", [captain.guid])
    expect((await register(cup, team, captain)).status).toBe(200)
  })
})
