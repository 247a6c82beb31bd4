import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import { anonymous, anyone, firstParty, type Policy, signedIn } from '../src/core/actor.ts'
import { isForPrograms, parametersOf } from '../src/core/operation.ts'
import { type Harness, type Reply, startHarness } from './harness.ts'
import { actorOf, addressOf, makeWorld, nobody, type World } from './world.ts'

/** Rules for all operations, tested with each of them. */

let api: Harness
let world: World
/** Nobody in these tests may see it, so nothing changes it. */
let draft: World
beforeAll(async () => {
  api = await startHarness()
  world = await makeWorld(api, { registered: true })
  draft = await makeWorld(api, { status: 'draft' })
})
afterAll(() => api[Symbol.asyncDispose]())

const needsToken = operations.filter(({ scope }) => scope !== 'public' && isForPrograms(scope))
const withBody = operations.filter(
  (operation) => operation.kind === 'command' && operation.body !== undefined && operation.bodyType !== 'upload',
)
const uploads = operations.filter((operation) => operation.kind === 'command' && operation.bodyType === 'upload')
const forms = operations.filter(({ method, parameters }) => method !== 'GET' && parameters !== undefined)
/** Policies that accept every caller with a token. */
const forAll: ReadonlySet<Policy<never>> = new Set([anyone, signedIn, firstParty])
/** Records that do not exist for other callers. */
const hiddenRecords: Readonly<Record<string, string>> = {
  sheet: 'sheet.unknown',
  suggestion: 'suggestion.unknown',
  comment: 'comment.unknown',
  media: 'media.unknown',
  badgeRequest: 'badge_request.unknown',
  nominee: 'award.nominee_unknown',
  overlay: 'overlay.unknown',
}
const problemOf = (reply: Reply) => reply.headers.get('problem-code')

/** The headers of every response. (D10, D13) */
function expectStanding(reply: Reply): void {
  expect(reply.headers.get('request-id')).toMatch(/^[\w-]{10,}$/)
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  for (const name of [
    'ratelimit',
    'ratelimit-policy',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ]) {
    expect(reply.headers.get(name), name).not.toBeNull()
  }
}

describe.each(needsToken.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  const address = () => addressOf(operation, world)
  // Public for every user except `@me`. (D2)
  const asked = () => (operation.publicUnlessMe ? address().replace(world.member.guid, '@me') : address())

  test('a missing token is refused with a plain challenge', async () => {
    const reply = await api.call(operation.method, asked())
    expect([reply.status, problemOf(reply)]).toEqual([operation.missingToken ?? 401, 'token.missing'])
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expectStanding(reply)
  })

  test('a token that is not ours is refused as invalid', async () => {
    const reply = await api.call(operation.method, asked(), { token: 'eyJhbGciOiJub25lIn0.e30.' })
    expect([reply.status, problemOf(reply)]).toEqual([401, 'token.invalid'])
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expectStanding(reply)
  })

  test('a token without the scope is refused, and told which is missing', async () => {
    const token = await api.token(world.organiser, operation.scope === 'ws:read' ? ['rest:write'] : ['ws:read'])
    const reply = await api.call(operation.method, asked(), { token })
    expect([reply.status, problemOf(reply)]).toEqual([401, 'scope.missing'])
    expect(reply.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${operation.scope}"`)
    expectStanding(reply)
  })
})

describe.each(
  operations
    .filter(({ path }) => parametersOf(path).includes('tournament'))
    .map((operation) => [operation.name, operation] as const),
)('%s', (_name, operation) => {
  test('an unknown tournament is told before anything of role or body, and a hidden draft answers the same', async () => {
    const expected = operation.unknown ?? 404
    const outsider = await api.user()
    const unknown = await api.call(operation.method, addressOf(operation, world, { tournament: nobody }), {
      as: outsider,
    })
    const hidden = await api.call(operation.method, addressOf(operation, draft), { as: outsider })
    expect([unknown.status, problemOf(unknown)]).toEqual([expected, 'tournament.unknown'])
    expect([hidden.status, problemOf(hidden), hidden.text]).toEqual([expected, 'tournament.unknown', unknown.text])
    const names = (reply: Reply) => [...reply.headers.keys()].sort()
    expect(names(hidden)).toEqual(names(unknown))
  })
})

/** Operations whose caller here is refused before their query is read. (D1) */
const turnedAway: ReadonlySet<string> = new Set(['awards.withdrawNomination', 'awards.decline'])
const changing = operations.filter(
  ({ name, kind, scope }) => kind === 'command' && isForPrograms(scope) && !turnedAway.has(name),
)

describe.each(changing.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('a preview that it does not know, or a condition in the wrong place, is refused, and nothing happens', async () => {
    const as = actorOf(operation, world)
    const address = addressOf(operation, world)
    const { query, body, bodyType } = operation.kind === 'command' ? operation : {}
    const knows = (schema: object | undefined) => JSON.stringify(schema ?? {}).includes('"dryRun"')
    const lastSeq = async () => (await api.sql('select coalesce(max(seq), 0) as seq from event_log'))[0]
    const before = await lastSeq()
    const spelt = knows(query) ? ['dry_run=true', 'DryRun=true'] : ['dryRun=true', 'dryRun=false', 'dry-run=1']
    for (const asked of spelt) {
      const reply = await api.call(operation.method, `${address}?${asked}`, { as })
      expect([reply.status, problemOf(reply)], asked).toEqual([400, 'request.dry_run_unknown'])
    }
    const takesJson = body !== undefined || (bodyType === undefined && operation.parameters === undefined)
    const isJson = takesJson && bodyType !== 'upload' && bodyType !== 'form' && operation.errors !== 'oauth'
    if (isJson && !knows(body)) {
      const reply = await api.call(operation.method, address, { as, body: { dryRun: true } })
      // An operation without a body may refuse before the body is read.
      if (body === undefined) expect(reply.status).toBeGreaterThanOrEqual(400)
      else expect([reply.status, problemOf(reply)]).toEqual([400, 'request.dry_run_unknown'])
    }
    const properties = Object.keys((body as { properties?: object } | undefined)?.properties ?? {})
    const conditions = properties.filter((name) =>
      ['revision', 'revisions', 'expectedUpdatedAt', 'expect'].includes(name),
    )
    for (const name of conditions) {
      const reply = await api.call(operation.method, `${address}?${name}=1`, { as })
      expect([reply.status, problemOf(reply)], name).toEqual([400, 'request.condition_misplaced'])
    }
    expect(await lastSeq()).toEqual(before)
  })
})

describe.each(withBody.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('a body that cannot be read is refused without harm', async () => {
    const as = actorOf(operation, world)
    const send = (raw: string, type = 'application/json') =>
      api.call(operation.method, addressOf(operation, world), { as, raw, headers: { 'content-type': type } })
    const { bodyType, maxBytes } = operation.kind === 'command' ? operation : {}
    const limit = maxBytes ?? (bodyType === 'multipart' ? 4 : 1) * 1024 * 1024
    const outcomes = await Promise.all([
      send('{"a":'),
      send('<a/>', 'application/xml'),
      send(`"${'x'.repeat(limit)}"`),
      send('['.repeat(100_000)),
      send('{"__proto__":{"a":1}}'),
    ])
    expect(outcomes.map((reply) => reply.status)).toEqual([400, 415, 413, 400, 400])
    for (const reply of outcomes) expect(problemOf(reply)).toMatch(/^request\./)
  })
})

describe.each(uploads.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('a form that cannot be read is refused without harm, before and behind its beginning', async () => {
    const as = actorOf(operation, world)
    const send = (raw: string, type = 'multipart/form-data; boundary=x') =>
      api.call(operation.method, addressOf(operation, world), { as, raw, headers: { 'content-type': type } })
    const outcomes = await Promise.all([
      send('{}', 'application/json'),
      send('--x--', 'multipart/form-data'),
      send('no form at all'),
      send('--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\navatar'),
    ])
    expect(outcomes.map((reply) => [reply.status, problemOf(reply)])).toEqual([
      [415, 'request.unsupported_type'],
      ...Array.from({ length: 3 }, () => [400, 'request.malformed']),
    ])
  })
})

describe.each(
  withBody.filter(({ allow }) => !forAll.has(allow)).map((operation) => [operation.name, operation] as const),
)('%s', (_name, operation) => {
  test('a caller who may not act learns nothing about the body', async () => {
    const outsider = await api.user()
    const address = addressOf(operation, world)
    const wellFormed = await api.call(operation.method, address, { as: outsider, body: {} })
    const malformed = await api.call(operation.method, address, {
      as: outsider,
      raw: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([malformed.status, malformed.text]).toEqual([wellFormed.status, wellFormed.text])
    // A record that is hidden from a caller does not exist for them. (D5)
    const hidden = Object.keys(hiddenRecords).find((name) => operation.path.includes(`:${name}`))
    const refused = operation.allow.refusal?.({ ...anonymous, guid: outsider.guid })
    const expected =
      refused != null
        ? [404, refused.code]
        : hidden === undefined
          ? [operation.forbidden ?? 403, 'role.missing']
          : [404, hiddenRecords[hidden]]
    expect([malformed.status, problemOf(malformed)]).toEqual(expected)
  })
})

describe.each(forms.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('a form that cannot be read is refused without harm', async () => {
    const send = (raw: string | Uint8Array, type = 'application/x-www-form-urlencoded') =>
      api.call(operation.method, addressOf(operation, world), {
        raw,
        headers: { 'content-type': type, origin: api.app.config.publicUrl },
      })
    const outcomes = await Promise.all([
      send('{}', 'application/json'),
      send(Uint8Array.of(0x61, 0x3d, 0xff)),
      send(`a=${'x'.repeat(1024 * 1024)}`),
    ])
    expect(outcomes.map((reply) => [reply.status, problemOf(reply)])).toEqual([
      [415, 'request.unsupported_type'],
      [400, 'request.malformed'],
      [413, 'request.too_large'],
    ])
  })
})

test('errors come as text, JSON or problem document, as asked for, with one stable code', async () => {
  const forms: [string | undefined, string][] = [
    [undefined, 'text/plain; charset=utf-8'],
    ['*/*', 'text/plain; charset=utf-8'],
    ['text/html', 'text/plain; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/problem+json; charset=utf-8'],
    ['application/json;q=0.2, application/problem+json;q=0.9', 'application/problem+json; charset=utf-8'],
  ]
  for (const [accept, type] of forms) {
    const reply = await api.call('GET', '/users/1/card', { headers: accept === undefined ? {} : { accept } })
    expect([reply.status, reply.headers.get('content-type'), problemOf(reply)]).toEqual([404, type, 'user.unknown'])
    if (type.startsWith('application/problem')) {
      expect(reply.body).toMatchObject({
        status: 404,
        title: 'Not Found',
        code: 'user.unknown',
        requestId: reply.headers.get('request-id'),
      })
    } else if (type.startsWith('application/json')) expect(Object.keys(reply.body)).toEqual(['error'])
    else expect(reply.text).toMatch(/^[A-Z].*\.$/)
  }
})

test('`@me` may be encoded like any other identifier', async () => {
  const plain = await api.get('/users/@me/notifications', world.organiser)
  const encoded = await api.get('/users/%40me/notifications', world.organiser)
  expect([encoded.status, encoded.text]).toEqual([200, plain.text])
})

test('nothing is at an unknown address, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const reply = await api.call(method, '/no/such/thing')
    expect([reply.status, problemOf(reply)]).toEqual([404, 'route.unknown'])
  }
})

test('any origin may call with a token, and none with credentials', async () => {
  const preflight = await api.call('OPTIONS', '/users', {
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const read = await api.get('/users', null, { origin: 'https://elsewhere.example' })
  expect(read.headers.get('access-control-allow-origin')).toBe('*')
})
