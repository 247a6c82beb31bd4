import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, decide, makeParty, type Party, refresh } from '../../../test/authorization.ts'
import {
  beginDevice,
  decideDevice,
  deviceGrant,
  digestOf,
  letPass,
  openDevice,
  poll,
  type Waiting,
} from '../../../test/device.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { oauthOutcome } from '../../../test/oauth-answers.ts'

/** How a device polls for its tokens: RFC 8628 §3.4, §3.5, and events in the meantime. */

let api: Harness
let party: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { scopes: ['rest:read', 'ws:read'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const intervalOf = async ({ device_code }: Waiting) =>
  (await api.sql('select "interval" from device_requests where device_code_hash = $1', [digestOf(device_code)]))[0]
const bearer = async (token: string) => (await api.call('GET', '/users/@me', { token })).status
/** The user's GUID in the token. */
const subjectOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub

const pending = [400, 'authorization_pending', 'device_code.pending']
const tooFast = [400, 'slow_down', 'device_code.too_fast']
const gone = [400, 'invalid_grant', 'grant.invalid']

describe('§3.4 a device access token request', () => {
  test('gives tokens once the user has agreed: those that were asked for, in the form of any other grant', async () => {
    const waiting = await beginDevice(party, { scope: 'ws:read' })
    expect(oauthOutcome(await poll(party, waiting))).toEqual(pending)
    await decideDevice(party.browser, waiting)
    const reply = await poll(party, waiting)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      token_type: 'Bearer',
      expires_in: 5_184_000,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'ws:read',
    })
    const renewed = await refresh(party, reply.body.refresh_token)
    expect([renewed.status, renewed.body.scope]).toEqual([200, 'ws:read'])
  })

  test('needs the device code', async () => {
    for (const members of [{}, { device_code: '' }]) {
      const reply = await callAs(party, '/oauth/token', { grant_type: deviceGrant, ...members })
      expect(oauthOutcome(reply)).toEqual([400, 'invalid_request', 'parameter.missing'])
    }
  })

  test('gives nothing for a code that was never given out, the user code among them', async () => {
    const waiting = await beginDevice(party)
    await decideDevice(party.browser, waiting)
    for (const device_code of ['garbage', waiting.user_code, `${waiting.device_code}A`, '\u0000', 'ü'.repeat(500)]) {
      expect(oauthOutcome(await poll(party, { device_code }))).toEqual(gone)
    }
    expect((await poll(party, waiting)).status).toBe(200)
  })

  test('is refused to whoever cannot say which client they are, before anything is looked at', async () => {
    const waiting = await beginDevice(party)
    await decideDevice(party.browser, waiting)
    const { clientId } = party.application
    for (const clientSecret of ['a guess', null]) {
      const reply = await poll({ api, application: { clientId, clientSecret } }, waiting)
      expect(oauthOutcome(reply)).toEqual([401, 'invalid_client', 'client.refused'])
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = new URLSearchParams({ grant_type: deviceGrant, device_code: waiting.device_code }).toString()
    const reply = await api.call('POST', '/oauth/token', { headers, raw })
    expect(oauthOutcome(reply)).toEqual([401, 'invalid_client', 'client.missing'])
    expect((await poll(party, waiting)).status).toBe(200)
  })

  test.each(['confidential', 'public'] as const)(
    'is refused to another client, a %s one, and takes nothing from the one that waits',
    async (type) => {
      const thief = await makeParty(api, { type })
      const waiting = await beginDevice(party)
      // Neither too early nor too often: another client's polls must not slow the device down.
      for (let times = 0; times < 3; times++) expect(oauthOutcome(await poll(thief, waiting))).toEqual(gone)
      expect(oauthOutcome(await poll(party, waiting))).toEqual(pending)
      await decideDevice(party.browser, waiting)
      expect(oauthOutcome(await poll(thief, waiting))).toEqual(gone)
      const { access_token } = (await poll(party, waiting)).body
      expect(oauthOutcome(await poll(thief, waiting))).toEqual(gone)
      expect(await bearer(access_token)).toBe(200)
    },
  )
})

describe('§3.5 while nobody has decided', () => {
  test('a device that keeps the interval waits', async () => {
    const waiting = await beginDevice(party)
    for (let times = 0; times < 3; times++) {
      expect(oauthOutcome(await poll(party, waiting))).toEqual(pending)
      await letPass(api, waiting, 5)
    }
    expect(await intervalOf(waiting)).toEqual({ interval: 5 })
  })

  test('one that asks too often must wait five seconds longer each time, and from then on', async () => {
    const waiting = await beginDevice(party)
    expect(oauthOutcome(await poll(party, waiting))).toEqual(pending)
    await letPass(api, waiting, 4)
    expect(oauthOutcome(await poll(party, waiting))).toEqual(tooFast)
    // The wait that was enough at first is now too short.
    await letPass(api, waiting, 9)
    expect(oauthOutcome(await poll(party, waiting))).toEqual(tooFast)
    await letPass(api, waiting, 15)
    expect(oauthOutcome(await poll(party, waiting))).toEqual(pending)
    expect(await intervalOf(waiting)).toEqual({ interval: 15 })
    await letPass(api, waiting, 14)
    const reply = await poll(party, waiting)
    expect(oauthOutcome(reply)).toEqual(tooFast)
    expect(reply.body.error_description).toContain('20')
  })

  test('of many questions at once one is in time', async () => {
    const waiting = await beginDevice(party)
    const replies = await Promise.all(Array.from({ length: 6 }, () => poll(party, waiting)))
    const errors = replies.map(({ body }) => body.error).sort()
    expect(errors).toEqual(['authorization_pending', ...Array.from({ length: 5 }, () => 'slow_down')])
    expect(await intervalOf(waiting)).toEqual({ interval: 30 })
  })

  test('however often it has asked, it is served once the user has agreed', async () => {
    const waiting = await beginDevice(party)
    for (let times = 0; times < 3; times++) await poll(party, waiting)
    await decideDevice(party.browser, waiting)
    expect((await poll(party, waiting)).status).toBe(200)
  })
})

describe('§3.5 the end of waiting', () => {
  test('comes after a quarter of an hour, decided or not', async () => {
    const [undecided, approved, denied] = [await beginDevice(party), await beginDevice(party), await beginDevice(party)]
    await decideDevice(party.browser, approved)
    await decideDevice(party.browser, denied, 'deny')
    await letPass(api, undecided, 890)
    expect(oauthOutcome(await poll(party, undecided))).toEqual(pending)
    await letPass(api, undecided, 10)
    await letPass(api, approved, 900)
    await letPass(api, denied, 900)
    for (const waiting of [undecided, approved, denied]) {
      expect(oauthOutcome(await poll(party, waiting))).toEqual([400, 'expired_token', 'device_code.expired'])
    }
  })

  test('is final where the user has refused', async () => {
    const waiting = await beginDevice(party)
    await decideDevice(party.browser, waiting, 'deny')
    for (let times = 0; times < 2; times++) {
      expect(oauthOutcome(await poll(party, waiting))).toEqual([400, 'access_denied', 'device_code.denied'])
    }
  })
})

describe('D38 a device code that is used again', () => {
  test('ends all that it gave, at once, and the user is told', async () => {
    const waiting = await beginDevice(party)
    await decideDevice(party.browser, waiting)
    const first = (await poll(party, waiting)).body
    const renewed = (await refresh(party, first.refresh_token)).body
    expect(oauthOutcome(await poll(party, waiting))).toEqual([400, 'invalid_grant', 'grant.reused'])
    expect([await bearer(first.access_token), await bearer(renewed.access_token)]).toEqual([401, 401])
    expect(oauthOutcome(await refresh(party, renewed.refresh_token))).toEqual(gone)
    const events = await api.sql(`select after from event_log where type = 'token.reused' and subject = $1`, [
      subjectOf(first.access_token),
    ])
    expect(events).toEqual([{ after: { clientId: party.application.clientId, kind: 'device_code' } }])
  })

  test('twenty times at once gives at most one answer, which is then worth nothing', async () => {
    const waiting = await beginDevice(party)
    await decideDevice(party.browser, waiting)
    const replies = await Promise.all(Array.from({ length: 20 }, () => poll(party, waiting)))
    const given = replies.filter(({ status }) => status === 200)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(given.length).toBe(1)
    expect(new Set(refused.map((reply) => oauthOutcome(reply).join()))).toEqual(
      new Set(['400,invalid_grant,grant.reused']),
    )
    expect(await bearer(given[0]?.body.access_token)).toBe(401)
    expect(oauthOutcome(await refresh(party, given[0]?.body.refresh_token))).toEqual(gone)
  })
})

describe('between the decision and the tokens', () => {
  let owner: Caller
  beforeAll(async () => {
    owner = await api.user({ globalRoles: ['role:owner'] })
  })

  /** A device that its user has just approved. */
  async function approved(
    members: Readonly<Record<string, string>> = {},
  ): Promise<{ game: Party; waiting: Waiting; user: string }> {
    const game = await makeParty(api, { scopes: ['rest:read', 'ws:read'] })
    const waiting = await beginDevice(game, members)
    expect((await decideDevice(game.browser, waiting)).status).toBe(200)
    const [row] = await api.sql<{ guid: string }>(
      'select user_guid as guid from device_requests where device_code_hash = $1',
      [digestOf(waiting.device_code)],
    )
    return { game, waiting, user: row?.guid as string }
  }

  test('a ban of the user takes the approval back, and it does not return with them', async () => {
    const { game, waiting, user } = await approved()
    expect((await api.patch(`/admin/users/${user}`, owner, { banned: true })).status).toBe(200)
    expect(oauthOutcome(await poll(game, waiting))).toEqual(gone)
    expect((await api.patch(`/admin/users/${user}`, owner, { banned: false })).status).toBe(200)
    expect(oauthOutcome(await poll(game, waiting))).toEqual(gone)
  })

  test('the user can take it back themselves, where they see what may act for them', async () => {
    const { game, waiting, user } = await approved()
    const token = await api.token({ guid: user }, ['rest:write'])
    const ended = await api.call('DELETE', `/users/@me/sessions/${game.application.clientId}`, { token })
    expect(ended.status).toBe(204)
    expect(oauthOutcome(await poll(game, waiting))).toEqual(gone)
  })

  test('taking it back and fetching the tokens at once leaves nothing that counts', async () => {
    for (let round = 0; round < 4; round++) {
      const { game, waiting, user } = await approved()
      const token = await api.token({ guid: user }, ['rest:write'])
      const [ended, reply] = await Promise.all([
        api.call('DELETE', `/users/@me/sessions/${game.application.clientId}`, { token }),
        poll(game, waiting),
      ])
      expect(ended.status).toBe(204)
      if (reply.status === 200) expect(await bearer(reply.body.access_token)).toBe(401)
      else expect(oauthOutcome(reply)).toEqual(gone)
    }
  })

  test('what the application may no longer have is not given', async () => {
    const { game, waiting } = await approved()
    await api.sql(`update applications set scopes = '{ws:read}' where client_id = $1`, [game.application.clientId])
    const reply = await poll(game, waiting)
    expect([reply.status, reply.body.scope]).toEqual([200, 'ws:read'])
  })

  test('an application that may have none of it gets nothing', async () => {
    const { game, waiting } = await approved()
    await api.sql(`update applications set scopes = '{assistant}' where client_id = $1`, [game.application.clientId])
    expect(oauthOutcome(await poll(game, waiting))).toEqual([400, 'invalid_grant', 'grant.nothing_left'])
  })
})

describe('an application that is deleted while its device waits', () => {
  async function waitingOf(owner: Caller): Promise<{ game: Party; waiting: Waiting; remove: () => Promise<Reply> }> {
    const game = await makeParty(api)
    const { clientId } = game.application
    await api.sql('update applications set owner_guid = $1 where client_id = $2', [owner.guid, clientId])
    return {
      game,
      waiting: await beginDevice(game),
      remove: () => api.delete(`/oauth/applications/${clientId}`, owner),
    }
  }

  test('leaves nothing to decide on and nothing to ask for', async () => {
    const { game, waiting, remove } = await waitingOf(await api.user())
    const shown = await openDevice(game.browser, waiting.user_code)
    expect((await remove()).status).toBe(204)
    expect(oauthOutcome(await poll(game, waiting))).toEqual([401, 'invalid_client', 'client.refused'])
    const decided = await decide(game.browser, shown, 'approve')
    expect([decided.status, decided.headers.get('problem-code')]).toEqual([400, 'device_code.decided'])
    expect((await openDevice(game.browser, waiting.user_code)).status).toBe(400)
  })

  test('at the very moment of the decision and of the question, none of them fails', async () => {
    const owner = await api.user()
    for (let round = 0; round < 4; round++) {
      const { game, waiting, remove } = await waitingOf(owner)
      const shown = await openDevice(game.browser, waiting.user_code)
      const [decided, removed, asked] = await Promise.all([
        decide(game.browser, shown, 'approve'),
        remove(),
        poll(game, waiting),
      ])
      expect(removed.status).toBe(204)
      expect([200, 400]).toContain(decided.status)
      expect([200, 400, 401]).toContain(asked.status)
      if (asked.status === 200) expect(await bearer(asked.body.access_token)).toBe(401)
      expect(await api.sql('select 1 from consents where client_id = $1', [game.application.clientId])).toEqual([])
    }
  })
})
