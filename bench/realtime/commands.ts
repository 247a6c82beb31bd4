import { setTimeout as wait } from 'node:timers/promises'
import { during, load, median, type Request } from '../load.ts'
import { type Row, ratio } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer } from '../world.ts'
import { type LightSocket, openLight, openMany } from './sockets.ts'

const senders = 100
const commandSeconds = 4

/** The same command over sockets and over HTTP: it marks notifications as read, of which there are none. */
export async function commands(service: Service): Promise<Row[]> {
  const players = await Promise.all(Array.from({ length: senders }, () => makePlayer(service.runtime)))
  const request = (index: number): Request => ({
    method: 'POST',
    path: '/api/users/@me/notifications/read',
    json: '{"all":true}',
    token: players[index % senders]?.token ?? '',
  })
  const figures: Record<'sockets' | 'http', number[]> = { sockets: [], http: [] }
  for (let turn = 0; turn < 3; turn++) {
    figures.sockets.push(
      await overSockets(
        service.socketPort,
        players.map(({ token }) => token),
      ),
    )
    figures.http.push(await load(service.url, during(commandSeconds, request), senders))
  }
  const measured = { ours: median(figures.sockets), baseline: median(figures.http) }
  return [ratio('command over a socket', 'the same over HTTP', measured, 0.8)]
}

/** Each socket sends as many commands as allowed, one after the answer of the previous one. */
async function overSockets(port: number, tokens: readonly string[]): Promise<number> {
  let answered = 0
  let end = 0
  const command = { type: 'command', name: 'notifications.read', body: { all: true } }
  const sockets = await openMany(tokens.length, async (index) => {
    const opened: LightSocket = await openLight({
      port,
      token: tokens[index] ?? '',
      onMessage(text) {
        if (!text.startsWith('{"type":"result"')) return
        answered++
        if (performance.now() < end) opened.send(command)
      },
    })
    return opened
  })
  end = performance.now() + commandSeconds * 1_000
  const startedAt = performance.now()
  for (const socket of sockets) socket.send(command)
  await wait(end - performance.now())
  const rate = answered / ((performance.now() - startedAt) / 1_000)
  for (const socket of sockets) socket.close()
  return rate
}
