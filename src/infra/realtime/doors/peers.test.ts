import { expect, test } from 'vitest'
import { anonymous } from '../../../core/actor.ts'
import type { Bearer } from '../../http/admission.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { type Peer, Peers } from './peers.ts'

/** A peer, and the codes that it was closed with. */
function makePeer(guid: string, changes: Partial<Peer> = {}): Peer & { readonly codes: readonly number[] } {
  const codes: number[] = []
  const bearer: Bearer = { actor: anonymous, tags: ['user'], expiresAt: Number.POSITIVE_INFINITY }
  return {
    guid,
    door: 'socket',
    bearer,
    address: '192.0.2.1',
    connectedAt: new Date(),
    following: 0,
    waiting: 0,
    codes,
    renew: () => {},
    close: (code) => void codes.push(code),
    ...changes,
  }
}

const event = (type: string, subject: string, touches: readonly string[]) =>
  ({ type, subject, touches }) as unknown as TouchingEvent

test.each([
  ['first', (events: TouchingEvent[]) => events],
  ['last', (events: TouchingEvent[]) => events.toReversed()],
])('what ends a connection ends it where it comes %s among others of a step', async (_where, inOrder) => {
  let isGood = true
  const peers = new Peers(async (_token) => (isGood ? makePeer('any').bearer : null))
  const [closed, other] = [makePeer('closed'), makePeer('other')]
  peers.add(closed)
  peers.add(other)
  const ofUser = event('user.updated', 'user', ['user'])
  await peers.heed(inOrder([event('connection.closed', 'closed', ['closed', 'user']), ofUser]), new Date())
  expect([closed.codes, other.codes]).toEqual([[4101], []])
  isGood = false
  await peers.heed(inOrder([event('user.banned', 'user', ['user']), ofUser]), new Date())
  expect(other.codes).toEqual([4206])
})

test('strangers are counted by their network and by their door, and not at all once they are gone', () => {
  const peers = new Peers(async () => null)
  const bearer = null
  const sockets = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((address) => makePeer('', { address, bearer }))
  const stream = makePeer('', { door: 'sse', address: '2001:db8::3', bearer })
  for (const peer of [...sockets, stream]) peers.add(peer)
  const from = (door: Peer['door']) => peers.strangersFrom({ door, address: '2001:db8::ffff' })
  expect([from('socket'), from('sse'), from('ndjson')]).toEqual([2, 1, 1])
  for (const peer of sockets) peers.remove(peer)
  expect([from('socket'), from('sse')]).toEqual([0, 1])
})
