import { afterEach, expect, test } from 'vitest'
import { clientOf, endAll, whenDone } from '../../../../test/bare-assistant.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import { until } from '../../../../test/waiting.ts'
import { parameters } from '../../../../test/wire-bytes.ts'
import type { Finished, Told } from './messages.ts'
import { ask, join } from './request.ts'

/** The client against the complete fake: a match from joining to the end of its song. */

afterEach(endAll)

test.each([false, true])('a match is made, played and told of (TLS: %s)', async (tls) => {
  const fake = await startFakeAssistant({ tls, password: 'word', name: 'Cup' })
  whenDone(() => fake.close())
  const token = fake.bot()
  const players = [
    fake.player({ platformId: '76561190000000001', name: 'Ada' }),
    fake.player({ platformId: '76561190000000002', name: 'Bo', kind: 'standalone' }),
  ]
  for (const { script } of players) script.songs.push({ seconds: 0.3, score: 950_000 })
  const told: Told[] = []
  const { connection, selfGuid, tournament } = await join(clientOf(), {
    address: { host: fake.host, port: fake.port, tls, certificate: fake.fingerprint ?? 'public' },
    token: () => token,
    tournament: fake.tournament.guid,
    password: 'word',
    versionCode: 1300,
    onMessage: (one) => told.push(one),
  })
  expect(tournament).toMatchObject({ guid: fake.tournament.guid, name: 'Cup' })
  const playing = tournament.users.filter(({ platformId }) => platformId !== '').map(({ guid }) => guid)
  expect(playing).toHaveLength(2)

  const made = await ask(connection, { type: 'createMatch', users: [...playing, selfGuid], leader: selfGuid })
  const match = made.details.type === 'match' ? made.details.match : null
  if (match === null) throw new Error(made.message)
  expect(match).toMatchObject({ users: [...playing, selfGuid], leader: selfGuid })
  expect(await ask(connection, { type: 'setMap', match: match.guid, map: parameters })).toMatchObject({ ok: true })
  expect(fake.matches[0]?.selectedMap?.gameplayParameters?.gameplayModifiers?.options).toBe(1 + 262_144)

  const loading = connection.send({ type: 'loadSong', hash: parameters.hash, to: playing })
  const answers = () => told.filter((one) => one.type === 'answer' && one.to === loading && one.ok)
  await until(() => answers().length === 2)
  connection.send({ type: 'playSong', map: parameters, useSync: false, to: playing })
  const finished = () => told.filter((one): one is Finished => one.type === 'finished')
  await until(() => finished().length === 2)

  expect(told).toContainEqual(expect.objectContaining({ type: 'score', user: playing[0] }))
  const byName = new Map(finished().map((one) => [one.player.name, one]))
  const song = { hash: parameters.hash, difficulty: 'ExpertPlus', completion: 'passed', score: 950_000 }
  expect(byName.get('Ada')).toMatchObject({ ...song, match: match.guid, tournament: fake.tournament.guid })
  expect(byName.get('Bo')).toMatchObject({ ...song, match: null, tournament: fake.tournament.guid })
  expect(await ask(connection, { type: 'deleteMatch', match: match.guid })).toMatchObject({ ok: true })
  expect(JSON.stringify(told)).not.toContain(token)
  expect([...fake.tokens]).toEqual([token])
})
