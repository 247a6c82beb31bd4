import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'
import { digestOf } from '../../../infra/secrets.ts'

test('no secret address is logged, measured or told in an error, however much is logged', async () => {
  await using database = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  await using service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
  })
  const user = await database.user()
  const logged: string[] = []
  const call = async (method: string, path: string, expected: number) => {
    const response = await fetch(`${service.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${user.token}` },
    })
    const text = await response.text()
    expect(response.status, text).toBe(expected)
    if (expected !== 201) logged.push(text, JSON.stringify([...response.headers]))
    return text
  }
  const tokenOf = (text: string) => JSON.parse(text).address.replace(/^.*token=/, '') as string
  const first = tokenOf(await call('POST', '/users/@me/calendarToken', 201))
  const path = '/users/@me/calendar.ics?token='
  await call('GET', `${path}${first}`, 200)
  const next = tokenOf(await call('POST', '/users/@me/calendarToken', 201))
  await call('GET', `${path}${first}`, 404)
  await call('GET', `${path}${next}&token=${next}`, 400)
  await call('GET', `${path}${next}%00`, 400)
  await call('GET', `${path}${next}%`, 404)
  await call('GET', `${path}${next.repeat(6)}`, 400)
  await call('GET', `/users/@me/calendar?token=${next}`, 404)
  // Provokes an internal error while a calendar is read and while an address is created.
  await database.sql('alter table calendar_tokens rename to gone')
  await call('GET', `${path}${next}`, 500)
  await call('POST', '/users/@me/calendarToken', 500)
  await database.sql('alter table gone rename to calendar_tokens')
  logged.push(await (await fetch(`${service.url}/metrics`)).text())
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  expect(stdout).toContain('"op":"calendar.own"')
  expect(logged.at(-1)).toContain('calendar.own')
  for (const secret of [first, next, digestOf(first).toString('hex'), digestOf(next).toString('hex')]) {
    expect(`${stdout}${stderr}${logged.join()}`).not.toContain(secret)
  }
})
