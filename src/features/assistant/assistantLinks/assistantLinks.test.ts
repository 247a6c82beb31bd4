import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeMatches } from '../../../../test/availability.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeApplication, makeTournament, roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { operations } from '../../../app.ts'
import { isForPrograms, parametersOf } from '../../../core/operation.ts'
import { tournamentRoles } from '../../../core/roles.ts'
import { openText } from '../../../infra/sealed-text.ts'
import { openingOf } from './queries.ts'
import { findLink, lockLinkForShare } from './store.ts'
import type { AssistantLink } from './types.ts'

let api: Harness
let organiser: Caller
let admin: Caller
let referee: Caller
let caster: Caller
let stranger: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  ;[organiser, stranger] = await Promise.all([api.user(), api.user()])
  cup = await makeTournament(api, organiser)
  ;[admin, referee, caster] = await Promise.all([
    roleHolder(api, cup, 'role:admin'),
    roleHolder(api, cup, 'role:referee'),
    roleHolder(api, cup, 'role:caster'),
  ])
})
afterAll(() => api[Symbol.asyncDispose]())

const secrets = { token: 'the token of a bot', password: 'open sesame', hookSecret: 'a secret of hooks' }
const bodyOf = (more: object = {}) => ({
  host: 'assistant.example.org',
  assistantTournament: { guid: 'b1f0c2c9-5d1b-4c58-9a53-6d3b9c1f7a42', name: 'Spring Cup' },
  tokenKind: 'bot',
  ...secrets,
  ...more,
})
const at = ({ guid }: { guid: string }) => `/tournaments/${guid}/assistant`
const put = async (more: object = {}, as: Caller = organiser, of = cup) => {
  const reply = await api.put(at(of), as, bodyOf(more))
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const stored = async (of = cup) => (await findLink(api.app.database.db, of.guid)) as AssistantLink
const sealedIn = async (of = cup) => {
  const { sealedToken, sealedPassword, sealedHookSecret } = await stored(of)
  const opened = (purpose: string, sealed: string | null) =>
    sealed === null ? null : openText(api.app.services.seal, `assistant_links.${purpose}`, sealed)
  return {
    token: opened('token', sealedToken),
    password: opened('password', sealedPassword),
    hookSecret: opened('hook_secret', sealedHookSecret),
  }
}
const eventsIn = ({ guid }: { guid: string }) =>
  api.sql<{ type: string; actor: string | null; before: object | null; after: object | null }>(
    `select type, actor, before, after from event_log where tournament = $1 and type like 'assistant.%' order by seq`,
    [guid],
  )
const configured = { configured: true }
const none = { configured: false }
const unknown = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a link', () => {
  test('is made by a manager, and read by the staff without its secrets', async () => {
    const own = await makeTournament(api, organiser)
    expect(outcome(await api.get(at(own), organiser))).toEqual([404, 'assistant.not_linked'])
    const expected = {
      host: 'assistant.example.org',
      port: 8676,
      tls: true,
      certificate: 'public',
      assistantTournament: bodyOf().assistantTournament,
      tokenKind: 'bot',
      token: configured,
      password: configured,
      hookSecret: configured,
      actsAs: null,
      versionCode: null,
      qualifierEvents: [],
      bannedMods: [],
      enabled: true,
      allowModify: false,
      defaults: {
        playMode: 'now',
        readyCheck: false,
        prompt: '',
        loadTimeoutMs: 100_000,
        autoAccept: false,
        autoAcceptMs: 5_000,
      },
      status: {
        state: 'untested',
        lastConnectedAt: null,
        serverVersion: null,
        permissions: [],
        missingPermissions: [],
        lastError: null,
      },
      updatedAt: instant,
    }
    const made = await put({}, organiser, own)
    expect(made).toEqual(expected)
    const scout = await roleHolder(api, own, 'role:caster')
    for (const caller of [organiser, scout]) {
      const reply = await api.get(at(own), caller)
      expect([reply.status, reply.body]).toEqual([200, made])
      for (const secret of Object.values(secrets)) expect(reply.text).not.toContain(secret)
    }
    expect(await sealedIn(own)).toEqual(secrets)
    const [row] = await api.sql<{ line: string }>(
      'select l::text as line from assistant_links l where tournament_guid = $1',
      [own.guid],
    )
    const events = await eventsIn(own)
    for (const secret of Object.values(secrets)) expect(`${row?.line} ${JSON.stringify(events)}`).not.toContain(secret)
    expect(events).toEqual([
      {
        type: 'assistant.linked',
        actor: organiser.guid,
        before: null,
        after: {
          host: 'assistant.example.org',
          port: 8676,
          tokenKind: 'bot',
          enabled: true,
          assistantTournament: bodyOf().assistantTournament.guid,
        },
      },
    ])
  })

  test('is set anew as a whole; the same once more is no change', async () => {
    const own = await makeTournament(api, organiser)
    const first = await put({}, organiser, own)
    expect(await put({}, organiser, own)).toEqual(first)
    const full = {
      host: 'other.example.org',
      port: 443,
      certificate: `${'AB:'.repeat(31)}cd`,
      tokenKind: 'own',
      token: undefined,
      versionCode: 1309,
      qualifierEvents: ['one', 'two'],
      bannedMods: ['Heck'],
      enabled: false,
      allowModify: true,
      defaults: {
        playMode: 'held',
        readyCheck: true,
        prompt: 'Ready?',
        loadTimeoutMs: 10_000,
        autoAccept: true,
        autoAcceptMs: 60_000,
      },
    }
    const changed = await put(full, organiser, own)
    const { token: _token, ...told } = full
    expect(changed).toMatchObject({
      ...told,
      certificate: `${'ab'.repeat(31)}cd`,
      token: none,
      password: configured,
      actsAs: { guid: organiser.guid },
    })
    expect(await put(full, organiser, own)).toEqual(changed)
    expect(await put({}, organiser, own)).toMatchObject({ port: 8676, versionCode: null, actsAs: null })
    expect((await eventsIn(own)).map(({ type }) => type)).toEqual(Array(3).fill('assistant.linked'))
  })

  test('keeps its secrets while it leads to the same server, and clears them where it does not', async () => {
    const own = await makeTournament(api, organiser)
    const bare = { token: undefined, password: undefined, hookSecret: undefined }
    await put({}, organiser, own)
    await put({ ...bare, bannedMods: ['Heck'] }, organiser, own)
    expect(await sealedIn(own)).toEqual(secrets)
    await put({ ...bare, password: null }, organiser, own)
    expect(await sealedIn(own)).toEqual({ ...secrets, password: null })
    const places = [{ host: 'other.example.org' }, { port: 8677 }, { certificate: 'ef'.repeat(32) }]
    for (const place of places) {
      await put({}, organiser, own)
      const view = await put({ ...bare, ...place }, organiser, own)
      expect([view.token, view.password, view.hookSecret]).toEqual([none, none, configured])
      expect(await sealedIn(own)).toEqual({ token: null, password: null, hookSecret: secrets.hookSecret })
    }
    // Secrets that are given with the change are meant for the new server.
    await put({ ...places[0], token: 'for the other', password: undefined }, organiser, own)
    expect(await sealedIn(own)).toEqual({ token: 'for the other', password: null, hookSecret: secrets.hookSecret })
  })

  test('is untested once it connects in another way, and as it was where it does not', async () => {
    const own = await makeTournament(api, organiser)
    await put({}, organiser, own)
    const pass = () =>
      api.sql(
        `update assistant_links set state = 'ok', last_connected_at = now(), server_version = 1310, permissions = '{tournament:join}'
         where tournament_guid = $1`,
        [own.guid],
      )
    await pass()
    expect((await put({ bannedMods: ['Heck'] }, organiser, own)).status).toMatchObject({
      state: 'ok',
      serverVersion: 1310,
      permissions: ['tournament:join'],
      missingPermissions: expect.arrayContaining(['tournament:player:play_song']),
    })
    for (const more of [
      { port: 1 },
      { password: 'another' },
      { versionCode: 1308 },
      { tokenKind: 'own', token: undefined },
    ]) {
      await pass()
      expect((await put(more, organiser, own)).status, JSON.stringify(more)).toEqual({
        state: 'untested',
        lastConnectedAt: null,
        serverVersion: null,
        permissions: [],
        missingPermissions: [],
        lastError: null,
      })
    }
  })

  test('of many that are set at once one stands, whole', async () => {
    const own = await makeTournament(api, organiser)
    const hosts = Array.from({ length: 6 }, (_, index) => `host-${index}.example.org`)
    const replies = await Promise.all(hosts.map((host) => api.put(at(own), organiser, bodyOf({ host, token: host }))))
    expect(replies.map(({ status }) => status)).toEqual(hosts.map(() => 200))
    const { host } = await stored(own)
    expect((await sealedIn(own)).token).toBe(host)
    expect(await eventsIn(own)).toHaveLength(6)
  })

  test.each<[string, object, string]>([
    ['an address with a path', { host: 'assistant.example.org/x' }, 'assistant.invalid'],
    ['a certificate that is none', { certificate: 'mine' }, 'assistant.invalid'],
    ['a token of another kind', { tokenKind: 'own' }, 'assistant.invalid'],
    ['a misspelt member', { certficate: 'public' }, 'request.unknown_member'],
    ['a kind that is none', { tokenKind: 'chat' }, 'request.invalid'],
    ['what is told of a secret', { token: { configured: true } }, 'request.invalid'],
    ['a version of another protocol', { versionCode: 1400 }, 'request.invalid'],
    ['too many events', { qualifierEvents: Array.from({ length: 21 }, String) }, 'request.invalid'],
    ['too many mods', { bannedMods: Array.from({ length: 51 }, String) }, 'request.invalid'],
    ['a long prompt', { defaults: { prompt: 'x'.repeat(201) } }, 'request.invalid'],
    ['an impatient load', { defaults: { loadTimeoutMs: 9_999 } }, 'request.invalid'],
    ['a hasty acceptance', { defaults: { autoAcceptMs: 2_999 } }, 'request.invalid'],
    ['a port that is none', { port: 65_536 }, 'request.invalid'],
  ])('with %s is refused, without its secrets being repeated', async (_what, more, code) => {
    const reply = await api.put(at(cup), organiser, bodyOf(more))
    expect(outcome(reply)).toEqual([400, code])
    for (const secret of Object.values(secrets)) expect(reply.text).not.toContain(secret)
  })

  test('leads into no private network, and is encrypted, unless the installation says otherwise', async () => {
    await using strict = await api.sibling()
    const { config } = strict.app
    Object.assign(config, { webhookAllowPrivate: false, environment: 'production' })
    for (const more of [{ host: '127.0.0.1' }, { host: 'localhost' }, { host: '10.1.2.3' }, { tls: false }]) {
      expect(outcome(await strict.put(at(cup), organiser, bodyOf(more)))).toEqual([400, 'assistant.invalid'])
    }
  })
})

describe('who may', () => {
  test('managers write, all staff reads, nobody else learns whether there is a link', async () => {
    await put()
    const calls: [string, string, object?][] = [
      ['PUT', at(cup), bodyOf()],
      ['DELETE', at(cup)],
      ['POST', `${at(cup)}/test`],
    ]
    for (const [method, path, body] of calls) {
      const options = body === undefined ? {} : { body }
      for (const caller of [referee, caster, stranger]) {
        expect(outcome(await api.call(method, path, { as: caller, ...options })), method).toEqual([403, 'role.missing'])
      }
      expect(outcome(await api.call(method, path, options))).toEqual([401, 'token.missing'])
    }
    for (const caller of [organiser, admin, referee, caster]) expect((await api.get(at(cup), caller)).status).toBe(200)
    expect(outcome(await api.get(at(cup), stranger))).toEqual([403, 'role.missing'])
    expect(outcome(await api.get(at(cup)))).toEqual([401, 'token.missing'])
    expect((await api.put(at(cup), admin, bodyOf())).status).toBe(200)
  })

  test('the scope `assistant` does, and so do those of REST, as far as they go', async () => {
    const application = await makeApplication(api, organiser)
    const path = at(cup)
    const outcomes = async (...scopes: Parameters<Harness['token']>[1]) => {
      const token = await api.token(organiser, scopes, application)
      const [read, written] = await Promise.all([
        api.call('GET', path, { token }),
        api.call('PUT', path, { token, body: bodyOf() }),
      ])
      return [outcome(read), outcome(written)]
    }
    const lacking = [401, 'scope.missing']
    expect(await outcomes('assistant')).toEqual([
      [200, null],
      [200, null],
    ])
    expect(await outcomes('rest:write')).toEqual([
      [200, null],
      [200, null],
    ])
    expect(await outcomes('rest:read')).toEqual([[200, null], lacking])
    expect(await outcomes('ws:write', 'rest:user:write', 'assistant:game', 'compsystem')).toEqual([lacking, lacking])
  })

  test('what one may do in a tournament names what a token is good for', async () => {
    const named = async (...scopes: Parameters<Harness['token']>[1]) => {
      const token = await api.token(organiser, scopes)
      const { operations: here } = (await api.call('GET', `/tournaments/${cup.guid}/access`, { token })).body
      return ['assistant.read', 'assistant.update', 'tournaments.update'].filter((name) => here.includes(name))
    }
    expect(await named('rest:write')).toEqual(['assistant.read', 'assistant.update', 'tournaments.update'])
    expect(await named('rest:read')).toEqual(['assistant.read'])
    expect(await named('rest:read', 'assistant')).toEqual(['assistant.read', 'assistant.update'])
  })

  test('`assistant` alone opens nothing else', async () => {
    const token = await api.token(organiser, ['assistant'])
    const others = operations.filter(({ scope }) => isForPrograms(scope) && scope !== 'public' && scope !== 'assistant')
    expect(others.length).toBeGreaterThan(100)
    const asked = (path: string) => path.replace(':tournament', cup.guid).replace(/:\w+/g, unknown)
    const let_in: string[] = []
    for (const { name, method, path, publicUnlessMe, ownCredentials } of others) {
      if (publicUnlessMe || ownCredentials) continue
      const [status, code] = outcome(await api.call(method, asked(path), { token }))
      if (status !== 401 || code !== 'scope.missing') let_in.push(`${name}: ${status} ${code}`)
    }
    expect(let_in).toEqual([])
  })

  test('over a socket `assistant` alone follows the link, and sees elsewhere what strangers see', async () => {
    await put()
    const hidden = await makeTournament(api, organiser, { status: 'draft' })
    const token = await api.token(organiser, ['assistant', 'rest:write'])
    await using socket = await openSocket(api, { as: { ...organiser, token } })
    const subscribed = (topic: string) => socket.ask({ type: 'subscribe', topic })
    expect(await subscribed(at(cup))).toMatchObject({ type: 'snapshot', body: { host: 'assistant.example.org' } })
    expect(await subscribed(`/tournaments/${cup.guid}`)).toMatchObject({ type: 'snapshot' })
    for (const path of [
      `/tournaments/${hidden.guid}`,
      `/tournaments/${cup.guid}/presence`,
      `/tournaments/${cup.guid}/corrections`,
      '/users/@me',
    ]) {
      expect(await subscribed(path), path).toMatchObject({ type: 'error' })
    }
    const commands = operations.filter((operation) => operation.kind === 'command' && operation.socket === true)
    for (const { name, path, scope } of commands) {
      const params = Object.fromEntries(parametersOf(path).map((parameter) => [parameter, unknown]))
      const { code } = await socket.ask({ type: 'command', name, params: { ...params, tournament: cup.guid } })
      expect([name, code === 'scope.missing']).toEqual([name, scope !== 'assistant'])
    }
  })

  test('and so does a stream', async () => {
    await put()
    const hidden = await makeTournament(api, organiser, { status: 'draft' })
    const follow = async (path: string, ...scopes: Parameters<Harness['token']>[1]) =>
      api.call('GET', `/events?topic=${path}&wait=0`, { token: await api.token(organiser, scopes) })
    const followed = await follow(at(cup), 'assistant')
    expect([followed.status, followed.text.includes('"snapshot"')]).toEqual([200, true])
    expect(outcome(await follow(`/tournaments/${hidden.guid}`, 'assistant'))).toEqual([404, 'topic.unknown'])
    expect((await follow(`/tournaments/${hidden.guid}`, 'ws:read')).status).toBe(200)
    expect(outcome(await follow(at(cup), 'rest:write'))).toEqual([401, 'token.scope_missing'])
    expect((await follow(at(cup), 'ws:read')).text).toContain('assistant.example.org')
  })

  test('no other scope without `ws:read` connects', async () => {
    const token = await api.token(organiser, ['rest:write', 'assistant:game'])
    await expect(openSocket(api, { as: { ...organiser, token } })).rejects.toThrow('401')
    await using socket = await openSocket(api)
    expect(await socket.ask({ type: 'authenticate', token })).toMatchObject({ code: 'token.scope_missing' })
  })
})

test('whoever follows the link is told of changes, and of its end', async () => {
  const own = await makeTournament(api, organiser)
  await put({}, organiser, own)
  const watcher = await roleHolder(api, own, 'role:coordinator')
  await using socket = await openSocket(api, { as: watcher })
  expect(await socket.ask({ type: 'subscribe', topic: at(own) })).toMatchObject({ body: { port: 8676 } })
  await put({ port: 443 }, organiser, own)
  await socket.copies.until(
    ({ packets }) => packets.some(({ type, patch }) => type === 'event' && JSON.stringify(patch).includes('443')),
    'the change',
  )
  expect((await api.delete(at(own), organiser)).status).toBe(204)
  await socket.copies.until(({ packets }) => packets.some(({ type }) => type === 'ended'), 'the end')
  for (const secret of Object.values(secrets)) expect(JSON.stringify(socket.copies.packets)).not.toContain(secret)
})

/** The number of statements that wait for a lock. */
async function blocked(): Promise<number> {
  const [row] = await api.sql<{ count: number }>(
    `select count(*)::int from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
  )
  return row?.count ?? 0
}

describe('removing', () => {
  test('takes the link with its secrets, but not while a session is open', async () => {
    const own = await makeTournament(api, organiser)
    await put({}, organiser, own)
    const [match] = await makeMatches(api, own, [{}])
    await api.sql(
      `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state)
       values ($1, $2, $3, 'connected', 'ready', '{}')`,
      [own.guid, match, organiser.guid],
    )
    expect(outcome(await api.delete(at(own), organiser))).toEqual([409, 'assistant.sessions_open'])
    await api.sql(`update assistant_sessions set status = 'closed', closed_at = now() where tournament_guid = $1`, [
      own.guid,
    ])
    expect(outcome(await api.delete(at(own), organiser))).toEqual([204, null])
    expect(outcome(await api.delete(at(own), organiser))).toEqual([404, 'assistant.not_linked'])
    expect(outcome(await api.get(at(own), organiser))).toEqual([404, 'assistant.not_linked'])
    expect((await eventsIn(own)).at(-1)).toMatchObject({
      type: 'assistant.unlinked',
      before: { host: 'assistant.example.org' },
      after: null,
    })
  })

  test('waits for a session that is being opened, and is refused by it', async () => {
    const own = await makeTournament(api, organiser)
    await put({}, organiser, own)
    const [match] = await makeMatches(api, own, [{}])
    const kept = Promise.withResolvers<void>()
    const opening = api.app.database.transaction(async (tx) => {
      await lockLinkForShare(tx, own.guid)
      kept.resolve()
      await vi.waitUntil(async () => (await blocked()) > 0, { interval: 10, timeout: 10_000 })
      await tx.session.client.query(
        `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state)
         values ($1, $2, $3, 'connecting', 'idle', '{}')`,
        [own.guid, match, organiser.guid],
      )
    })
    await kept.promise
    const [removed] = await Promise.all([api.delete(at(own), organiser), opening])
    expect(outcome(removed)).toEqual([409, 'assistant.sessions_open'])
  })
})

describe('a link that acts as somebody', () => {
  const opened = async (of: MadeTournament) => {
    const { db } = api.app.database
    return openingOf(db, api.app.services, await stored(of), new Date()).then(
      () => 'opened',
      ({ code }) => code,
    )
  }

  test('acts as whoever set it, while they manage the tournament', async () => {
    const own = await makeTournament(api, organiser)
    const helper = await roleHolder(api, own, 'role:admin')
    const asHelper = () => put({ tokenKind: 'own', token: undefined }, helper, own)
    expect((await asHelper()).actsAs.guid).toBe(helper.guid)
    expect(await opened(own)).toBe('opened')
    for (const role of tournamentRoles.filter((name) => name !== 'role:admin')) {
      await api.sql('update tournament_role_holders set role = $2 where user_guid = $1', [helper.guid, role])
      expect(await opened(own), role).toBe('assistant.actor_lost')
    }
    await api.sql(`update tournament_role_holders set role = 'role:admin' where user_guid = $1`, [helper.guid])
    expect(await opened(own)).toBe('opened')
    await api.sql('update users set banned_at = now() where guid = $1', [helper.guid])
    expect(await opened(own)).toBe('assistant.actor_lost')
    expect((await put({ tokenKind: 'own', token: undefined }, organiser, own)).actsAs.guid).toBe(organiser.guid)
    expect(await opened(own)).toBe('opened')
  })

  test('acts as nobody once their account is gone', async () => {
    const own = await makeTournament(api, organiser)
    const leaver = await roleHolder(api, own, 'role:admin')
    await put({ tokenKind: 'own', token: undefined }, leaver, own)
    expect((await api.delete('/users/@me', leaver)).status).toBeLessThan(300)
    expect((await api.get(at(own), organiser)).body.actsAs).toBeNull()
    expect(await opened(own)).toBe('assistant.actor_lost')
  })

  test('needs the token of a bot where it is to act as one', async () => {
    const own = await makeTournament(api, organiser)
    await put({ token: null }, organiser, own)
    expect(await opened(own)).toBe('assistant.unauthorised')
    await put({}, organiser, own)
    expect(await opened(own)).toBe('opened')
    // After a move to an installation with another key, the secret cannot be opened and must be set again.
    await api.sql(`update assistant_links set sealed_token = 'AAAA' where tournament_guid = $1`, [own.guid])
    expect(await opened(own)).toBe('assistant.unauthorised')
    await put({}, organiser, own)
    expect(await opened(own)).toBe('opened')
    await put({ tokenKind: 'readonly', token: undefined }, organiser, own)
    const opening = await openingOf(api.app.database.db, api.app.services, await stored(own), new Date())
    expect([opening.token(), opening.password, opening.versionCode]).toEqual(['readonly', secrets.password, 1310])
  })
})
