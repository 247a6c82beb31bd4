import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  basic,
  callAs,
  challengeOf,
  decide,
  formOf,
  makeParty,
  redeem,
  refresh,
  requestOf,
  verifier,
} from '../../test/authorization.ts'
import { type CallOptions, freePort, type Harness, type Reply, startHarness } from '../../test/harness.ts'
import { answerOf } from '../../test/oauth-answers.ts'

const sources = path.join(import.meta.dirname, '..')

/** The service as a separate process, whose log can be read. */
const program = `
import { createApp } from ${JSON.stringify(path.join(sources, 'app.ts'))}
import { readConfig } from ${JSON.stringify(path.join(sources, 'config.ts'))}
const app = await createApp(readConfig())
await app.listen()
process.once('SIGTERM', () => app.close())
process.send('listening')
`

interface Process {
  readonly api: Harness
  /** Ends the process; returns everything that it has logged. */
  readonly end: () => Promise<string>
}

async function startProcess(database: Harness): Promise<Process> {
  const { databaseUrl, dataDir } = database.app.config
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      SOCKET_PORT: '0',
      PUBLIC_URL: url,
      LOG_LEVEL: 'trace',
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  const ended = once(service, 'exit')
  await Promise.race([once(service, 'message'), ended])
  expect(service.exitCode, output).toBeNull()
  const call = async (
    method: string,
    callPath: string,
    { headers = {}, raw, token }: CallOptions = {},
  ): Promise<Reply> => {
    const response = await fetch(`${url}/api${callPath}`, {
      method,
      headers: { ...headers, ...(token == null ? {} : { authorization: `Bearer ${token}` }) },
      ...(raw === undefined ? {} : { body: raw as string }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text }
  }
  const end = async () => {
    service.kill('SIGTERM')
    await ended
    return output
  }
  return { api: { ...database, url, call }, end }
}

/** Every row of every table, its bytes in hexadecimal digits as the database shows them. */
async function everythingStored(api: Harness): Promise<string> {
  const tables = await api.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const dumps = tables.map(({ name }) =>
    api.sql<{ row: string }>(`select t::text || to_jsonb(t)::text as row from ${name} t`),
  )
  return (await Promise.all(dumps))
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

test('whatever lets somebody in is stored as a hash at most, and is in no log, error, event or metric', async () => {
  await using database = await startHarness()
  const { api, end } = await startProcess(database)
  const secrets = new Map<string, string>()
  const keep = (name: string, text: string | null | undefined) => {
    expect(text?.length, name).toBeGreaterThan(7)
    secrets.set(name, text ?? '')
    return text ?? ''
  }
  const errors: string[] = []
  const note = (reply: Pick<Reply, 'status' | 'text'>, status: number) => {
    expect(reply.status, reply.text).toBe(status)
    errors.push(reply.text)
  }

  const party = await makeParty(api)
  const { clientId, clientSecret } = party.application
  keep('client secret', clientSecret)
  keep('Basic', basic(clientId, clientSecret ?? '').slice('Basic '.length))
  keep('session', party.browser.cookie('downbeat_session'))

  const proof = keep('verifier', verifier())
  const request = requestOf(party, {
    state: keep('state', 'a-state-that-nobody-else-may-know'),
    scope: 'rest:read ws:read',
    code_challenge: challengeOf(proof),
    code_challenge_method: 'S256',
  })
  const shown = await party.browser.visit(request)
  keep('sealed request', formOf(shown.text).members.request)
  await decide(party.browser, shown, 'deny')
  note(await decide(party.browser, shown, 'approve', 'https://evil.example'), 403)
  const { code = '' } = answerOf(await decide(party.browser, shown, 'approve'), party.redirectUri)
  keep('code', code)
  const wrongProof = keep('wrong verifier', verifier())
  note(await redeem(party, code, { code_verifier: wrongProof }), 400)
  note(await redeem(party, code, { code_verifier: proof, redirect_uri: `https://evil.example/?code=${code}` }), 400)
  note(await callAs(party, `/oauth/token?code=${code}`, { grant_type: 'authorization_code' }), 400)
  const first = (await redeem(party, code, { code_verifier: proof })).body
  const second = (await refresh(party, first.refresh_token)).body
  for (const [name, tokens] of Object.entries({ first, second })) {
    keep(`${name} refresh token`, tokens.refresh_token)
    keep(`${name} access token`, tokens.access_token)
    keep(`${name} access token's signature`, tokens.access_token.split('.')[2])
  }
  const { access_token: access, refresh_token: token } = second
  expect((await callAs(party, '/oauth/introspect', { token })).body.active).toBe(true)
  expect((await callAs(party, '/oauth/introspect', { token: access })).body.active).toBe(true)
  note(await refresh(party, `${token}x`), 400)
  const guess = keep('wrong secret', 'a-wrong-secret-that-somebody-typed')
  note(await refresh({ api, application: { clientId, clientSecret: guess } }, token), 401)
  note(
    await callAs({ api, application: { clientId, clientSecret: null } }, '/oauth/token', {
      client_secret: clientSecret ?? '',
    }),
    401,
  )
  note(await callAs(party, '/oauth/token', { grant_type: token, refresh_token: token, scope: token }), 400)
  note(await callAs(party, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, scope: token }), 400)
  note(await callAs(party, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, [token]: token }), 200)
  const third = JSON.parse(errors.pop() ?? '')
  keep('third refresh token', third.refresh_token)
  note(await api.call('GET', `/oauth/token?refresh_token=${token}`), 404)
  note(await api.call('GET', `/oauth/${token}/%zz?code=${code}`), 400)
  note(await api.call('GET', `/users/@me/sessions`, { token: `${access}x` }), 401)
  note(
    await callAs(party, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: `${token}${'\u0000'.repeat(9_000)}`,
    }),
    400,
  )

  const device = (await callAs(party, '/oauth/device_authorization', { scope: 'rest:read' })).body
  keep('device code', device.device_code)
  keep('user code', device.user_code)
  keep('user code in one piece', device.user_code.replace('-', ''))
  note(
    await callAs(party, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
    }),
    400,
  )

  // An internal failure at the worst moment: while the secrets are in the statements.
  const broken: [string, () => Promise<Pick<Reply, 'status' | 'text'>>][] = [
    ['refresh_tokens', () => refresh(party, third.refresh_token)],
    ['authorization_codes', () => redeem(party, code)],
    ['authorization_codes', () => party.browser.visit(request)],
    ['device_requests', () => callAs(party, '/oauth/device_authorization', {})],
    ['applications', () => refresh(party, third.refresh_token)],
  ]
  for (const [table, work] of broken) {
    await api.sql(`alter table ${table} rename to gone`)
    note(await work(), 500)
    await api.sql(`alter table gone rename to ${table}`)
  }

  note(await refresh(party, first.refresh_token), 400)
  expect((await callAs(party, '/oauth/revoke', { token: third.refresh_token })).status).toBe(200)

  const stored = await everythingStored(api)
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const log = await end()

  // The searched data really has the expected content.
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  for (const text of [clientSecret ?? '', code, first.refresh_token, third.refresh_token, device.device_code]) {
    expect(stored).toContain(hash(text))
  }
  for (const type of ['application.granted', 'token.reused']) expect(stored).toContain(type)
  for (const operation of ['authorize', 'decide', 'token', 'revoke', 'introspect', 'deviceAuthorization']) {
    expect(log).toContain(`"op":"oauth.${operation}"`)
    expect(metrics).toContain(`operation="oauth.${operation}"`)
  }
  expect(log.match(/"msg":"failed"/g)).toHaveLength(broken.length)

  for (const [name, secret] of secrets) {
    const forms = [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64'),
    ]
    for (const text of forms) {
      expect(stored.includes(text), `${name} is stored`).toBe(false)
      expect(log.includes(text), `${name} is logged`).toBe(false)
      expect(metrics.includes(text), `${name} is measured`).toBe(false)
      expect(
        errors.some((error) => error.includes(text)),
        `${name} is in an error`,
      ).toBe(false)
    }
  }
  for (const error of errors) expect(error).not.toMatch(/relation|gone|select |insert |\bat .*\.ts/)
})
