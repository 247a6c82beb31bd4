import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { atRest, everythingStored, hurry, mailTo, request, tokenFor, tokenIn } from '../../../../test/emails.ts'
import { type FakeMail, startFakeMail } from '../../../../test/fakes/mail.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'

/** From the request to its mail, with a mail server that is sometimes down. */

let port: number
let api: Harness
let user: Caller
const email = 'quaver@example.org'
beforeAll(async () => {
  port = await freePort()
  api = await startHarness({ mail: { url: `smtp://127.0.0.1:${port}`, from: 'noreply@downbeat.example' } })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  user = await api.user()
})
afterEach(() => atRest(api))

const within = { timeout: 60_000, interval: 20 }

interface JobRow {
  readonly attempts: number
  readonly payload: unknown
  readonly last_error: string | null
  readonly locked_at: Date | null
}

const jobs = () =>
  api.sql<JobRow>(
    `select attempts, payload, last_error, locked_at from graphile_worker._private_jobs
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'emails.sendVerification')`,
  )

async function untilTried(times: number): Promise<JobRow> {
  await vi.waitUntil(async () => {
    const [job] = await jobs()
    return job?.attempts === times && job.last_error !== null && job.locked_at === null
  }, within)
  return (await jobs())[0] as JobRow
}

const untilDone = () => vi.waitUntil(async () => (await jobs()).length === 0, within)

async function verification() {
  const [row] = await api.sql<{ guid: string; sent_at: Date | null; refused_at: Date | null }>(
    'select * from email_verifications where user_guid = $1 order by requested_at desc',
    [user.guid],
  )
  if (row === undefined) throw new Error('nothing was requested')
  return row
}

/** Derives the token as the service does, so that it can be searched for before a mail contains it. */
const tokenOf = (guid: string) => api.app.services.seal(`email-verification.${guid}`)

async function statusSeen(): Promise<string> {
  const owner = await api.user({ globalRoles: ['role:owner'] })
  return (await api.get(`/admin/users/${user.guid}`, owner)).body.emailVerificationRequests[0].status
}

/** Starts a mail server at the configured address, and returns the mails that arrive once all due jobs have run. */
async function cameAfter(arrange: () => Promise<unknown>): Promise<FakeMail['messages']> {
  expect((await request(api, user, email)).status).toBe(202)
  await untilTried(1)
  await arrange()
  await using mail = await startFakeMail({ port })
  await hurry(api)
  await untilDone()
  return mail.messages
}

test('a mail waits for the mail server, each attempt longer than the one before, and then goes out once', async () => {
  expect((await request(api, user, email)).status).toBe(202)
  const delays: number[] = []
  for (const attempt of [1, 2, 3]) {
    await untilTried(attempt)
    const [row] = await api.sql<{ seconds: number }>(
      'select extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs',
    )
    delays.push(row?.seconds ?? 0)
    if (attempt < 3) await hurry(api)
  }
  expect(delays).toEqual([...delays].sort((a, b) => a - b))
  expect(delays[2]).toBeGreaterThan(10)
  expect((await verification()).sent_at).toBeNull()

  await using mail = await startFakeMail({ port })
  await hurry(api)
  const token = tokenIn(await mailTo(mail, email))
  await untilDone()
  expect((await verification()).sent_at).not.toBeNull()
  expect((await api.post(`/email-verifications/${token}`, null)).status).toBe(200)
  expect(mail.messages).toHaveLength(1)
})

test('neither token nor link is stored at any time, and the address in no job and no event', async () => {
  expect((await request(api, user, email)).status).toBe(202)
  const job = await untilTried(1)
  const { guid } = await verification()
  const token = tokenOf(guid)
  const seen: string[] = [await everythingStored(api)]
  expect(job.payload).toEqual({ guid })
  expect(job.last_error).toMatch(/127\.0\.0\.1: no connection could be made/)
  expect(job.last_error).not.toContain(email)

  await using mail = await startFakeMail({ port })
  await hurry(api)
  expect(tokenIn(await mailTo(mail, email))).toBe(token)
  await untilDone()
  seen.push(await everythingStored(api))
  expect((await api.post(`/email-verifications/${token}`, null)).status).toBe(200)
  seen.push(await everythingStored(api))

  const spellings = [
    token,
    encodeURIComponent(token),
    Buffer.from(token).toString('hex'),
    Buffer.from(token).toString('base64'),
  ]
  for (const stored of seen) {
    // Checks that the search finds texts that are stored.
    for (const there of [email, guid, user.guid]) expect(stored).toContain(there)
    for (const spelling of [...spellings, '/email-verifications/']) expect(stored).not.toContain(spelling)
  }
  const events = await api.sql<{ line: string }>('select event_log::text as line from event_log')
  expect(events.map(({ line }) => line).join()).not.toContain(email)
})

describe('a mail server that', () => {
  test.each([
    ['refuses the address', { refuse: 550 }],
    ['refuses the mail', { refuseContent: 554 }],
  ])('%s for good is not asked again, and administrators see it', async (_what, how) => {
    await using mail = await startFakeMail({ port })
    const behave = mail.misbehave(how)
    await request(api, user, email)
    await vi.waitUntil(async () => (await verification()).refused_at !== null, within)
    await untilDone()
    behave()
    expect(mail.messages).toEqual([])
    expect(await statusSeen()).toBe('undeliverable')
    const link = `/email-verifications/${tokenOf((await verification()).guid)}`
    expect((await api.post(link, null)).headers.get('problem-code')).toBe('email_verification.invalid')
    expect((await request(api, user, email)).status).toBe(202)
    await mailTo(mail, email)
  })

  test.each([
    ['refuses the address for now', { refuse: 450 }],
    ['refuses the mail for now', { refuseContent: 451 }],
    ['drops the connection', 'drop' as const],
  ])('%s is asked again', async (_what, how) => {
    await using mail = await startFakeMail({ port })
    const behave = mail.misbehave(how)
    await request(api, user, email)
    const { last_error: lastError } = await untilTried(1)
    expect(lastError).not.toMatch(/quaver|nobody knows|no mail for us/)
    behave()
    await hurry(api)
    await mailTo(mail, email)
    await untilDone()
    expect(await statusSeen()).toBe('pending')
  })
})

describe('no mail goes out any more', () => {
  test('once the link has expired', async () => {
    const expire = () => api.sql('update email_verifications set expires_at = now()')
    expect(await cameAfter(expire)).toEqual([])
  })

  test('to a user who is banned meanwhile', async () => {
    const ban = () => api.sql('update users set banned_at = now() where guid = $1', [user.guid])
    expect(await cameAfter(ban)).toEqual([])
  })

  test('to a user who has given up the account', async () => {
    const leave = () => api.sql('update users set anonymised_at = now() where guid = $1', [user.guid])
    expect(await cameAfter(leave)).toEqual([])
  })

  test('for a request whose place another one took', async () => {
    const newer = 'newer@example.org'
    const came = await cameAfter(() => request(api, user, newer))
    expect(came.map(({ envelope }) => envelope.to)).toEqual([[newer]])
  })

  test('once it went out, though the job runs again', async () => {
    await using mail = await startFakeMail({ port })
    await tokenFor(api, mail, user, email)
    await vi.waitUntil(async () => (await verification()).sent_at !== null, within)
    await untilDone()
    await api.sql(`select graphile_worker.add_job('emails.sendVerification', json_build_object('guid', $1::text))`, [
      (await verification()).guid,
    ])
    await untilDone()
    expect(mail.messages).toHaveLength(1)
  })
})

test('another process may send the mail that one was asked for', async () => {
  await using sibling = await api.sibling()
  await using mail = await startFakeMail({ port })
  for (let count = 1; count <= 6; count++) {
    const token = await tokenFor(count % 2 === 0 ? api : sibling, mail, user, `player.${count}@example.org`)
    expect((await (count % 2 === 0 ? sibling : api).post(`/email-verifications/${token}`, null)).status).toBe(200)
  }
  await atRest(api)
})

test('requests are forgotten a week after their links expired, in whatever number', async () => {
  const add = (email: string, expiresAt: string, count: number) =>
    api.sql(
      `insert into email_verifications (user_guid, email, token_hash, expires_at)
       select $1, $2, sha256(($2 || number)::bytea), now() + $3::interval from generate_series(1, $4) as number`,
      [user.guid, email, expiresAt, count],
    )
  await add('long.gone@example.org', '-7 days -1 minutes', 2_100)
  await add('gone@example.org', '-7 days 1 minutes', 2)
  await add('open@example.org', '1 hour', 1)
  await api.sql(`select graphile_worker.add_job('emails.sweep')`)
  const kept = () =>
    api.sql('select email, count(*)::int from email_verifications where user_guid = $1 group by email order by email', [
      user.guid,
    ])
  await vi.waitUntil(async () => (await kept()).length === 2, within)
  expect(await kept()).toEqual([
    { email: 'gone@example.org', count: 2 },
    { email: 'open@example.org', count: 1 },
  ])
})

describe('without a mail server', () => {
  test.each(['staging', 'production'] as const)('nothing can be asked for in %s', async (environment) => {
    await using bare = await startHarness({ environment, mail: null })
    const somebody = await bare.user()
    const reply = await request(bare, somebody, email)
    expect([reply.status, reply.headers.get('problem-code')]).toEqual([400, 'email.not_configured'])
    expect(await bare.sql('select from email_verifications')).toEqual([])
    expect(await bare.sql('select from graphile_worker._private_jobs')).toEqual([])
    const malformed = await request(bare, somebody, 'root@localhost')
    expect(malformed.headers.get('problem-code')).toBe('email.invalid')
  })

  test('it can in local, where the link is logged', async () => {
    await using bare = await startHarness({ mail: null })
    const reply = await request(bare, await bare.user(), email)
    expect([reply.status, reply.body.email]).toEqual([202, email])
  })
})
