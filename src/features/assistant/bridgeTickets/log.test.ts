import { expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'
import { digestOf } from '../../../infra/secrets.ts'

test('no ticket is logged, measured or told in an error, however much is logged', async () => {
  await using database = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  await using service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
  })
  const made = await makeBracket(database, { teams: 2, format: 'single_elimination' })
  const [player] = made.captains as [Caller]
  const logged: string[] = []
  const call = async (path: string, body: object, expected: number) => {
    const response = await fetch(`${service.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.organiser.token}` },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBe(expected)
    if (expected !== 201) logged.push(text, JSON.stringify([...response.headers]))
    return text
  }
  const address = `${made.match(1)}/bridgeTickets`
  const { ticket } = JSON.parse(await call(address, { user: player.guid }, 201))
  await call('/bridgeTickets/open', { ticket }, 200)
  await call('/bridgeTickets/live', { ticket, value: { score: 1 } }, 204)
  await call('/bridgeTickets/live', { ticket, value: { score: -1 } }, 400)
  await call('/bridgeTickets/finish', { ticket, score: 5 }, 400)
  const { ticket: next } = JSON.parse(await call(address, { user: player.guid }, 201))
  await call('/bridgeTickets/open', { ticket }, 401)
  // Internal errors while a ticket is looked up and while one is made.
  await database.sql('alter table bridge_tickets rename to gone')
  await call('/bridgeTickets/open', { ticket: next }, 500)
  await call(address, { user: player.guid }, 500)
  await database.sql('alter table gone rename to bridge_tickets')
  logged.push(await (await fetch(`${service.url}/metrics`)).text())
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  expect(stdout).toContain('"op":"bridgeTickets.live"')
  expect(logged.at(-1)).toContain('bridgeTickets.live')
  for (const secret of [ticket, next, digestOf(ticket).toString('hex'), digestOf(next).toString('hex')]) {
    expect(`${stdout}${stderr}${logged.join()}`).not.toContain(secret)
  }
})
