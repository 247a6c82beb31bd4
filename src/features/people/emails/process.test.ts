import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mailTo, tokenIn } from '../../../../test/emails.ts'
import { startFakeMail } from '../../../../test/fakes/mail.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, logLines, run, type Service, startService } from '../../../../test/kernel/service.ts'

/** What operators see: the log and the doctor. */

let api: Harness
let user: Caller
let env: Env
const email = 'quaver@example.org'
beforeEach(async () => {
  api = await startHarness()
  user = await api.user()
  const { databaseUrl, dataDir, port, publicUrl } = api.app.config
  // The separate process replaces the harness's own one, so that only it runs the jobs.
  await api.app.close()
  env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: publicUrl }
})
afterEach(() => api[Symbol.asyncDispose]())

const within = { timeout: 60_000, interval: 20 }

const ask = (service: Service, method: string, path: string, body?: object) =>
  fetch(`${service.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('without a mail server the link is logged in local: in one line, which alone shows it', async () => {
  await using service = await startService({ ...env, LOG_LEVEL: 'info' })
  expect((await ask(service, 'PUT', '/users/@me/email', { email })).status).toBe(202)
  const withLink = () => logLines(service.output.stdout).filter(({ link }) => link !== undefined)
  await vi.waitUntil(() => withLink().length > 0, within)
  const link = String(withLink()[0]?.link)
  const token = link.split('/').at(-1) ?? ''
  expect(link).toBe(`${service.url}/api/email-verifications/${token}`)
  expect((await fetch(link)).status).toBe(200)
  expect((await ask(service, 'POST', `/email-verifications/${token}`)).status).toBe(200)
  expect(((await (await ask(service, 'GET', '/users/@me')).json()) as { email: string }).email).toBe(email)
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(token))).toHaveLength(1)
  expect(`${stdout}${stderr}`).not.toContain(email)
})

test('with one nothing of a mail is logged, whether it goes out or not, however much is logged', async () => {
  const port = await freePort()
  const SMTP_URL = `smtp://postman:hunter2@127.0.0.1:${port}?logger=true&debug=true&tls.rejectUnauthorized=false`
  await using service = await startService({
    ...env,
    LOG_LEVEL: 'trace',
    SMTP_URL,
    MAIL_FROM: 'Downbeat <noreply@downbeat.example>',
  })
  expect((await ask(service, 'PUT', '/users/@me/email', { email })).status).toBe(202)
  await vi.waitUntil(() => service.output.stdout.includes('job failed'), within)

  const credentials = { user: 'postman', password: 'hunter2' }
  await using mail = await startFakeMail({ port, startTls: true, credentials })
  const behave = mail.misbehave({ refuse: 550 })
  expect((await ask(service, 'PUT', '/users/@me/email', { email: 'refused@example.org' })).status).toBe(202)
  await vi.waitUntil(() => service.output.stdout.includes('verification mail refused'), within)
  behave()
  expect((await ask(service, 'PUT', '/users/@me/email', { email })).status).toBe(202)
  const token = tokenIn(await mailTo(mail, email))
  expect((await ask(service, 'GET', `/email-verifications/${token}`)).status).toBe(200)
  expect((await ask(service, 'POST', `/email-verifications/${token}/confirm`)).status).toBe(200)
  expect((await ask(service, 'POST', `/email-verifications/${token}`)).status).toBe(400)
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  const operations = logLines(stdout).map(({ op }) => op)
  expect(operations).toEqual(
    expect.arrayContaining(['emails.request', 'emails.confirmation', 'emails.confirm', 'emails.verify']),
  )
  for (const secret of [token, email, 'refused@example.org', 'hunter2', 'postman', '/email-verifications/']) {
    expect(`${stdout}${stderr}`).not.toContain(secret)
  }
})

test('the doctor tries the mail server', async () => {
  const mute = 'http://127.0.0.1:1'
  const port = await freePort()
  const examine = async (query = '') => {
    const SMTP_URL = `smtp://postman:hunter2@127.0.0.1:${port}?tls.rejectUnauthorized=false${query}`
    const platforms = { SCORESABER_API_URL: mute, BEATLEADER_API_URL: mute, BEATSAVER_API_URL: mute }
    const { code, stdout, stderr } = await run(['doctor'], { ...env, ...platforms, SMTP_URL, MAIL_FROM: 'a@b.example' })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('hunter2')
    return stdout.split('\n').find((line) => line.includes(' mail:'))
  }
  expect(await examine()).toMatch(/^warn {2}mail: cannot be reached \(127\.0\.0\.1: no connection could be made/)
  await using mail = await startFakeMail({
    port,
    startTls: true,
    credentials: { user: 'postman', password: 'hunter2' },
  })
  expect(await examine()).toMatch(/^ok {4}mail: answers after \d+ ms$/)
  expect(mail.messages).toEqual([])
})
