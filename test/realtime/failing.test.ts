import { expect, test } from 'vitest'
import { makeBracket } from '../bracket-play.ts'
import { startHarness } from '../harness.ts'
import { openSocket } from './sockets.ts'

test('a body that cannot be read any more ends, and everybody else goes on', async () => {
  await using api = await startHarness()
  const [broken, sound] = [
    await makeBracket(api, { teams: 4, format: 'single_elimination' }),
    await makeBracket(api, { teams: 4, format: 'single_elimination' }),
  ]
  const topicOf = ({ cup }: typeof sound) => `/tournaments/${cup.guid}/matches/1`
  const [lost, kept] = [topicOf(broken), topicOf(sound)]
  await using socket = await openSocket(api)
  await using other = await openSocket(api)
  for (const topic of [lost, kept]) {
    for (const each of [socket, other])
      expect(await each.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  }
  // The service itself never writes this.
  await api.sql(`update matches set sides = '[]' where guid = $1`, [(await broken.readMatch(1)).guid])
  expect((await api.patch(broken.path, broken.organiser, { summary: 'changed' })).status).toBe(200)
  await sound.win(1, 'team-1')
  for (const { copies } of [socket, other]) {
    await copies.until((held) => held.of(lost).ended === 'invalid', 'the end of what is broken')
    await copies.until((held) => (held.of(kept).body as { status: string }).status === 'completed', 'the result')
  }
  await sound.win(2, 'team-2')
  expect((await socket.ask({ type: 'subscribe', topic: `${kept.slice(0, -1)}2` })).body).toMatchObject({
    status: 'completed',
  })
})
