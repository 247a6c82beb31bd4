import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { Script } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort, type Harness, startHarness } from '../harness.ts'
import { type Env, program, run } from './service.ts'

/** The command line: its output, the streams that it uses, and its exit codes. */

let api: Harness
/** The same database and keys as those of `api`. */
let env: Env
beforeAll(async () => {
  api = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl }
})
afterAll(() => api[Symbol.asyncDispose]())

const oneLine = /^downbeat: [^\n]+\n$/

describe('it does not start, and says why in one line, when', () => {
  const wrong: [string, Env, RegExp][] = [
    ['a variable is wrong', { PORT: 'http' }, /^downbeat: PORT must be a port/],
    ['a variable of production is missing', { ENVIRONMENT: 'production' }, /DISCORD_CLIENT_ID/],
    [
      'nobody listens where its database should be',
      { DATABASE_URL: 'postgres://nobody:hunter2@localhost:1/none' },
      /DATABASE_URL/,
    ],
    ['its system platform has another id', { SYSTEM_PLATFORM_ID: 'elsewhere' }, /SYSTEM_PLATFORM_ID .*\bmain\b/],
    ['its host is not this machine', { HOST: '192.0.2.1' }, /^downbeat: HOST 192\.0\.2\.1 is no address of this/],
    [
      'its host is unknown',
      { HOST: 'no-such-host.invalid' },
      /^downbeat: HOST no-such-host\.invalid cannot be resolved/,
    ],
    ['its data directory cannot be made', { DATA_DIR: `${import.meta.filename}/below` }, /commands\.test\.ts/],
  ]
  test('something of its environment is not right', async () => {
    // One after the other, because each is timed.
    for (const [what, changes, reason] of wrong) {
      const { code, stderr, stdout, ms } = await run(['serve'], { ...env, PORT: '0', ...changes })
      expect([what, code]).toEqual([what, 1])
      expect(stderr, what).toMatch(oneLine)
      expect(stderr, what).toMatch(reason)
      expect(stdout + stderr, what).not.toContain('hunter2')
      expect(ms, what).toBeLessThan(20_000)
    }
  })

  test('its port is taken', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const { code, stderr } = await run(['serve'], { ...env, PORT: String(port) })
    taken.close()
    expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)])
    expect(stderr).toContain(`PORT ${port} is in use at 127.0.0.1`)
  })

  test('its database was migrated by a newer version', async () => {
    await using newer = await startHarness()
    await newer.sql(
      `insert into migrations (hash, created_at) select 'of tomorrow', max(created_at) + 1 from migrations`,
    )
    const target = { ...env, DATABASE_URL: newer.app.config.databaseUrl as string }
    const exits = await Promise.all(
      [['serve'], ['migrate'], ['token', '1']].map((command) => run(command, { ...target, PORT: '0' })),
    )
    for (const { code, stdout, stderr } of exits) {
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(oneLine)])
      expect(stderr).toContain('newer version of Downbeat')
    }
  })

  describe('its Node.js is too old', () => {
    const source = readFileSync(program, 'utf8')

    test.each(['v20.20.2', 'v22.1.0', 'v9.11.2'])('as %s is', async (version) => {
      const lie = `Object.defineProperty(process, 'version', { value: '${version}' })
        Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version.slice(1)}' } })`
      const preload = `data:text/javascript,${encodeURIComponent(lie)}`
      const { code, stdout, stderr } = await run(['serve'], { ...env, NODE_OPTIONS: `--import=${preload}` })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toBe(`downbeat: Node.js 24 or later is needed, and this is ${version}.\n`)
    })

    test('and what it reads first is plain enough for it', () => {
      // Must be valid as a script: without imports, top-level `await` and syntax newer than template strings.
      expect(() => new Script(source)).not.toThrow()
      expect(source).not.toMatch(/\?\.|\?\?|\*\*|=>|\basync\b|\.\.\.|\bcatch *\{|\bimport\.meta|#(?!!)/)
      const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
      expect(engines.node).toBe(`>=${/wanted = (\d+)/.exec(source)?.[1]}`)
    })
  })
})

describe('the command', () => {
  test('token prints a token of a user, who is made if there is none, and nothing else', async () => {
    const known = await api.user()
    const [old, made, banned, unknown, scope, role] = await Promise.all([
      run(['token', known.guid, '--scope', 'rest:user:read'], env),
      run(['token', '880000000000000001', '--name', 'quaver', '--role', 'role:dev'], env),
      (async () => {
        const barred = await api.user()
        await api.sql('update users set banned_at = now() where guid = $1', [barred.guid])
        return run(['token', barred.guid], env)
      })(),
      run(['token', 'quaver'], env),
      run(['token', known.guid, '--scope', 'everything'], env),
      run(['token', known.guid, '--role', 'role:king'], env),
    ])
    expect([old.code, made.code, old.stderr, made.stderr]).toEqual([0, 0, '', ''])
    for (const { stdout } of [old, made]) expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const me = await api.call('GET', '/users/@me', { token: made.stdout.trim() })
    expect(me.body).toMatchObject({ chatPlatformId: '880000000000000001', username: 'quaver' })
    const users = await api.call('GET', '/admin/users', { token: made.stdout.trim() })
    expect(users.status).toBe(200)
    expect((await api.call('GET', '/users/@me', { token: old.stdout.trim() })).status).toBe(200)
    const write = await api.call('POST', '/updateUserSettings', { token: old.stdout.trim(), body: { grip: 'x' } })
    expect([write.status, write.headers.get('problem-code')]).toEqual([401, 'scope.missing'])
    for (const refused of [banned, unknown, scope, role]) {
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringMatching(oneLine)])
    }
  })

  test('token gives none outside the local environment, where its user could not end it, and alters nothing', async () => {
    const known = await api.user()
    const before = await stored()
    const elsewhere = { ...env, DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'secret' }
    const refused = await Promise.all(
      [
        ['staging', '880000000000000002'],
        ['production', known.guid],
      ].map(([environment = '', user = '']) =>
        run(['token', user, '--role', 'role:dev'], { ...elsewhere, ENVIRONMENT: environment }),
      ),
    )
    for (const { code, stdout, stderr } of refused) {
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(oneLine)])
      expect(stderr).toContain('local environment')
    }
    expect(await stored()).toEqual(before)

    async function stored() {
      const [tokens] = await api.sql('select count(*)::int as tokens from access_tokens')
      const users = await api.sql('select guid, global_roles from users order by guid')
      return { tokens, users }
    }
  })

  test('migrate brings an empty database up to date, and one that is so already', async () => {
    const { host, port, user } = inject('postgres')
    const name = `migrated_by_command_${process.pid}`
    const admin = new pg.Client({ host, port, user, database: 'postgres' })
    await admin.connect()
    await admin.query(`create database ${name}`)
    try {
      const target = { ...env, DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${name}` }
      const both = await Promise.all([run(['migrate'], target), run(['migrate'], target)])
      for (const { code, stderr, stdout } of both)
        expect([code, stderr, stdout]).toEqual([0, '', 'The database is up to date.\n'])
      const client = new pg.Client({ host, port, user, database: name })
      await client.connect()
      expect((await client.query('select count(*)::int as events from event_log')).rows).toEqual([{ events: 0 }])
      await client.end()
    } finally {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    }
  })

  test('rotate-keys signs new tokens with a new key, and old ones stay good', async () => {
    const user = await api.user()
    const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    const { code, stderr, stdout } = await run(['rotate-keys'], env)
    expect([code, stderr]).toEqual([0, ''])
    const minted = (await run(['token', user.guid], env)).stdout.trim()
    expect(kid(minted)).not.toBe(kid(user.token))
    expect(stdout).toContain(kid(minted))
    for (const token of [minted, user.token]) expect((await api.call('GET', '/users/@me', { token })).status).toBe(200)
  })

  test('doctor checks what must work, and only warns, soon, of platforms that cannot be reached', async () => {
    const silent = createServer(() => {})
    const port = await freePort()
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve))
    const doctor = (address: string) =>
      run(['doctor'], {
        ...env,
        DISCORD_CLIENT_ID: '1',
        DISCORD_CLIENT_SECRET: 'hunter2',
        DISCORD_API_URL: address,
        SCORESABER_API_URL: address,
        BEATLEADER_API_URL: 'http://127.0.0.1:1',
        BEATSAVER_API_URL: address,
      })
    const refused = await doctor('http://127.0.0.1:1')
    const { code, stdout, stderr, ms } = await doctor(`http://127.0.0.1:${port}`)
    silent.close()
    expect([code, stderr]).toEqual([0, ''])
    const verdicts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^(\S+) +([^:]+):/.exec(line)?.slice(1))
    expect(verdicts).toEqual([
      ['ok', 'configuration'],
      ['ok', 'website'],
      ['ok', 'data directory'],
      ['ok', 'database'],
      ['ok', 'clock'],
      ['ok', 'events for announcements'],
      ['ok', 'events for assistant_control'],
      ['ok', 'events for badge_requests'],
      ['ok', 'events for channels'],
      ['ok', 'events for claims'],
      ['ok', 'events for flow_sessions'],
      ['ok', 'events for game_proposals'],
      ['ok', 'events for notifications'],
      ['ok', 'events for overlay_scenes'],
      ['ok', 'events for push'],
      ['ok', 'events for stream_sessions'],
      ['ok', 'events for teams'],
      ['ok', 'events for webhooks'],
      ['warn', 'chat platform'],
      ['warn', 'ranking platform A'],
      ['warn', 'ranking platform B'],
      ['warn', 'map catalogue'],
      ['warn', 'mail'],
    ])
    expect(stdout).not.toContain('hunter2')
    // All checks wait at the same time; the rest of the time depends on the machine.
    expect(ms - refused.ms).toBeLessThan(8_000)
  })

  test('doctor warns of an installation that others cannot reach, or that nobody owns', async () => {
    const mute = 'http://127.0.0.1:1'
    const unreachable = {
      ...env,
      PUBLIC_URL: '',
      ENVIRONMENT: 'production',
      DISCORD_CLIENT_ID: '1',
      DISCORD_CLIENT_SECRET: 'hunter2',
      DISCORD_API_URL: mute,
      SCORESABER_API_URL: mute,
      BEATLEADER_API_URL: mute,
      BEATSAVER_API_URL: mute,
    }
    const whole = {
      ...unreachable,
      PUBLIC_URL: 'https://cups.example.org',
      OWNER_CHAT_IDS: '1,2',
      MEDIA_URL: 'https://media.example.org',
    }
    const lines = async (given: Env) => {
      const { code, stdout } = await run(['doctor'], given)
      expect(code).toBe(0)
      return stdout.split('\n').filter((line) => /configuration|owners|media:|website/.test(line))
    }
    // Whether it is built depends on the tests before.
    const website = expect.stringMatching(/^(ok {4}website: built|warn {2}website: it is not built; npm ci builds it)/)
    const [warned, content] = await Promise.all([lines(unreachable), lines(whole)])
    expect(warned).toEqual([
      expect.stringMatching(/^warn {2}configuration: PUBLIC_URL is not set; .*http:\/\/127\.0\.0\.1:3001$/),
      expect.stringMatching(/^warn {2}owners: OWNER_CHAT_IDS is not set/),
      // (M21)
      expect.stringMatching(/^warn {2}media: .* as the site is; set MEDIA_URL to an origin of their own$/),
      website,
    ])
    expect(content).toEqual([
      'ok    configuration: production, clients reach the service at https://cups.example.org',
      'ok    owners: 2 named by OWNER_CHAT_IDS',
      'ok    media: delivered from https://media.example.org',
      website,
    ])
  })

  test('doctor tells where the compatibility door is, once it is asked for', async () => {
    const mute = 'http://127.0.0.1:1'
    const given = { ...env, SCORESABER_API_URL: mute, BEATLEADER_API_URL: mute, BEATSAVER_API_URL: mute }
    const doors = async (more: Env) => {
      const { stdout } = await run(['doctor'], { ...given, ...more })
      return stdout.split('\n').filter((line) => line.includes('compatibility door'))
    }
    const [none, open, useless] = await Promise.all([
      doors({}),
      doors({ COMPAT_SOCKET: 'on', SOCKET_URL: 'wss://cups.example.org/socket' }),
      doors({ COMPAT_SOCKET: 'on', SERVE: 'api' }),
    ])
    expect(none).toEqual([])
    expect(open).toEqual(['ok    compatibility door: open at wss://cups.example.org/socket.io/'])
    expect(useless).toEqual([expect.stringMatching(/^warn {2}compatibility door: COMPAT_SOCKET is on, but SERVE/)])
  })

  test('doctor fails when the database cannot be reached', async () => {
    const mute = 'http://127.0.0.1:1'
    const { code, stdout } = await run(['doctor'], {
      ...env,
      DATABASE_URL: 'postgres://nobody:hunter2@localhost:1/none',
      SCORESABER_API_URL: mute,
      BEATLEADER_API_URL: mute,
      BEATSAVER_API_URL: mute,
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}database: .*DATABASE_URL/m)
    expect(stdout).not.toContain('hunter2')
  })
})
