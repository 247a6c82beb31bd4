import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  callAs,
  decide,
  makeParty,
  obtain,
  type Party,
  redeem,
  refresh,
  requestOf,
  type TokenSet,
} from '../../test/authorization.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../test/harness.ts'
import { hold } from '../../test/locks.ts'
import { answerOf, expectOAuthError } from '../../test/oauth-answers.ts'

let api: Harness
/** A second service on the same database, as another process would be. */
let sibling: Harness
let owner: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  owner = await api.user({ globalRoles: ['role:owner'] })
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
/** The same party, using the first or the second process. */
const at = (party: Party, index: number): Party => ({ ...party, api: index % 2 === 0 ? api : sibling })
const asks = (process: Harness, { access_token: token }: Pick<TokenSet, 'access_token'>) =>
  process.call('GET', '/users/@me/sessions', { token })
const userOf = ({ access_token }: TokenSet): string =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sub
const reuses = async (party: Party) =>
  (
    await api.sql<{ kind: string }>(
      `select after->>'kind' as kind from event_log where type = 'token.reused' and after->>'clientId' = $1`,
      [party.application.clientId],
    )
  ).map(({ kind }) => kind)

async function expectDead(party: Party, tokens: TokenSet): Promise<void> {
  for (const process of [api, sibling]) expect((await asks(process, tokens)).status).toBe(401)
  expectOAuthError(await refresh(party, tokens.refresh_token), 400, 'invalid_grant')
}

/** At most one success; all others are refused by a rule, and none fails. */
function winnersOf(replies: readonly Reply[]): TokenSet[] {
  const winners = replies.filter(({ status }) => status === 200)
  for (const reply of replies) if (reply.status !== 200) expectOAuthError(reply, 400, 'invalid_grant')
  expect(winners.length).toBeLessThanOrEqual(1)
  return winners.map(({ body }) => body)
}

const places: [string, (index: number) => number][] = [
  ['in one process', () => 0],
  ['in two processes', (index) => index],
]

describe('RFC 6749 §4.1.2, D38: one code, fifty times at once', () => {
  test.each(places)('%s: one success, which the others take back', async (_what, place) => {
    const party = await makeParty(api)
    const code = (await authorize(party)).get('code') ?? ''
    const winners = winnersOf(await times(50, (index) => redeem(at(party, place(index)), code)))
    expect(winners).toHaveLength(1)
    for (const tokens of winners) await expectDead(party, tokens)
    expect(await reuses(party)).toEqual(['code'])
  })

  test('by the client and by others: what is the client’s stays its own', async () => {
    const [party, thief] = [await makeParty(api), await makeParty(api)]
    const code = (await authorize(party)).get('code') ?? ''
    const thefts = times(20, (index) => redeem(at(thief, index), code))
    const tokens = winnersOf([await redeem(party, code)])[0]
    for (const reply of await thefts) expectOAuthError(reply, 400, 'invalid_grant')
    expect((await asks(sibling, tokens ?? { access_token: '' })).status).toBe(200)
    expect(await reuses(party)).toEqual([])
  })
})

describe('RFC 9700 §4.14.2, D22: one refresh token, fifty times at once', () => {
  test.each(places)('%s: one success at most, and the family is dead', async (_what, place) => {
    const party = await makeParty(api)
    const first = await obtain(party)
    for (const process of [api, sibling]) expect((await asks(process, first)).status).toBe(200)
    const winners = winnersOf(await times(50, (index) => refresh(at(party, place(index)), first.refresh_token)))
    for (const tokens of [first, ...winners]) await expectDead(party, tokens)
    expect(await reuses(party)).toEqual(['refresh_token'])
  })

  test('beside one that was used before: the family is dead, whichever came first', async () => {
    const party = await makeParty(api)
    const first = await obtain(party)
    const { body: second } = await refresh(party, first.refresh_token)
    const old = times(10, (index) => refresh(at(party, index), first.refresh_token))
    const [reply, ...others] = [await refresh(at(party, 1), second.refresh_token), ...(await old)]
    const given = [first, second, ...winnersOf([reply])]
    for (const refused of others) expectOAuthError(refused, 400, 'invalid_grant')
    for (const tokens of given) await expectDead(party, tokens)
    expect(await reuses(party)).toEqual(['refresh_token'])
  })

  test('of different families: each succeeds', async () => {
    const party = await makeParty(api)
    const families = [await obtain(party), await obtain(party), await obtain(party), await obtain(party)]
    const replies = await Promise.all(families.map((tokens, index) => refresh(at(party, index), tokens.refresh_token)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await reuses(party)).toEqual([])
  })
})

describe('D17: a token that is taken back', () => {
  type End = (party: Party, tokens: TokenSet) => Promise<unknown>
  const ends: [string, End][] = [
    ['by the client, itself', (party, tokens) => callAs(party, '/oauth/revoke', { token: tokens.access_token })],
    [
      'by the client, with its grant',
      (party, tokens) => callAs(party, '/oauth/revoke', { token: tokens.refresh_token }),
    ],
    [
      'because its refresh token was used twice',
      async (party, tokens) => {
        await refresh(party, tokens.refresh_token)
        await refresh(party, tokens.refresh_token)
      },
    ],
    [
      'by the user',
      async (party, tokens) => {
        const token = await api.token({ guid: userOf(tokens) }, ['rest:write'])
        return api.call('DELETE', `/users/@me/sessions/${party.application.clientId}`, { token })
      },
    ],
    [
      'with a ban of the user',
      (_party, tokens) => api.patch(`/admin/users/${userOf(tokens)}`, owner, { banned: true }),
    ],
    [
      'with its application',
      async ({ application: { clientId } }) => {
        await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
        return api.delete(`/oauth/applications/${clientId}`, owner)
      },
    ],
  ]

  test.each(ends)('%s is refused at once, by every process', async (_what, end) => {
    const party = await makeParty(api)
    const tokens = await obtain(party)
    const processes = [api, sibling, api, sibling]
    for (const process of processes) expect((await asks(process, tokens)).status).toBe(200)
    await end(party, tokens)
    const replies = await Promise.all(processes.map((process) => asks(process, tokens)))
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(replies[0]?.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})

describe('what a user takes back while the application still fetches it', () => {
  const takeBack = (party: Party, token: string) =>
    sibling.call('DELETE', `/users/@me/sessions/${party.application.clientId}`, { token })

  test('is dead in the end, whoever came first', async () => {
    for (let round = 0; round < 6; round++) {
      const party = await makeParty(api)
      const tokens = await obtain(party)
      const code = (await authorize(party)).get('code') ?? ''
      const user = await api.token({ guid: userOf(tokens) }, ['rest:write'])
      const [taken, ...given] = await Promise.all([
        takeBack(party, user),
        redeem(party, code),
        refresh(at(party, round), tokens.refresh_token),
      ])
      expect(taken.status).toBe(204)
      for (const reply of given) {
        if (reply.status === 200) await expectDead(party, reply.body)
        else expectOAuthError(reply, 400, 'invalid_grant')
      }
      await expectDead(party, tokens)
    }
  })

  test('is dead even when its code was on the way and nobody was asked', async () => {
    const party = await makeParty(api)
    const tokens = await obtain(party)
    const user = await api.token({ guid: userOf(tokens) }, ['rest:write'])
    // A code refers to its user: until this lock ends, the code can be created but not inserted.
    const held = await hold(api, ['select from users where guid = $1 for update', userOf(tokens)])
    const asked = party.browser.visit(requestOf(party))
    await held.waiting(1)
    const taking = takeBack(party, user)
    await Promise.race([taking, setTimeout(300)])
    await held.release()
    const [answered, taken] = await Promise.all([asked, taking])
    expect(taken.status).toBe(204)
    const { code = '' } = answerOf(answered, party.redirectUri)
    expectOAuthError(await redeem(party, code), 400, 'invalid_grant')
    expect((await party.browser.visit(requestOf(party))).status).toBe(200)
  })
})

describe('an application that is deleted while it fetches tokens', () => {
  test('has none in the end, and meets no failure', async () => {
    const party = await makeParty(api)
    const tokens = await obtain(party)
    const codes = await times(6, async () => (await authorize(party)).get('code') ?? '')
    const { clientId } = party.application
    await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
    const [deleted, refreshed, shown, ...redeemed] = await Promise.all([
      api.delete(`/oauth/applications/${clientId}`, owner),
      refresh(at(party, 1), tokens.refresh_token),
      party.browser.visit(requestOf(party)),
      ...codes.map((code, index) => redeem(at(party, index), code)),
    ])
    expect(deleted.status).toBe(204)
    // The consent may be read a moment after the application was found; a page shown then has no effect.
    expect([200, 302, 400]).toContain(shown.status)
    if (shown.status === 200) expect((await decide(party.browser, shown, 'approve')).status).toBe(400)
    for (const reply of [refreshed, ...redeemed]) {
      expect([200, 401]).toContain(reply.status)
      if (reply.status === 200) expect((await asks(sibling, reply.body)).status).toBe(401)
    }
    for (const table of ['grants', 'authorization_codes', 'consents', 'device_requests']) {
      expect(await api.sql(`select 1 from ${table} where client_id = $1`, [clientId]), table).toEqual([])
    }
  })
})

test('a consent page whose application is gone when the user decides leads nowhere', async () => {
  const party = await makeParty(api)
  const page = await party.browser.visit(requestOf(party))
  expect(page.status).toBe(200)
  const { clientId } = party.application
  await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
  expect((await api.delete(`/oauth/applications/${clientId}`, owner)).status).toBe(204)
  expect((await decide(party.browser, page, 'approve')).status).toBe(400)
})
