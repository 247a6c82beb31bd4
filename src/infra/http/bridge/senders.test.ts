import { expect, test, vi } from 'vitest'
import { openTicket, Refused, type SenderListener, SocketSender, TicketSender } from './senders.ts'

/** How the bridge page sends, with answers that come late or not at all. (AS30, AS31) */

type Given = { readonly status: number; readonly code?: string; readonly body?: unknown } | 'lost'

/** A ticket sender whose requests wait until the test answers them, and whose delays end immediately. */
function makeSender() {
  const requests: { what: string; body: Record<string, unknown>; answer: (given: Given) => void }[] = []
  const told: unknown[] = []
  const waits: number[] = []
  const listener: SenderListener = {
    onSent: () => void told.push('sent'),
    onStatus: (state, words) => void told.push(words === undefined ? state : [state, words]),
    onRefusal: ({ code, message }) => void told.push([code, message]),
  }
  const sender = new TicketSender('secret', listener, {
    fetch: (address, init) =>
      new Promise((resolve, reject) => {
        expect(address).not.toContain('secret')
        expect(init).toMatchObject({ method: 'POST', credentials: 'omit' })
        requests.push({
          what: address.replace('/api/bridgeTickets/', ''),
          body: JSON.parse(String(init.body)),
          answer(given) {
            if (given === 'lost') return reject(new TypeError('Failed to fetch'))
            const { status, code, body } = given
            const headers = code === undefined ? {} : { 'problem-code': code }
            const text = code === undefined ? JSON.stringify(body) : `Because of ${code}.`
            resolve(new Response(status === 204 ? null : text, { status, headers }))
          },
        })
      }),
    wait: async (ms) => void waits.push(ms),
  })
  const answered = async (given: Given) => {
    const count = told.length
    requests.at(-1)?.answer(given)
    await expect.poll(() => told.length, { interval: 1 }).toBeGreaterThan(count)
  }
  return { sender, requests, told, waits, answered }
}

test('one request at a time, and of what came meanwhile the newest', async () => {
  const { sender, requests, told, answered } = makeSender()
  for (let score = 1; score <= 5; score++) sender.publish({ score })
  expect(requests.map(({ what, body }) => [what, body])).toEqual([['live', { ticket: 'secret', value: { score: 1 } }]])
  await answered({ status: 204 })
  await expect.poll(() => requests, { interval: 1 }).toHaveLength(2)
  expect(requests[1]?.body.value).toEqual({ score: 5 })
  await answered({ status: 204 })
  sender.publish(null)
  expect(requests[2]?.body.value).toBe(null)
  await answered({ status: 204 })
  expect(requests).toHaveLength(3)
  // A deletion is no update.
  expect(told).toEqual(['live', 'sent', 'live', 'sent', 'live'])
})

test('a value that is lost goes with the next, and a refusal is told', async () => {
  const { sender, requests, told, answered } = makeSender()
  sender.publish({ score: 1 })
  await answered('lost')
  expect(told.splice(0)).toEqual(['waiting'])
  sender.publish({ score: 2 })
  await answered({ status: 400, code: 'live.player_unknown' })
  expect(told.splice(0)).toEqual(['live', ['live.player_unknown', 'Because of live.player_unknown.']])
  sender.publish({ score: 3 })
  await answered({ status: 204 })
  expect(told).toEqual(['live', 'sent'])
  expect(requests.map(({ body }) => body.value)).toEqual([{ score: 1 }, { score: 2 }, { score: 3 }])
})

test('a result is sent again until it is answered', async () => {
  const { sender, requests, told, waits, answered } = makeSender()
  const taken = sender.tell({ score: 7 })
  for (let lost = 0; lost < 6; lost++) {
    await answered('lost')
    await expect.poll(() => requests, { interval: 1 }).toHaveLength(lost + 2)
  }
  await answered({ status: 503, code: 'service.unavailable' })
  await expect.poll(() => requests, { interval: 1 }).toHaveLength(8)
  await answered({ status: 429, code: 'request.limited' })
  await expect.poll(() => requests, { interval: 1 }).toHaveLength(9)
  await answered({ status: 200, body: { status: 'collecting', players: [] } })
  expect(await taken).toEqual({ status: 'collecting', players: [] })
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000])
  expect(new Set(requests.map(({ body }) => JSON.stringify(body)))).toEqual(
    new Set([JSON.stringify({ score: 7, ticket: 'secret' })]),
  )
  expect(told.at(-1)).toBe('live')
})

test.each(['game.player_mismatch', 'assistant.play_open', 'live.finishes_limit'])(
  'a result that is refused by %s is not sent again',
  async (code) => {
    const { sender, requests, answered } = makeSender()
    const taken = sender.tell({ score: 7 }).catch((error: unknown) => error)
    await answered({ status: code === 'live.finishes_limit' ? 429 : 409, code })
    expect(await taken).toMatchObject({ code, message: `Because of ${code}.` })
    expect(requests).toHaveLength(1)
  },
)

test('a ticket that was ended is not shown again', async () => {
  const { sender, requests, told, answered } = makeSender()
  sender.publish({ score: 1 })
  sender.publish({ score: 2 })
  await answered({ status: 401, code: 'bridge.ticket_invalid' })
  sender.publish({ score: 3 })
  await Promise.resolve()
  await expect(sender.tell({ score: 3 })).rejects.toThrow('Because of bridge.ticket_invalid.')
  expect(requests).toHaveLength(1)
  expect(told).toEqual([['closed', 'Because of bridge.ticket_invalid.']])
})

test('a ticket is opened, or refused in the words of the service', async () => {
  const answers = [
    new Response('{"accounts":[]}'),
    new Response('No.', { status: 401, headers: { 'problem-code': 'bridge.ticket_invalid' } }),
  ]
  const asked: [string, unknown][] = []
  const around = {
    fetch: async (address: string, { body }: RequestInit) => {
      asked.push([address, body])
      return answers.shift() as Response
    },
    wait: async () => {},
  }
  expect(await openTicket('secret', around)).toEqual({ accounts: [] })
  const refused = await openTicket('secret', around).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refused)
  expect(refused).toMatchObject({ code: 'bridge.ticket_invalid', message: 'No.', isPassing: false })
  expect(asked).toEqual(Array(2).fill(['/api/bridgeTickets/open', '{"ticket":"secret"}']))
})

test('over the socket, values and results are those of the place', async () => {
  const sent: unknown[] = []
  const client = {
    publish: (...given: unknown[]) => void sent.push(given),
    command: async (...given: unknown[]) => {
      sent.push(given)
      return { body: { status: 'collecting' as const, players: [] } }
    },
  }
  const onSent = vi.fn()
  const place = { tournament: 'cup', match: 'm', user: 'u' }
  const sender = new SocketSender(client, place, { onSent })
  sender.publish({ score: 1 })
  sender.publish(null)
  expect(await sender.tell({ score: 2 })).toEqual({ status: 'collecting', players: [] })
  expect(onSent).toHaveBeenCalledTimes(1)
  expect(sent).toEqual([
    ['/tournaments/cup/matches/m/live', 'player:u', { score: 1 }],
    ['/tournaments/cup/matches/m/live', 'player:u', null],
    ['live.finish', { params: place, body: { score: 2 } }, { key: expect.stringMatching(/^[\w-]{36}$/) }],
  ])
})
