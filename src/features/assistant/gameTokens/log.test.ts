import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startFakeBeatLeaderSignIn, startFakeScoreSaberSignIn } from '../../../../test/fakes/game-proof.ts'
import { startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'

test('no ticket, nonce, token or cookie of a sign-in is logged, measured or told in an error, however much is logged', async () => {
  const [a, b] = await Promise.all([startFakeScoreSaberSignIn(), startFakeBeatLeaderSignIn()])
  await using database = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  await using service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
    SCORESABER_API_URL: a.url,
    SCORESABER_GAME_URL: a.url,
    BEATLEADER_API_URL: b.url,
  })
  const id = '76561198000000001'
  const named = { platform: 'scoresaber', platformId: id, platformUsername: 'Ada', proofProvider: 'scoresaber' }
  const [nonce, ticket, unknown] = [randomUUID(), randomUUID(), randomUUID()]
  a.proofs.set(nonce, { id, name: 'Ada', avatar: '' })
  b.proofs.set(`oculusTicket:${ticket}`, { id, name: 'Ada', avatar: '' })
  const byNonce = { ...named, proofPlayerId: id, proofNonce: nonce }
  const byTicket = { provider: 'oculusTicket', ticket }
  const logged: string[] = []
  const tokens: string[] = []
  const call = async (body: object, status: number) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${service.url}/game/requestAuthToken`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.status, text).toBe(status)
    if (status === 200) tokens.push(JSON.parse(text).token)
    else logged.push(text)
  }
  for (const body of [byNonce, byTicket]) {
    await call(body, 200)
    await call(body, 401)
  }
  await call({ ...byTicket, ticket: unknown }, 401)
  await call({ ...byTicket, provider: unknown }, 400)
  const end = b.misbehave(/GET/, 'reset')
  b.proofs.set(`steamTicket:${unknown}`, { id, name: 'Ada', avatar: '' })
  await call({ provider: 'steamTicket', ticket: unknown }, 503)
  end()
  // An internal error while the proof is a parameter of the statement.
  await database.sql('alter table game_proofs rename to gone')
  await call({ ...byNonce, proofNonce: unknown }, 500)
  await database.sql('alter table gone rename to game_proofs')
  logged.push(await (await fetch(`${service.url}/metrics`)).text())
  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  expect(stdout).toContain('"op":"gameTokens.request"')
  expect(logged.at(-1)).toContain('gameTokens.request')
  expect(tokens).toHaveLength(2)
  for (const secret of [nonce, ticket, unknown, 'secret-0', `key-of-${id}`, ...tokens]) {
    expect(`${stdout}${stderr}${logged.join()}`).not.toContain(secret)
  }
  await Promise.all([a.close(), b.close()])
})
